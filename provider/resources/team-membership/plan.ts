import { type OrganizationGiver, textIn, userIn } from "../../access/assignments";
import { freshEnough, membersOf, refuseTwoPeople } from "../../access/members";
import { refuseUnreviewed } from "../../access/refuse-unreviewed";
import { teamOf } from "../../access/team";
import { nameOfTeammate, type Teammate } from "../../access/teammate";
import { type AccessPlan, isChange } from "../../access-plan/access-plan";
import type { LivePerson, RecordedAssignment } from "../../access-plan/input";
import { type Place, unknown } from "../../access-plan/place";
import type { TeamRole } from "../../api/groups/shared";
import { DocsError } from "../../api/http/errors";
import { isEmail, sameUser, userKey } from "../../people/user";
import type { Context } from "../../run/context";
import { type Properties, propertiesIn } from "../../run/properties";
import { isManagedElsewhere, livePersonOf, ownManager, planBesideOthers } from "../shared/own-plan";

/** What a change or a deletion of `TeamMembership` plans. */

/** What `TeamMembership` manages. */
export const managed = { review: { access: { assignments } } };

function assignments(
  { teamId, user, userId, role, pending, releasing }: Properties,
  giver: OrganizationGiver,
): RecordedAssignment[] {
  const place = { kind: "team", team: textIn(teamId), organization: giver.organization } as const;
  const former = propertiesIn(releasing);
  const unreleased: RecordedAssignment[] =
    typeof former.user === "string" ? [formerAssignment(place, former, giver)] : [];
  // After a failed change of the user, the state does not say whether the new person is in the team.
  const level = role === undefined && unreleased.length > 0 ? unknown : textIn(role ?? "member");
  return [{ place, user: userIn(giver, user, userId), level, isPending: pending === true }, ...unreleased];
}

function formerAssignment(
  place: RecordedAssignment["place"],
  { user, userId, role }: Properties,
  giver: OrganizationGiver,
): RecordedAssignment {
  const level = role === undefined ? unknown : textIn(role);
  return { place, user: userIn(giver, user, userId), level, isPending: userId === null };
}

interface Membership {
  readonly user: string;
  /** `undefined` for an e-mail that no member has. */
  readonly userId: string | undefined;
  readonly role: TeamRole | undefined;
}

/** A person who was managed so far, by the recorded name and id. */
interface Former {
  readonly user: string;
  readonly userId?: string | null | undefined;
}

interface Start {
  readonly teamId: string;
  readonly recorded: Membership & { readonly releasing?: Former | undefined };
  /** The declared role, and the live one; absent if the resource is deleted. */
  readonly declared?: Membership & { readonly live: TeamRole | undefined };
  /** The people to release. */
  readonly former: readonly Former[];
}

/** Plans the place of the declared person, and those of the people who were managed so far. */
export async function planMembership(context: Context, start: Start) {
  const { teamId, declared } = start;
  const former = await Promise.all(start.former.map((one) => readFormer(context, teamId, one)));
  const place = { kind: "team", team: teamId, organization: context.organizationId } as const;
  const levels = new Map(former.flatMap(({ teammate }) => (teammate ? [[teammate.userId, teammate.role]] : [])));
  if (declared?.userId !== undefined && declared.live) levels.set(declared.userId, declared.live);
  const plan = await planBesideOthers(context, {
    people: [...former.flatMap(personOf), ...namedPerson(declared)],
    arePeopleComplete: false,
    // Everybody that the resource names was looked up.
    places: [{ place, levels, isComplete: true }],
    managers: [ownManager(managed, context, propertiesOf(start))],
    isEverybodyShown: false,
  });
  refuseHidden(plan, teamId, former);
  await refuseTwoPeople(
    context,
    former.flatMap((one) => changedPeople(plan, place, one)),
  );
  refuseUnreviewed(context, plan.changes);
  const release = async (one: Former) => {
    const known = former.find(({ recorded }) => recorded === one);
    if (known) await carryOutRelease(context, plan, place, known);
  };
  const change = declared && plan.changed(place, { id: declared.userId ?? userKey(declared.user) });
  return { change, release };
}

/** A former person as the service has it now. */
interface Found {
  readonly recorded: Former;
  /** The user id, or the e-mail that no member has. */
  readonly id: string;
  readonly userId: string | undefined;
  /** Absent if the person is not in the team. */
  readonly teammate: Teammate | undefined;
}

/** Looks up a person, who may have been pending and may have joined since. */
async function readFormer(context: Context, teamId: string, recorded: Former): Promise<Found> {
  const { user } = recorded;
  const userId = recorded.userId ?? (await userIdOf(context, user));
  const { list } = teamOf(context, teamId);
  const maxAge = context.run.runsProgram() ? freshEnough : undefined;
  const teammate = userId === undefined ? undefined : await list.find(userId, maxAge);
  return { recorded, id: userId ?? userKey(user), userId, teammate };
}

/** The declared person, who is known by the declared name as well. */
const namedPerson = ({ user, userId }: Partial<Membership> = {}): LivePerson[] =>
  userId === undefined ? [] : [{ userId, names: [user ?? userId], isEmailUnknown: true }];

function personOf({ recorded, userId, teammate }: Found): LivePerson[] {
  // The state does not have the id of a person who was pending.
  const joined = recorded.userId || userId === undefined ? undefined : { userId, email: recorded.user };
  const known = teammate && livePersonOf(teammate);
  return joined || known ? [{ ...known, ...(joined ?? known) } as LivePerson] : [];
}

const propertiesOf = ({ teamId, declared, recorded: { releasing, ...recorded } }: Start) => ({
  declared: declared && { teamId, ...declared },
  recorded: {
    teamId,
    ...recorded,
    role: recorded.role ?? unknown,
    pending: recorded.userId === undefined,
    releasing,
  },
});

const changedPeople = (plan: AccessPlan, place: Place, { recorded: { user }, id, teammate }: Found) =>
  teammate && plan.changed(place, { id }) ? [{ name: user, userId: id, email: teammate.email }] : [];

/** Removes a person from the team, by id, or by e-mail if the membership is pending. */
async function carryOutRelease(context: Context, plan: AccessPlan, place: Place, { id, userId }: Found): Promise<void> {
  const team = teamOf(context, String(place.team));
  const change = plan.of(place, { id });
  if (change && isManagedElsewhere(change)) {
    return context.run.tell(`${id} stays in team ${team.teamId}: another resource of this run manages this person`);
  }
  if (change && isChange(change)) await (userId === undefined ? team.withdrawPending(id) : team.remove(userId));
}

/** Refuses a change to an e-mail that no member has, if the previous person hides the e-mail and so may be the owner of it. */
function refuseHidden({ subjects }: AccessPlan, teamId: string, former: readonly Found[]): void {
  const { person, mayBe } = subjects.find((one) => one.mayBe !== undefined) ?? {};
  const teammate = former.find(({ id }) => id === person?.id)?.teammate;
  if (!teammate || !mayBe) return;
  throw new DocsError(
    `team ${teamId}: ${nameOfTeammate(teammate)} hides the e-mail, so ${mayBe.join(", ")} may be the same person; name the user by id`,
  );
}

/**
 * The id of a declared user; `undefined` for an e-mail that no member has. A list may omit the recorded person, so that person
 * is read alone before the e-mail counts as pending.
 */
export async function userIdOf(context: Context, user: string, recorded?: string): Promise<string | undefined> {
  if (!isEmail(user)) return user;
  const members = membersOf(context);
  const found = await members.read(userKey(user));
  if (found || recorded === undefined) return found?.user.id;
  const email = (await members.find(recorded))?.user.email;
  return email !== undefined && sameUser(email, user) ? recorded : undefined;
}
