import { refuseLockout } from "../../access/administrators";
import { refuseTwoPeople } from "../../access/members";
import { refuseUnreviewed } from "../../access/refuse-unreviewed";
import { type AccessPlan, isChange } from "../../access-plan/access-plan";
import type { AccessChange } from "../../access-plan/change";
import { type AccessFinding, findingsOf } from "../../access-plan/findings";
import { DocsError } from "../../api/http/errors";
import type { Context } from "../../run/context";
import type { Properties } from "../../run/properties";
import { type ManagedPeople, outputsOf, rolesOf } from "../shared/managed-people";
import { ownManager } from "../shared/own-plan";
import { type Person, tellKept } from "../shared/role";
import { planRoles, rolePlace } from "../shared/role-plan";
import { reviewOfMany } from "../shared/role-review";
import { changedPersonOf, losingAdministrators, stepsOf } from "./steps";

/** What a change or a deletion of `MemberRoles` plans. */

interface Planned {
  /** The people who were managed so far. */
  readonly before: ManagedPeople;
  /** The declared people. */
  readonly people: ManagedPeople["people"];
  /** The declared inputs; absent if the resource is deleted. */
  readonly declared?: Properties;
  /** The recorded inputs, of which the options count. */
  readonly options: Properties;
}

export async function planChange(
  context: Context,
  { before, people, declared, options }: Planned,
): Promise<AccessPlan> {
  const recorded = { ...options, roles: rolesOf(before), sso: [], ...outputsOf(before) };
  const own = ownManager({ review: reviewOfMany }, context, { declared, recorded });
  const plan = await planRoles(context, own, [...people.values()], [...before.people]);
  for (const finding of findingsOf(plan)) if (finding.kind === "unrecorded name") throw unrecordedName(finding);
  return plan;
}

/** Prepares the steps of a plan. `live` gets the people who stay in the state until their release has succeeded. */
export async function prepareSteps(
  context: Context,
  plan: AccessPlan,
  before: ManagedPeople,
  live: Map<string, Person>,
) {
  const staying = new Set([...live.values()].map(({ member }) => member.user.id));
  const kept: { change: AccessChange; member: Person["member"] }[] = [];
  for (const [key, person] of before.people) {
    const { member } = person;
    const change = plan.of(rolePlace(context), member.user);
    if (!change || staying.has(member.user.id)) continue;
    if (isChange(change) || change.reason === "may be declared") live.set(key, person);
    else kept.push({ change, member });
  }
  tellKept(context, kept);
  const steps = stepsOf(context, plan, live);
  await refuseTwoPeople(context, steps.map(changedPersonOf));
  // The resource knows its whole change. Later, new administrators get the role first, and nobody loses it if that fails.
  const isLast = findingsOf(plan).some(({ kind }) => kind === "no administrator");
  if (isLast) await refuseLockout(context, losingAdministrators(steps));
  refuseUnreviewed(context, plan.changes);
  return steps;
}

function unrecordedName({ option, email, person, recordedAs }: AccessFinding & { kind: "unrecorded name" }): DocsError {
  return new DocsError(
    `${option} names ${email}, which belongs to ${person.id} now, and the state has this person as ${recordedAs}: nothing is changed. ` +
      `In ${option} (members in organization.yaml), name this person as ${recordedAs}; name any other person by user id`,
  );
}
