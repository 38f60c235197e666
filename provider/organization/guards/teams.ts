import { listNames } from "../../access/carry-out";
import type { AccessChange } from "../../access-plan/change";
import type { AccessFinding } from "../../access-plan/findings";
import { phaseOf } from "../../access-plan/grants";
import type { Identity } from "../../access-plan/identities";
import { nearest } from "../../text/mistakes";
import { refusalOfOthers } from "../../text/shared-sentences";
import { declaredTeammates, teamGrant } from "../sections/grants";
import { type PlannedChange, placeIn, type Violation } from "./change";
import { nameOfPerson, personNamed, titlesIn } from "./people";

export function unknownTeams({ organization, live }: PlannedChange): Violation[] {
  const liveIds = new Set(live.teams.map(({ id }) => id));
  return Object.keys(organization.teams ?? {})
    .filter((id) => !liveIds.has(id))
    .map((id) => {
      const guess = nearest(id, [...liveIds]);
      const remedy = guess ? `did you mean "${guess}"?` : "use the id of a team, which is in its address in the app";
      const text = `organization ${organization.organization} has no team "${id}"; ${remedy}`;
      return { path: ["teams", id], text };
    });
}

/** Refuses undeclared people with `others: refuse`, and in a team that begins to be managed: the up would fail half-way. */
export function unmanagedMembers(change: PlannedChange): Violation[] {
  const { teams = {} } = change.organization;
  return change.findings.flatMap((finding): Violation[] => {
    if (finding.kind !== "undeclared members") return [];
    const { team: id } = finding.manager.area ?? {};
    if (id === undefined) {
      const roleOf = (one: Identity) => change.access.of(placeIn(change.organization), one)?.after ?? "guest";
      const lines = finding.people.map((one) => [nameOfPerson(one), roleOf(one)] as const);
      return [{ path: ["others"], text: refusalOfOthers(lines, "members") }];
    }
    const users = Object.keys(declaredTeammates(teams[id] ?? {}).people);
    // A person with a line who still counts as undeclared has a grant that has ended.
    const named = new Set(users.map((user) => personNamed(change, user, id).id));
    const people = finding.people.map(
      (one) => `${nameOfPerson(one)}${named.has(one.id) ? " (whose grant has ended)" : ""}`,
    );
    const text = `has unmanaged members: ${listNames(people)}; declare them, add them to ignore, or declare exclusive: true to remove them`;
    return [{ path: ["teams", id], text }];
  });
}

/** People in teams who leave the organization because their line in `members` was removed. The end of a grant in `members` has its own guard (`otherSpellings`). */
export function droppedMembers(change: PlannedChange): Violation[] {
  const named = new Set(Object.keys(change.organization.members ?? {}).map((user) => personNamed(change, user).id));
  return change.lines
    .filter(({ person, planned }) => planned?.cause === "left" && !named.has(person.id))
    .map(({ path, user, person }) => {
      const isUndeclared = change.access.of(placeIn(change.organization), person)?.cause === "undeclared";
      const why = isUndeclared ? "has no line in members" : "is no longer in members";
      const how = isUndeclared ? "others: remove" : "onRelease: remove";
      const keep = isUndeclared ? "add one, such as guest" : "keep the one in members";
      const text = `${user} ${why} and would be removed from the organization (${how}); remove this line as well, or ${keep}`;
      return { path, text };
    });
}

/** Refuses a change after which a team has no owner. The recorded options decide about a team or membership that the file no longer has. */
export const ownerlessTeams = (change: PlannedChange): Violation[] =>
  change.findings.flatMap((finding) => (finding.kind === "no owner" ? refuseOwnerLoss(change, finding) : []));

type Ownerless = AccessFinding & { readonly kind: "no owner" };

function refuseOwnerLoss(change: PlannedChange, finding: Ownerless): Violation[] {
  const { place, losing, isAllowed } = finding;
  const { team: id = "" } = place;
  const declared = change.organization.teams?.[id];
  const title = titlesIn(change)(id);
  const owners = listNames(losing.map(({ person }) => nameOfPerson(person)));
  const isTakenByOther = losing.some(isTakenByOtherManager);
  if (declared?.members && !isTakenByOther) {
    if (mayLoseOwners(change, id)) return [];
    const text = `would lose its last owner: ${owners}; declare another owner, or allowNoOwner: true`;
    return [{ path: ["teams", id, "members"], text }];
  }
  if (isAllowed) return [];
  // Nobody has the membership of a person who leaves the organization from a team in which only others are managed.
  const blamesPerson = isTakenByOther || losing.some(({ recordedBy }) => recordedBy.length === 0);
  const text = blamesPerson
    ? `the change would remove the last owner of team ${title}: ${owners}; make another person an owner of the team first`
    : `removing team ${title} from the file would remove its last owner (${owners}); to keep its members, restore it with onRelease: leave, run pulumi up, then remove it; to remove everyone, declare members: {} and allowNoOwner: true instead`;
  return [{ path: declared && blamesPerson ? ["teams", id] : ["teams"], text }];
}

/** Whether a `TeamMembership`, which has no area, or `others` takes the role: neither knows what the team allows or ignores. */
function isTakenByOtherManager({ cause, by, recordedBy, isOther }: AccessChange): boolean {
  // If the person leaves the organization, `by` is the manager of the role.
  const managers = cause === "left" ? recordedBy : [by];
  return isOther === true || managers.some(({ area }) => area === undefined);
}

/** Whether a team that loses its last owner may: the file allows that, or still declares each owner, so only the ends of grants can be the reason. */
function mayLoseOwners(change: PlannedChange, id: string): boolean {
  const { members = {}, allowNoOwner } = change.organization.teams?.[id] ?? {};
  const declaredOwners = new Set<string>();
  for (const [user, declared] of Object.entries(members)) {
    const grant = teamGrant(declared);
    const isOwner = grant.role === "owner" && phaseOf(grant, change.now) !== "to begin";
    if (isOwner) declaredOwners.add(personNamed(change, user, id).id);
  }
  const people = change.live.teams.find((team) => team.id === id)?.people ?? [];
  return allowNoOwner === true || people.every(({ role, userId }) => role !== "owner" || declaredOwners.has(userId));
}
