import { type Giver, userIn } from "../../access/assignments";
import { maxAgeBeforeRemoval, membersOf } from "../../access/members";
import { refuseUnreviewed } from "../../access/refuse-unreviewed";
import { teamOf } from "../../access/team";
import type { AccessPlan } from "../../access-plan/access-plan";
import type { RecordedAssignment } from "../../access-plan/input";
import { unknown } from "../../access-plan/place";
import type { TeamRole } from "../../api/groups/shared";
import { readDeclared } from "../../lifecycle/two-names";
import { isEmail, sameUser, userKey } from "../../people/user";
import type { Context } from "../../run/context";
import { type Properties, propertiesIn } from "../../run/properties";
import { assignmentsInTeam, planTeam, teamPlace } from "../team-members/plan";

export const teamMembershipAccess = { review: { access: assignments } };

/** The declared person and those not yet removed, in the form of `TeamMembers`. */
function assignments(
  { teamId, user, userId, role, pending, absent, releasing }: Properties,
  giver: Giver,
): RecordedAssignment[] {
  const previousUsers = Array.isArray(releasing) ? releasing.map(propertiesIn) : [];
  // After a failed change of the user, the state does not say whether the new person is in the team.
  const roleIfOmitted = previousUsers.length > 0 ? unknown : "member";
  const own = { user, userId, role: role ?? roleIfOmitted, pending };
  const people: Properties[] = [own, ...previousUsers.map((one) => ({ ...one, pending: one.userId === null }))];
  const nameOf = (one: Properties) => userIn(giver, one.user, one.userId);
  const members = Object.fromEntries(people.map((one) => [nameOf(one), one.role ?? unknown]));
  const pendingNames = people.filter((one) => one.pending === true).map(nameOf);
  const absentNames = absent === true ? [nameOf(own)] : [];
  return assignmentsInTeam({ teamId, members, pending: pendingNames, absent: absentNames }, giver);
}

export interface Membership {
  readonly user: string;
  /** `undefined` for an e-mail that no member has. */
  readonly userId: string | undefined;
  /** The live role; for a pending membership, the requested one; `undefined` if the person is not in the team. */
  readonly role: TeamRole | undefined;
  /** The person has left the organization; the role is the recorded one. */
  readonly isAbsent?: boolean;
}

export const isSamePerson = (one: Membership, other: Pick<Membership, "user" | "userId">): boolean =>
  one.userId === undefined || other.userId === undefined ? sameUser(one.user, other.user) : one.userId === other.userId;

/** Plans the place of the declared person, and those of the people who were managed so far, as `TeamMembers` does. */
export async function planMembership(
  context: Context,
  teamId: string,
  recorded: readonly Membership[],
  declared?: Membership,
): Promise<AccessPlan> {
  const team = teamOf(context, teamId);
  // A person who was pending may have joined since.
  const leaving = await Promise.all(
    recorded
      .filter((one) => !declared || !isSamePerson(one, declared))
      .map(async (one) => ({ ...one, userId: one.userId ?? (await findUserId(context, one.user)) })),
  );
  // As the caller has read it: the next read may be another list, without the person.
  const declaredTeammate = declared?.userId === undefined ? undefined : team.list.people.cached(declared.userId);
  const people = new Map((await findLeaving(context, teamId, leaving)).map((one) => [one.userId, one]));
  if (declaredTeammate) people.set(declaredTeammate.userId, declaredTeammate);
  const absent = recorded.filter(({ isAbsent }) => isAbsent);
  const { plan } = await planTeam(context, {
    definition: { review: { access: assignmentsInTeam } },
    team,
    people: [...people.values()],
    ids: idsByUser(declared ? [declared] : []),
    absent: new Set(absent.flatMap(({ userId }) => userId ?? [])),
    members: declared ? await readDeclared(context, [{ place: teamPlace(context, team), name: declared.user }]) : [],
    declared: declared && { teamId, members: { [declared.user]: declared.role } },
    recorded: {
      teamId,
      members: Object.fromEntries(recorded.map(({ user, role }) => [user, role ?? unknown])),
      pending: leaving.filter(({ userId }) => userId === undefined).map(({ user }) => user),
      absent: absent.map(({ user }) => userKey(user)),
      userIds: Object.fromEntries(idsByUser(declared ? [...leaving, declared] : leaving)),
    },
  });
  refuseUnreviewed(context, plan);
  return plan;
}

function idsByUser(memberships: readonly Membership[]): Map<string, string> {
  const ids = new Map<string, string>();
  for (const { user, userId } of memberships) if (userId !== undefined) ids.set(userKey(user), userId);
  return ids;
}

/** The live entries of the people who leave. If one of them is pending, everybody in the team: anyone may have the e-mail. */
async function findLeaving(context: Context, teamId: string, leaving: readonly Membership[]) {
  const { list } = teamOf(context, teamId);
  const maxAge = maxAgeBeforeRemoval(context);
  const ids = leaving.flatMap(({ userId }) => userId ?? []);
  if (ids.length < leaving.length) return (await list.findAll(ids, maxAge)) ?? [];
  const people = await Promise.all(ids.map((userId) => list.find(userId, maxAge)));
  return people.filter((one) => one !== undefined);
}

/**
 * The id of a declared user; `undefined` for an e-mail that no member has. A list may omit the recorded person, so that person
 * is read alone before the e-mail counts as pending.
 */
export async function findUserId(context: Context, user: string, recorded?: string): Promise<string | undefined> {
  if (!isEmail(user)) return user;
  const members = membersOf(context);
  const member = await members.read(userKey(user));
  if (member || recorded === undefined) return member?.user.id;
  const email = (await members.find(recorded))?.user.email;
  return email !== undefined && sameUser(email, user) ? recorded : undefined;
}
