import { enumerated } from "../../access/bulk";
import type { Guard } from "./guard";

/** Teams that lose their last owner because the file no longer has the team or a membership. The recorded options decide, so new ones in the file cannot allow it. */
export const ownerlessTeams: Guard = {
  findViolations({ organization, teamProjection }) {
    const single = teamProjection.teamsLosingLastOwner().map(({ id, team, owners }) => ({
      path: organization.teams?.[id] ? ["teams", id] : ["teams"],
      text: `the change would remove the last owner of team ${team}: ${enumerated(owners)}; make another person an owner of the team first`,
    }));
    const whole = teamProjection.removedTeamsLosingLastOwner().map(({ team, owners }) => ({
      path: ["teams"],
      text: `removing team ${team} from the file would remove its last owner (${enumerated(owners)}); to keep its members, restore it with onDestroy: leave, run pulumi up, then remove it; to remove everyone, do the same with allowNoOwner: true`,
    }));
    return [...whole, ...single];
  },
};
