import { entriesByUser, type Giver, stringsIn, visibleText } from "../../access/assignments";
import { membersOf } from "../../access/members";
import { limitToGrants } from "../../access/refuse-unreviewed";
import type { TeamWriter } from "../../access/team";
import type { Changes, TeamChange } from "../../access/team-changes";
import { namesOfTeammates, type Teammate } from "../../access/teammate";
import { type AccessPlan, isLoss, planAccess } from "../../access-plan/access-plan";
import type { AccessChange } from "../../access-plan/change";
import type { AccessInput, LivePerson, Manager, RecordedAssignment } from "../../access-plan/input";
import { nothing, type Place, unknown } from "../../access-plan/place";
import type { Member } from "../../api/groups/members";
import type { TeamRole } from "../../api/groups/shared";
import { DocsError } from "../../api/http/errors";
import { type AccessDefinition, ownManager } from "../../lifecycle/manager";
import { refuseTwoNames } from "../../lifecycle/two-names";
import { isEmail, userKey } from "../../people/user";
import type { Context } from "../../run/context";
import { type Properties, propertiesIn } from "../../run/properties";
import { isManagedElsewhere, livePersonOf, livePersonOfMember, planBesideOthers } from "../shared/own-plan";

/** Which access `TeamMembers` and `TeamMembership` give, and what a change or a deletion of them plans. */

/** The parts of the definition that the access plan reads. */
export const teamMembersAccess = {
  review: { access: assignmentsInTeam },
  wholeTeam: true as const,
};

export function assignmentsInTeam(
  { teamId, members, pending, absent, found, userIds }: Properties,
  giver: Giver,
): RecordedAssignment[] {
  const place = { kind: "team", team: visibleText(teamId), organization: giver.organization } as const;
  const pendingKeys = new Set(stringsIn(pending).map(userKey));
  const absentKeys = new Set(stringsIn(absent));
  const foundIds = new Set(stringsIn(found));
  const ids = propertiesIn(userIds);
  const listed = entriesByUser(giver, members).map(([user, role]): RecordedAssignment => {
    const key = userKey(user);
    const isFound = foundIds.has(String(ids[key] ?? key));
    const isAbsent = absentKeys.has(key);
    const isPending = pendingKeys.has(key);
    return {
      place,
      user,
      level: visibleText(role),
      isPending,
      ...(isAbsent && { isAbsent }),
      ...(isFound && { isFound }),
    };
  });
  // A change that failed may have sent these e-mails to the service.
  const names = new Set(listed.map(({ user }) => userKey(user)));
  const doubtful = [...pendingKeys].filter((user) => !names.has(user));
  return [...listed, ...doubtful.map((user) => ({ place, user, level: unknown, isPending: true }))];
}

export interface TeamPlan {
  readonly team: TeamWriter;
  /** The team as it was read before the change. */
  readonly people: readonly Teammate[];
  readonly plan: AccessPlan;
}

/** What a team has, and what the resource declares and records of it. */
interface TeamInput {
  readonly definition: AccessDefinition;
  readonly team: TeamWriter;
  readonly people: readonly Teammate[];
  /** User ids by declared name. */
  readonly ids?: ReadonlyMap<string, string>;
  /** Ids of recorded people who have left the organization. */
  readonly absent?: ReadonlySet<string>;
  /** Members of the organization who were read as well. */
  readonly members?: readonly LivePerson[];
  /** Absent if the resource is deleted. */
  readonly declared?: Properties | undefined;
  /** Absent if the resource is created. */
  readonly recorded?: Properties | undefined;
}

export async function planTeam(context: Context, teamInput: TeamInput): Promise<TeamPlan> {
  const { definition, team, people, declared, recorded } = teamInput;
  const own = ownManager(definition, context.organizationId, { declared, recorded }) as Manager;
  const input = accessInput(context, teamInput, own);
  refuseTwoNames(context.run, own, input.people);
  const hasPending = stringsIn(recorded?.pending).length > 0;
  const possiblyPending = hasPending ? await readPossiblyPending(context, people, planAccess(input)) : [];
  const whole = await planBesideOthers(context, { ...input, people: [...input.people, ...possiblyPending] });
  const plan = limitToGrants(context, whole);
  refuseHidden(team, people, plan);
  tellStaying(context, teamInput, plan);
  return { team, people, plan };
}

function accessInput(context: Context, teamInput: TeamInput, own: Manager): AccessInput {
  const { team, people, ids = new Map<string, string>(), absent, members = [] } = teamInput;
  const levels = new Map(people.map(({ userId, role }) => [userId, role]));
  const place = teamPlace(context, team);
  // One manager stands for the resources whose states say that a person has left.
  const recordedElsewhere = [...(absent ?? [])].map((user) => ({ place, user, level: nothing, isAbsent: true }));
  const others = { id: "state", name: "", recorded: { assignments: recordedElsewhere, userIds: {}, options: {} } };
  const notInTeam = [...ids].filter(([name, userId]) => isEmail(name) && !levels.has(userId) && !absent?.has(userId));
  return {
    people: [...people.map(livePersonOf), ...notInTeam.map(([email, userId]) => ({ userId, email })), ...members],
    arePeopleComplete: false,
    places: [{ place, levels, isComplete: true }],
    managers: [own, others],
    isEverybodyShown: false,
  };
}

export const teamPlace = ({ organizationId }: Context, { teamId }: Pick<TeamWriter, "teamId">): Place => ({
  kind: "team",
  team: teamId,
  organization: organizationId,
});

/** If a pending e-mail would be withdrawn, reads the people whose e-mails are not known: one of them may have this e-mail. */
async function readPossiblyPending(
  context: Context,
  people: readonly Teammate[],
  plan: AccessPlan,
): Promise<LivePerson[]> {
  const isWithdrawing = plan.changes.some(({ state, after }) => state === "pending" && after === nothing);
  if (!isWithdrawing) return [];
  const unread = people.filter(({ email, hidden }) => email === undefined && !hidden).map(({ userId }) => userId);
  const newcomers = plan.changes.flatMap(({ before, person }) => (before === nothing ? (person.userId ?? []) : []));
  const members = await readMembers(context, [...unread, ...newcomers]);
  return members.map(livePersonOfMember);
}

async function readMembers(context: Context, userIds: readonly string[]): Promise<Member[]> {
  const members = await Promise.all(userIds.map((userId) => membersOf(context).read(userId)));
  return members.filter((member) => member !== undefined);
}

/** The planned changes in the order in which they are made. */
export function teamChanges({ changes }: AccessPlan): Changes {
  const changeOf = ({ person, after }: AccessChange): TeamChange => ({
    user: person.id,
    ...(after !== nothing && { role: after as TeamRole }),
  });
  const remaining = changes.filter(({ after }) => after !== nothing);
  return {
    added: remaining.filter((one) => !isLoss(one)).map(changeOf),
    lowered: remaining.filter(isLoss).map(changeOf),
    removed: changes.filter(({ after }) => after === nothing).map(changeOf),
  };
}

/** Tells the user which people stay in the team although the program does not declare them here. */
function tellStaying({ run }: Context, { team: { teamId }, people }: TeamInput, { subjects }: AccessPlan): void {
  const idsOf = (stays: (one: AccessChange) => boolean) => subjects.filter(stays).map(({ person }) => person.id);
  const namesBy = (staysFor: AccessChange["reason"]) => {
    const ids = new Set(idsOf(({ reason }) => reason === staysFor));
    return namesOfTeammates(people.filter(({ userId }) => ids.has(userId)));
  };
  const unmanaged = namesBy("not shown");
  if (unmanaged)
    run.tell(`${unmanaged} stay in team ${teamId}: no preview has shown them yet; the next refresh shows them`);
  const hidden = namesBy("may be back");
  if (hidden)
    run.tell(
      `${hidden} stay in team ${teamId}: they hide the e-mail, and may be declared people who left and came back; ` +
        "declare them by user id, or delete the lines of those who have left",
    );
  const managedElsewhere = idsOf(isManagedElsewhere).join(", ");
  if (managedElsewhere) run.tell(`${managedElsewhere} stay in team ${teamId}: other resources of this run manage them`);
  const pending = idsOf(({ reason }) => reason === "may be in the team").join(", ");
  if (!pending) return;
  run.tell(
    `the pending memberships of ${pending} in team ${teamId} are not withdrawn: a person in the team, or a person ` +
      "who is added now, hides the e-mail and may have one of these",
  );
}

/** Refuses to remove a person with a hidden e-mail who may be declared or ignored by e-mail. */
function refuseHidden({ teamId }: TeamWriter, people: readonly Teammate[], { subjects }: AccessPlan): void {
  const doubtful = subjects.filter(({ mayBe }) => mayBe !== undefined);
  if (doubtful.length === 0) return;
  const ids = new Set(doubtful.map(({ person }) => person.id));
  const hidden = namesOfTeammates(people.filter(({ userId }) => ids.has(userId)));
  const byEmail = [...new Set(doubtful.flatMap(({ mayBe = [] }) => mayBe))];
  throw new DocsError(
    `team ${teamId}: ${hidden} hide their e-mail, so they may be among ${byEmail.join(", ")}; declare or ignore them by ` +
      "user id, or remove them from the team in the app",
  );
}

/** How to make the change that `refuseNoOwner` refuses. */
export const wayOut = {
  update: "declare another owner, or allowNoOwner: true",
  delete:
    "to keep its members, restore the resource with onRelease: leave, run pulumi up, then remove it; to remove everyone, " +
    "declare members: {} and allowNoOwner: true instead",
};

/** The owners who lose the role, if the team must keep one. `pulumi destroy` may remove the last one, because administrators remain. */
export function losingOwners({ run }: Context, { people, plan }: TeamPlan): Teammate[] {
  const [own] = plan.input.managers;
  if (!run.runsProgram() || (own?.declared ?? own?.recorded)?.allowsNoOwner) return [];
  const losing = new Set(plan.changes.filter(({ before }) => before === "owner").map(({ person }) => person.id));
  // The resource is deleted, and everybody in the team is an owner who leaves: nobody is left who needs an owner.
  if (own?.area && !own.declared && losing.size === people.length) return [];
  return people.filter(({ userId }) => losing.has(userId));
}

export async function refuseNoOwner(context: Context, planned: TeamPlan, way: string): Promise<void> {
  const { team, people, plan } = planned;
  const losing = losingOwners(context, planned);
  if (losing.length === 0) return;
  const owners = plan.holders("owner", teamPlace(context, team), "after").map(({ id }) => id);
  const disabled = new Map(people.map((one) => [one.userId, one.disabled === true]));
  if (owners.some((id) => disabled.get(id) === false)) return;
  // A person who is not a member, or cannot sign in, does not count as a new owner.
  const members = await readMembers(
    context,
    owners.filter((id) => !disabled.has(id)),
  );
  if (members.some((member) => !member.disabled)) return;
  throw new DocsError(
    `team ${team.teamId} would have no owner: this change removes or lowers ${namesOfTeammates(losing)}; ${way}`,
  );
}
