import { listNames } from "../../access/carry-out";
import { losesRights, RightsLostError, UncheckedError } from "../../access/quorum";
import { refuseUnreviewed } from "../../access/refuse-unreviewed";
import type { Team } from "../../access/team";
import { type Changes, describeChange, type Outcome } from "../../access/team-changes";
import { namesOfTeammates, type Teammate } from "../../access/teammate";
import { DocsError } from "../../api/http/errors";
import type { Context } from "../../run/context";
import { losingOwners, type TeamPlan } from "./plan";

/** Carries out the planned changes of a team. */

/** Carries out the change. If the team has no owner afterwards, because others were lowered meanwhile, restores its owners. */
export async function changeTeam(context: Context, planned: TeamPlan, changes: Changes): Promise<Outcome> {
  const { team, plan } = planned;
  refuseUnreviewed(context, plan);
  const outcome = await team.change(changes);
  const changed = new Set(outcome.done.map(({ user }) => user));
  const former = losingOwners(context, planned).filter(({ userId }) => changed.has(userId));
  if (former.length === 0) return outcome;
  try {
    await team.verifyOwned(former);
    return outcome;
  } catch (failed) {
    if (failed instanceof RightsLostError) return { done: outcome.done, failed: failed.cause };
    if (failed instanceof UncheckedError) return { done: outcome.done, failed };
    const restored = new Set(former.map(({ userId }) => userId));
    return { done: outcome.done.filter(({ user }) => !restored.has(user)), failed };
  }
}

/** Names the changes that were made in a failure that they may have caused. */
export function explainFailure({ teamId }: Team, { done, failed }: Outcome): unknown {
  if (done.length === 0 || !losesRights(failed)) return failed;
  return new RightsLostError(`team ${teamId}: ${listNames(done.map(describeChange), "; ")}`, failed);
}

export function notDeclared(teamId: string, others: readonly Teammate[]): DocsError {
  return new DocsError(
    `team ${teamId} has people who are not declared: ${namesOfTeammates(others)}; declare them, add them to ignore, or set ` +
      "removeExisting to true, which removes them",
  );
}
