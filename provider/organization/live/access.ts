import type { AccessInput } from "../../access-plan/input";
import { spelledRole } from "../../access-plan/roles";
import type { GuardedLive } from "./live";

/** Who has what in an organization that was read completely, as input of the access plan. */
export function liveAccess(
  organization: string,
  { members, teams }: Pick<GuardedLive, "members" | "teams">,
): Pick<AccessInput, "people" | "arePeopleComplete" | "places"> {
  const roles = members.map(({ user, role }) => [user.id, spelledRole(role)] as const);
  const marks = members.flatMap(({ user, sso }) => (sso ? [[user.id, "sso"] as const] : []));
  const inTeams = teams.map(({ id: team, people }) => {
    const levels = new Map(people.map(({ userId, role }) => [userId, role]));
    return { place: { kind: "team", team, organization } as const, levels, isComplete: true };
  });
  return {
    people: members.map(({ user: { id, email }, disabled }) => ({ userId: id, email, isDisabled: disabled })),
    arePeopleComplete: true,
    places: [
      { place: { kind: "role", organization }, levels: new Map(roles), isComplete: true },
      { place: { kind: "sso", organization }, levels: new Map(marks), isComplete: true },
      ...inTeams,
    ],
  };
}
