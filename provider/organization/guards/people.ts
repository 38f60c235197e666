import { isLoss } from "../../access-plan/access-plan";
import type { AccessChange } from "../../access-plan/change";
import type { Identity } from "../../access-plan/identities";
import type { Manager } from "../../access-plan/input";
import { nothing, type Place } from "../../access-plan/place";
import { repeatedIn } from "../../people/user";
import { visible } from "../../text/visible";
import type { OrganizationFile } from "../file/types";
import { childName } from "../sections";
import { declaredTeammates } from "../sections/grants";
import { membershipKey } from "../sections/teams";
import { managerId, type PlannedChange, placeIn } from "./change";

/** The people of a planned change, as guards and warnings name them. */

/** The e-mail of a person, or the id if the e-mail is hidden, safe for a terminal. */
export const nameOfPerson = ({ id, live }: Identity): string => visible(live?.email ?? id);

/** The titles of teams by id, with the id if another team has the same title. */
export function titlesIn({ live: { teams } }: PlannedChange): (id: string | undefined) => string {
  const titles = new Map(teams.map(({ id, title = id }) => [id, title]));
  const repeated = repeatedIn([...titles.values()]);
  return (id = "") => {
    const title = titles.get(id) ?? id;
    return repeated.has(title) ? `${visible(title)} (${id})` : visible(title);
  };
}

/** The person that the file means by a name in `members` or in the team, even if the grant there has ended. */
export function personNamed(change: PlannedChange, user: string, team?: string): Identity {
  const { organization, access, managers } = change;
  const manager = managers.get(idOfManager(change, user, team)) ?? {};
  return access.identities.find(manager, placeIn(organization, team), user);
}

type Naming = Pick<PlannedChange, "name" | "organization">;

/** The id of the manager of the person that the file names in `members` or in the team. */
export function idOfManager({ name, organization }: Naming, user: string, team?: string): string {
  if (team === undefined) return managerId("MemberRoles", childName(name, "members"));
  return declaredTeammates(organization.teams?.[team] ?? {}).property === "members"
    ? managerId("TeamMembers", childName(name, team))
    : managerId("TeamMembership", childName(name, membershipKey(team, user)));
}

export const managedPlace = ({ area, declared, recorded }: Manager, organization: OrganizationFile): Place =>
  area ?? (declared ?? recorded)?.assignments[0]?.place ?? placeIn(organization);

export interface Loss {
  readonly person: string;
  readonly what: string;
}

/** The losses among these parts of the plan, of roles first. People who leave the organization are not listed with their teams. */
export function lossesIn(change: PlannedChange, planned: readonly AccessChange[]): Loss[] {
  const losses = (kind: string) => planned.filter((one) => one.place.kind === kind && one.cause !== "left");
  const titleOf = titlesIn(change);
  return [...losses("role"), ...losses("team")]
    .filter(isLoss)
    .map((one) => ({ person: nameOfPerson(one.person), what: describeLoss(one, titleOf) }));
}

function describeLoss({ place, before, after }: AccessChange, titleOf: ReturnType<typeof titlesIn>): string {
  if (place.kind === "role")
    return after === nothing ? "is removed from the organization" : `${before} becomes ${after}`;
  return `${after === nothing ? "leaves" : "no longer owns"} team ${titleOf(place.team)}`;
}

/**
 * Whether no state has what the person had before, so that a preview of the resources does not show it. The state of a team that
 * is managed already has its undeclared people after a refresh.
 */
export function isInNoState({ recordedBy, cause, by, place }: AccessChange): boolean {
  const isShownByRefresh = cause === "undeclared" && by.recorded && place.kind === "team";
  return recordedBy.length === 0 && !isShownByRefresh;
}
