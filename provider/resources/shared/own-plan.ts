import { isPersonManaged } from "../../access/management";
import { membersOf } from "../../access/members";
import { asTeammate, type Teammate } from "../../access/teammate";
import { type AccessPlan, isChange, planAccess } from "../../access-plan/access-plan";
import type { AccessChange } from "../../access-plan/change";
import { type AccessFinding, findingsOf } from "../../access-plan/findings";
import type { AccessInput, Assignment, LivePerson, Manager } from "../../access-plan/input";
import type { Member } from "../../api/groups/members";
import { DocsError } from "../../api/http/errors";
import type { Context } from "../../run/context";

/** What a resource that gives access passes to the access plan: itself, and what the run knows about other resources. */

const idOfOthers = "run";
/** The other resources of the run, as one manager that declares what people have already. */
const otherManager = (assignments: readonly Assignment[]): Manager => ({
  id: idOfOthers,
  name: "another resource of this run",
  declared: { assignments, options: {} },
});

/** A member in any place: the role in a team does not matter. */
export const livePersonOfMember = (member: Member): LivePerson => livePersonOf(asTeammate(member, ""));

export const livePersonOf = ({ userId, email, hidden, disabled }: Teammate): LivePerson => ({
  userId,
  email,
  isDisabled: disabled === true,
  isEmailUnknown: email === undefined && !hidden,
});

/**
 * Plans the changes of a resource, which is the first manager of the input. A person that another resource of the run manages
 * counts as declared by that resource, and stays. Refuses the change of a person whose recorded e-mail belongs to somebody else
 * now, because either of the two may be meant.
 */
export async function planBesideOthers(context: Context, input: AccessInput): Promise<AccessPlan> {
  const alone = planAccess(input);
  const [assignments, owners] = await Promise.all([findManagedElsewhere(context, alone), readOwners(context, alone)]);
  const others = assignments.length > 0 ? [otherManager(assignments)] : [];
  const isAlone = assignments.length + owners.length === 0;
  const plan = isAlone
    ? alone
    : planAccess({ ...input, people: [...input.people, ...owners], managers: [...input.managers, ...others] });
  for (const finding of findingsOf(plan))
    if (finding.kind === "two people" && mustBeUnambiguous(finding.change)) throw twoPeople(finding);
  return plan;
}

/** What undeclared people have if another resource of the run manages them. */
export async function findManagedElsewhere(context: Context, { subjects }: AccessPlan): Promise<Assignment[]> {
  const leaving = subjects.filter(isLeaving);
  const managed = await Promise.all(
    leaving.map(({ person, place }) => isPersonManaged(context, place, person.id, person.keys)),
  );
  return leaving
    .filter((_, index) => managed[index])
    .map(({ person, place, before }) => ({ place, user: person.id, level: before }));
}

/** Whether one person must have the recorded e-mail. In a team, a declared e-mail keeps its person while the person is in the team. */
const mustBeUnambiguous = ({ place, declaredBy }: AccessChange): boolean =>
  place.kind !== "team" || declaredBy.length === 0;

/** Reads who has the recorded e-mails of the people that change, except for e-mails whose owner is known already. */
async function readOwners(context: Context, plan: AccessPlan): Promise<LivePerson[]> {
  const changed = new Set(plan.changes.filter(mustBeUnambiguous).map(({ person }) => person.id));
  const recorded = Object.entries(plan.input.managers[0]?.recorded?.userIds ?? {});
  const doubtful = recorded.filter(([email, userId]) => changed.has(userId) && !plan.identities.ownerOf(email));
  const owners = await Promise.all(doubtful.map(([email]) => membersOf(context).read(email)));
  return owners.flatMap((owner) => (owner ? [livePersonOfMember(owner)] : []));
}

/**
 * The state was edited, or the e-mail belongs to somebody else now, so it is not clear which of the two is declared. A person
 * with a changed or hidden e-mail is still the same person, as long as nobody else has the recorded e-mail.
 */
function twoPeople({ change: { person }, email, owner }: AccessFinding & { kind: "two people" }): DocsError {
  return new DocsError(
    `the state has the user id ${person.id} for ${email}, which belongs to ${owner.id} now: these are two people, so nothing ` +
      "is changed for either. If the state was edited, correct it (pulumi stack export, pulumi stack import). If the e-mail " +
      `was passed on, declare ${person.id} in place of ${email} and run pulumi up; then ${person.id} can be removed from the ` +
      `program. To declare ${owner.id}, use this user id`,
  );
}

/**
 * Whether the resource releases the person, or `others` applies. A mark of single sign-on cannot be released. People who stay for
 * one of the listed reasons are included: the user is told the reason, unless another resource manages the person.
 */
const isLeaving = (one: AccessChange): boolean =>
  one.declaredBy.length === 0 &&
  one.place.kind !== "sso" &&
  (isChange(one) || ["would raise", "refused", "may be declared"].includes(one.reason ?? ""));

/** Whether the person stays although the resource releases the person, because another resource of the run manages the person. */
export const isManagedElsewhere = ({ cause, by }: AccessChange): boolean =>
  cause === "declared" && by.id === idOfOthers;
