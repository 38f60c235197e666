import { enumerated } from "../../access/bulk";
import type { AccessChange } from "../../access-plan/change";
import type { AccessFinding } from "../../access-plan/findings";
import { teamGrant } from "../sections/grants";
import type { PlannedChange, Violation } from "./change";
import type { Guard } from "./guard";
import { nameOf, personNamed, titlesIn } from "./people";

/** Refuses a change after which a team has no owner. Of a team or a membership that the file no longer has, the recorded options decide. */
export const ownerlessTeams: Guard = {
  findViolations: (change) =>
    change.findings.flatMap((finding) => (finding.kind === "no owner" ? describeLoss(change, finding) : [])),
};

type Ownerless = AccessFinding & { readonly kind: "no owner" };

function describeLoss(change: PlannedChange, finding: Ownerless): Violation[] {
  const { place, losing, isAllowed } = finding;
  const { team: id = "" } = place;
  const declared = change.organization.teams?.[id];
  const title = titlesIn(change)(id);
  const owners = enumerated(losing.map(({ person }) => nameOf(person)));
  const isSingle = losing.some(isOfOnePerson);
  if (declared?.members && !isSingle) {
    if (mayLoseOwners(change, id)) return [];
    const text = `would lose its last owner: ${owners}; declare another owner, or allowNoOwner: true`;
    return [{ path: ["teams", id, "members"], text }];
  }
  if (isAllowed) return [];
  if (declared?.members) {
    const text = `the change would remove the last owner of team ${title}, who was in memberships: ${owners}; declare the owner in members, run pulumi up, then remove the line`;
    return [{ path: ["teams", id, "members"], text }];
  }
  const text = isSingle
    ? `the change would remove the last owner of team ${title}: ${owners}; make another person an owner of the team first`
    : `removing team ${title} from the file would remove its last owner (${owners}); to keep its members, restore it with onDestroy: leave, run pulumi up, then remove it; to remove everyone, do the same with allowNoOwner: true`;
  return [{ path: declared && isSingle ? ["teams", id] : ["teams"], text }];
}

/** Whether a `TeamMembership` takes the role. It does not know what the team allows or ignores. */
const isOfOnePerson = ({ cause, by, from }: AccessChange): boolean =>
  (cause === "left" ? from : [by]).some(({ area }) => area === undefined);

/** Whether the file allows the team to lose its owners. The end of a grant takes the last one like any other. */
function mayLoseOwners(change: PlannedChange, id: string): boolean {
  const { members = {}, allowNoOwner } = change.organization.teams?.[id] ?? {};
  const granted = Object.keys(members).filter((user) => teamGrant(members[user] ?? "member").role === "owner");
  const ids = new Set(granted.map((user) => personNamed(change, user, id).id));
  const owners = change.live.teams.find((team) => team.id === id)?.people.filter(({ role }) => role === "owner") ?? [];
  return allowNoOwner === true || owners.every(({ userId }) => ids.has(userId));
}
