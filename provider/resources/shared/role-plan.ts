import type { AccessPlan } from "../../access-plan/access-plan";
import type { Manager, RecordedAssignment } from "../../access-plan/input";
import type { Place } from "../../access-plan/place";
import { spelledRole } from "../../access-plan/roles";
import type { Member } from "../../api/groups/members";
import type { Context } from "../../run/context";
import { otherManager, planBesideOthers } from "./own-plan";
import { notedPreviousRole, type Person } from "./role";

/** A person whose role the resource has managed so far, by the recorded name. */
export type NamedPerson = readonly [name: string, person: Person];

export const rolePlace = ({ organizationId }: Context): Place => ({ kind: "role", organization: organizationId });
export const markPlace = ({ organizationId }: Context): Place => ({ kind: "sso", organization: organizationId });

/** Plans the roles of the declared people, and of the people who were managed so far. */
export function planRoles(
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
    managers: [own, otherManager([], notedRoles(context, leaving))],
    isEverybodyShown: false,
  });
}

/** The previous roles of these people that other resources of the run have recorded. */
const notedRoles = (context: Context, members: readonly Member[]): RecordedAssignment[] =>
  members.flatMap(({ user, role }) => {
    const noted = notedPreviousRole(context, user.id);
    const assignment = { place: rolePlace(context), user: user.id, level: spelledRole(role) };
    return noted === undefined ? [] : [{ ...assignment, previous: spelledRole(noted) }];
  });
