import { refuseLockout } from "../../access/administrators";
import { carryOut, type Failed, failureOf } from "../../access/bulk";
import { refuseUnreviewed } from "../../access/refuse-unreviewed";
import { type AccessPlan, isChange } from "../../access-plan/access-plan";
import { type AccessFinding, findingsOf } from "../../access-plan/findings";
import type { Manager } from "../../access-plan/input";
import { DocsError } from "../../api/http/errors";
import { ownManager } from "../../lifecycle/manager";
import type { Context } from "../../run/context";
import type { Properties } from "../../run/properties";
import {
  type ManagedPeople,
  nobody,
  outputsOf,
  type RecordedPeople,
  recordedPeople,
  rolesOf,
} from "../shared/managed-people";
import { type Person, tellKept } from "../shared/role";
import { type NamedPerson, planRoles, rolePlace } from "../shared/role-plan";
import { reviewOfMany } from "../shared/role-review";
import { losingAdministrators, type PersonStep, stepsOf } from "./steps";

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

/** The steps of a change, and the people that the state has after them. */
interface Prepared {
  readonly steps: readonly PersonStep[];
  /** By key. The steps change it: a released person is deleted. */
  readonly live: Map<string, Person>;
}

export async function prepareChange(
  context: Context,
  { before, people, declared, options }: Planned,
): Promise<Prepared> {
  const recorded = { ...options, roles: rolesOf(before), sso: [], ...outputsOf(before) };
  const own = ownManager({ review: reviewOfMany }, context.organizationId, { declared, recorded }) as Manager;
  const plan = await planRoles(context, own, [...people.values()], [...before.people]);
  const findings = findingsOf(plan);
  for (const finding of findings) if (finding.kind === "unrecorded name") throw unrecordedName(finding);
  const live = new Map([...people, ...releasedIn(context, plan, before, people)]);
  const steps = stepsOf(context, plan, live);
  // The resource knows its whole change. Later, new administrators get the role first, and nobody loses it if that fails.
  const isLast = findings.some(({ kind }) => kind === "no administrator");
  if (isLast) await refuseLockout(context, losingAdministrators(steps));
  refuseUnreviewed(context, plan.changes);
  return { steps, live };
}

/** The people who stay in the state until their release has succeeded. Says who keeps the role although nobody manages it now. */
function releasedIn(
  context: Context,
  plan: AccessPlan,
  before: ManagedPeople,
  people: ManagedPeople["people"],
): NamedPerson[] {
  const staying = new Set([...people.values()].map(({ member }) => member.user.id));
  const leaving = [...before.people].flatMap(([key, person]) => {
    const change = plan.of(rolePlace(context), person.member.user);
    return change && !staying.has(person.member.user.id) ? [{ key, person, change }] : [];
  });
  const isReleased = ({ change }: (typeof leaving)[number]) => isChange(change) || change.reason === "may be declared";
  const kept = leaving.filter((one) => !isReleased(one));
  tellKept(
    context,
    kept.map(({ person: { member }, change }) => ({ change, member })),
  );
  return leaving.filter(isReleased).map(({ key, person }) => [key, person]);
}

/** Releases everybody, because the resource is deleted. */
export async function releaseAll(context: Context, recorded: RecordedPeople): Promise<void> {
  if (recorded.onDestroy === "leave") return;
  const before = await recordedPeople(context, recorded);
  const { steps } = await prepareChange(context, { before, people: nobody.people, options: { ...recorded } });
  const { done, failed } = await carryOut(steps);
  refuseFailures(failed, done);
}

export function refuseFailures(failed: readonly Failed[], done: readonly string[]): void {
  if (failed.length > 0) throw failureOf(failed, done);
}

function unrecordedName({ option, email, person, recordedAs }: AccessFinding & { kind: "unrecorded name" }): DocsError {
  return new DocsError(
    `${option} names ${email}, which belongs to ${person.id} now, and the state has this person as ${recordedAs}: nothing is changed. ` +
      `In ${option} (members in organization.yaml), name this person as ${recordedAs}; name any other person by user id`,
  );
}
