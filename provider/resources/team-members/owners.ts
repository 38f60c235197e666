import { membersOf } from "../../access/members";
import type { Team } from "../../access/team";
import type { Changes } from "../../access/team-changes";
import { namesOfTeammates, type Teammate } from "../../access/teammate";
import { DocsError } from "../../api/http/errors";
import { isEmail } from "../../people/user";
import type { Context } from "../../run/context";
import type { Inputs } from "./properties";

/** A team must keep an owner. */

/** A change of a whole team. */
export interface TeamPlan {
  readonly team: Team;
  /** The team as it was read before the change. */
  readonly people: readonly Teammate[];
  readonly changes: Changes;
  readonly declared: Pick<Inputs, "allowNoOwner">;
}

/** How to make the change that `refuseNoOwner` refuses. */
export const wayOut = {
  update: "declare another owner, or allowNoOwner: true",
  delete:
    "to keep its members, restore the resource with onDestroy: leave, run pulumi up, then remove it; to remove everyone, " +
    "restore it with allowNoOwner: true, run pulumi up, then remove it",
};

/** The owners who lose the role. */
export const losingOwners = ({ people, changes: { lowered, removed } }: TeamPlan): Teammate[] => {
  const going = new Set([...lowered, ...removed].map(({ user }) => user));
  return people.filter(({ userId, role }) => role === "owner" && going.has(userId));
};

/** Whether the team must keep an owner. `pulumi destroy` may remove the last one, because administrators remain. */
export const needsOwner = ({ run }: Context, { declared }: Pick<TeamPlan, "declared">): boolean =>
  run.runsProgram() && !declared.allowNoOwner;

export async function refuseNoOwner(context: Context, plan: TeamPlan, way: string): Promise<void> {
  const losing = losingOwners(plan);
  if (losing.length === 0 || !needsOwner(context, plan)) return;
  const { team, people, changes } = plan;
  const stays = people.some((one) => one.role === "owner" && !one.disabled && !losing.includes(one));
  if (stays || (await gainsOwner(context, changes))) return;
  throw new DocsError(noOwner(team.teamId, namesOfTeammates(losing), way));
}

export const noOwner = (teamId: string, owners: string, way: string): string =>
  `team ${teamId} would have no owner: this change removes or lowers ${owners}; ${way}`;

/** Whether a person who can sign in becomes an owner. */
async function gainsOwner(context: Context, { added }: Changes): Promise<boolean> {
  const ids = added.flatMap(({ user, role }) => (role === "owner" && !isEmail(user) ? [user] : []));
  const members = await Promise.all(ids.map((userId) => membersOf(context).read(userId)));
  return members.some((member) => member && !member.disabled);
}
