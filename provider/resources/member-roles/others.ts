import { nameOfMember } from "../../access/administrators";
import { stringsIn } from "../../access/assignments";
import { listNames } from "../../access/carry-out";
import { managementOf } from "../../access/management";
import { freshEnough, membersOf } from "../../access/members";
import { reviewedPlan } from "../../access/reviewed";
import { planAccess } from "../../access-plan/access-plan";
import type { AccessChange } from "../../access-plan/change";
import { findingsOf } from "../../access-plan/findings";
import type { AccessInput, Manager } from "../../access-plan/input";
import { spelledRole } from "../../access-plan/place";
import type { Member } from "../../api/groups/members";
import { DocsError } from "../../api/http/errors";
import { ownManager } from "../../lifecycle/manager";
import { userKey } from "../../people/user";
import type { Context } from "../../run/context";
import { type Properties, propertiesIn } from "../../run/properties";
import type { Run } from "../../run/run";
import { refusalOfOthers } from "../../text/shared-sentences";
import { type ManagedPeople, recordOf } from "../shared/managed-people";
import { findManagedElsewhere, livePersonOfMember } from "../shared/own-plan";
import type { Person } from "../shared/role";
import { reviewOfMany } from "../shared/role-review";

/** `others`: members of the organization whose role neither the resource nor another one of the run declares. */

interface Other {
  readonly member: Member;
  readonly change: AccessChange;
}

/**
 * Finds the undeclared members, with what `others` does to each of them. Throws if `others` refuses them, except in the mode
 * `record`. `before` has the people that the resource has managed so far.
 */
export async function findOthers(
  context: Context,
  declared: Properties,
  before: ManagedPeople,
  mode: "change" | "record" = "change",
): Promise<Other[]> {
  const { organizationId: organization } = context;
  // No mark of single sign-on can be released, so none is recorded here.
  const properties = { declared, recorded: { ...declared, sso: [], ...recordOf(before) } };
  const own = ownManager({ review: reviewOfMany }, organization, properties) as Manager;
  const { area } = own;
  if (!area) return [];
  const all = await membersOf(context).all(freshEnough);
  const members = new Map(all.map((member) => [member.user.id, member]));
  const levels = new Map(all.map(({ user, role }) => [user.id, spelledRole(role)]));
  const input: AccessInput = {
    people: all.map(livePersonOfMember),
    arePeopleComplete: true,
    places: [{ place: area, levels, isComplete: true }],
    managers: [own],
    isEverybodyShown: true,
  };
  const elsewhere = await findManagedElsewhere(context, planAccess(input));
  const plan = planAccess({ ...input, managedElsewhere: new Set(elsewhere.map(({ user }) => user)) });
  const refused = findingsOf(plan).flatMap((one) => (one.kind === "undeclared members" ? one.people : []));
  if (mode === "change" && refused.length > 0 && !context.run.settings.dueGrants()) {
    const lines = refused.map(({ id, live }) => [live?.email ?? id, plan.of(area, { id })?.after ?? "guest"] as const);
    throw new DocsError(`others: ${refusalOfOthers(lines, "roles")}`);
  }
  return plan.decidedBy(own).flatMap((change) => {
    // A person that the resource has managed so far is released, and is none of the others.
    const member = change.cause === "undeclared" && change.recordedBy.length === 0 && members.get(change.person.id);
    return member ? [{ member, change }] : [];
  });
}

/** Adds the people that `others` changes or refuses, by e-mail if nobody else is recorded by it. People who may be declared are not added. */
export function withOthers(managed: ManagedPeople, others: readonly Other[]): ManagedPeople {
  const people = new Map(managed.people);
  for (const { member, change } of others) {
    const { id, email } = member.user;
    if (change.reason === "may be declared") continue;
    const isFree = email !== undefined && !people.has(userKey(email)) && !managed.away.has(userKey(email));
    const previousRole = member.role as Person["previousRole"];
    people.set(isFree ? userKey(email) : id, { member, previousRole, isFound: true });
  }
  return { ...managed, people };
}

/** The state without people that `others` found and another resource manages: the refresh may have read that resource later. */
export function withoutManaged(run: Run, { roles, ...state }: Properties): Properties {
  const place = { kind: "role", organization: String(state.organizationId) } as const;
  const ids = propertiesIn(state.userIds);
  const found = new Set(stringsIn(state.found));
  const isManaged = (name: string) => managementOf(run).managerOf({ place, name }) !== undefined;
  const staying = Object.entries(propertiesIn(roles)).filter(([user]) => {
    const id = String(ids[userKey(user)] ?? user);
    return !found.has(id) || ![user, id].some(isManaged);
  });
  return { ...state, roles: Object.fromEntries(staying) };
}

/**
 * The people that a change may concern: those managed so far, and the undeclared members that the reviewed plan changes. Without a
 * plan, no undeclared member is among them: a resource that declares the member may not be known yet. Tells the user who stays.
 */
export async function withShownOthers(
  context: Context,
  declared: Properties,
  live: ManagedPeople,
): Promise<ManagedPeople> {
  const managed = { ...live, people: new Map([...live.people].filter(([, { isFound }]) => !isFound)) };
  const others = await findOthers(context, declared, managed);
  const reviewed = reviewedPlan(context.run);
  const isShown = ({ change }: Other) => reviewed?.access.allows(change) === true;
  const staying = others.filter((one) => !isShown(one)).map(({ member }) => nameOfMember(member));
  const how = reviewed
    ? "the reviewed plan does not change them; the next preview shows them, except people who hide their e-mail: name these by user id"
    : "only an up with a reviewed plan changes them: docs-org up, or DOCS_PLAN";
  if (staying.length > 0) context.run.tell(`others: ${listNames(staying)} stay as they are: ${how}`);
  return withOthers(managed, others.filter(isShown));
}
