import { nameOfMember, refuseLockout } from "../../access/administrators";
import { type AccessStep, carryOut, type Failed, joinFailures } from "../../access/carry-out";
import { UncheckedError } from "../../access/quorum";
import { limitToGrants, refuseUnreviewed } from "../../access/refuse-unreviewed";
import { reviewedPlan } from "../../access/reviewed";
import { type AccessPlan, isChange } from "../../access-plan/access-plan";
import type { AccessChange } from "../../access-plan/change";
import { type AccessFinding, findingsOf } from "../../access-plan/findings";
import type { Manager } from "../../access-plan/input";
import { type DeclaredRole, nothing, type Place, spelledRole } from "../../access-plan/place";
import { occasionsOf } from "../../access-plan/release";
import type { Member } from "../../api/groups/members";
import { DocsError } from "../../api/http/errors";
import { ownManager } from "../../lifecycle/manager";
import type { Context } from "../../run/context";
import type { Properties } from "../../run/properties";
import { type ManagedPeople, nobody, type RecordedPeople, recordedPeople, recordOf } from "../shared/managed-people";
import { planBesideOthers } from "../shared/own-plan";
import { carryOutRelease, markSso, type Person, setRole, tellKept } from "../shared/role";
import { reviewOfMany } from "../shared/role-review";

interface Planned {
  readonly before: ManagedPeople;
  readonly people: ManagedPeople["people"];
  /** The declared inputs; absent if the resource is deleted. */
  readonly declared?: Properties;
  /** Has the options of releases: the declared inputs, or the recorded ones if the resource is deleted. */
  readonly options: Properties;
}

/** Plans a change: its steps, and the live people by key. Each step updates these; a release takes the person out of them. */
export async function prepareChange(context: Context, { before, people, declared, options }: Planned) {
  // Of these options, only those of releases are used: roles come from `before`, and no mark can be released.
  const recorded = { ...options, sso: [], ...recordOf(before) };
  // Without a reviewed plan, `others` changes nobody.
  const withoutOthers = declared && { ...declared, others: undefined };
  const properties = { declared: reviewedPlan(context.run) ? declared : withoutOthers, recorded };
  const own = ownManager({ review: reviewOfMany }, context.organizationId, properties) as Manager;
  const plan = limitToGrants(context, await planRoles(context, own, [...people.values()], [...before.people]));
  const findings = findingsOf(plan);
  const unrecorded = findings.find((one) => one.kind === "unrecorded name");
  if (unrecorded) throw unrecordedName(unrecorded);
  const { staying, kept } = leavingPeople(context, plan, before, people);
  tellKept(context, kept);
  const live = new Map([...people, ...staying]);
  const steps = stepsOf(context, plan, live);
  const losing = steps.filter(({ administrator }) => administrator === "takes").map(({ member }) => member);
  // Only the end counts, not the order: the steps give the role of administrator first, and take it from nobody if that fails.
  // With `up --only grants`, each step asks the quorum alone, so the last administrator does not stop the grants of others.
  const isLockout = findings.some(({ kind }) => kind === "no administrator") && !context.run.settings.dueGrants();
  if (isLockout) await refuseLockout(context, losing);
  refuseUnreviewed(context, plan);
  return { steps, live };
}

/** A person whose role the resource manages, by the key of the declared or recorded name. */
export type NamedPerson = readonly [name: string, person: Person];

const rolePlace = ({ organizationId }: Context): Place => ({ kind: "role", organization: organizationId });
const markPlace = ({ organizationId }: Context): Place => ({ kind: "sso", organization: organizationId });

/** Plans the roles of the declared people, and of the people who were managed so far. */
function planRoles(
  context: Context,
  own: Manager,
  declared: readonly Person[],
  recorded: readonly NamedPerson[],
): Promise<AccessPlan> {
  const stay = new Set(declared.map(({ member }) => member.user.id));
  const leaving = recorded.map(([, { member }]) => member).filter(({ user }) => !stay.has(user.id));
  const members = [...declared.map(({ member }) => member), ...leaving];
  const levels = new Map(members.map(({ user, role }) => [user.id, spelledRole(role)]));
  const marked = members.filter(({ sso }) => sso).map(({ user }): [string, string] => [user.id, "sso"]);
  return planBesideOthers(context, {
    people: members.map(({ user, disabled }) => ({ userId: user.id, email: user.email, isDisabled: disabled })),
    // Everybody that the resource names was read.
    arePeopleComplete: true,
    places: [
      { place: rolePlace(context), levels, isComplete: true },
      { place: markPlace(context), levels: new Map(marked), isComplete: true },
    ],
    managers: [own],
    isEverybodyShown: false,
  });
}

/** Of the people who are no longer declared: who stays in the state, and who leaves it with the role kept. */
function leavingPeople(context: Context, plan: AccessPlan, before: ManagedPeople, people: ManagedPeople["people"]) {
  const declared = new Set([...people.values()].map(({ member }) => member.user.id));
  const leaving = [...before.people].flatMap(([key, person]) => {
    const change = plan.of(rolePlace(context), person.member.user);
    return change && !declared.has(person.member.user.id) ? [{ key, person, change }] : [];
  });
  // A person stays until the release has succeeded, or while a declared e-mail may be the hidden one of the person.
  const staysInState = ({ change }: { readonly change: AccessChange }) =>
    isChange(change) || change.reason === "may be declared";
  return {
    staying: leaving.filter(staysInState).map(({ key, person }): NamedPerson => [key, person]),
    kept: leaving.filter((one) => !staysInState(one)).map(({ person, change }) => ({ member: person.member, change })),
  };
}

/** Releases everybody, because the resource is deleted. */
export async function releaseAll(context: Context, recorded: RecordedPeople): Promise<void> {
  if (occasionsOf(recorded).destroy === "leave") return;
  const before = await recordedPeople(context, recorded);
  const { steps } = await prepareChange(context, { before, people: nobody.people, options: { ...recorded } });
  const { done, failed } = await carryOut(steps);
  refuseFailures(failed, done);
}

export function refuseFailures(failed: readonly Failed[], done: readonly string[]): void {
  if (failed.length > 0) throw joinFailures(failed, done);
}

function unrecordedName({ option, email, person, recordedAs }: AccessFinding & { kind: "unrecorded name" }): DocsError {
  return new DocsError(
    `${option} names ${email}, which belongs to ${person.id} now, and the state has this person as ${recordedAs}: nothing is changed. ` +
      `In ${option} (members in organization.yaml), name this person as ${recordedAs}; name any other person by user id`,
  );
}

type PersonStep = AccessStep & { readonly member: Member; readonly isRelease: boolean };

/** The steps of the plan in its order. Each success is recorded in `live`; a released person is deleted from it. */
function stepsOf(context: Context, plan: AccessPlan, live: Map<string, Person>): PersonStep[] {
  const entries = new Map([...live].map((entry) => [entry[1].member.user.id, entry]));
  const changeIn = (place: Place, id: string) => {
    const change = plan.of(place, { id });
    return change && isChange(change) ? change : undefined;
  };
  const ids = new Set(plan.changes.map(({ person }) => person.id));
  return [...ids].flatMap((id) => {
    const entry = entries.get(id);
    const changes = { role: changeIn(rolePlace(context), id), mark: changeIn(markPlace(context), id) };
    return entry ? stepOf(context, changes, entry, live) : [];
  });
}

type PersonChanges = Readonly<Record<"role" | "mark", AccessChange | undefined>>;

function stepOf(
  context: Context,
  changes: PersonChanges,
  [key, person]: NamedPerson,
  live: Map<string, Person>,
): PersonStep {
  const { role } = changes;
  const { member } = person;
  const isRelease = role?.cause === "released" || role?.cause === "undeclared";
  const run = async () => {
    if (!isRelease) return give(context, member, changes, (after) => live.set(key, { ...person, member: after }));
    await carryOutRelease(context, member, role);
    live.delete(key);
  };
  const result = describeResult(role);
  return { name: nameOfMember(member), member, isRelease, result, run, ...(role && administratorEffect(role)) };
}

/** Gives the role, and then the mark of single sign-on. Records each success. */
async function give(
  context: Context,
  member: Member,
  { role, mark }: PersonChanges,
  record: (after: Member) => void,
): Promise<void> {
  let after = member;
  if (role) {
    after = await setRole(context, member, role.after as DeclaredRole).catch((error) => {
      // The change was made, so it is recorded, although it could not be checked.
      if (error instanceof UncheckedError) record(error.done as Member);
      throw error;
    });
    record(after);
  }
  if (mark) record(await markSso(context, after));
}

/** Whether a change of the role makes the person an administrator, or takes that role away. */
function administratorEffect({ before, after }: AccessChange): Pick<AccessStep, "administrator"> {
  if (after === "admin") return { administrator: "gives" };
  return before === "admin" ? { administrator: "takes" } : {};
}

function describeResult(role: AccessChange | undefined): string {
  if (role === undefined) return "is marked as a member by single sign-on";
  return role.after === nothing ? "is removed from the organization" : `is now ${role.after}`;
}
