import { enumerated } from "../../access/bulk";
import type { Guard } from "./guard";

/** Refuses a file that no longer has a team or a membership, if the team would lose its last owner. The recorded options decide: options that the same change declares cannot allow it. */
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
    const declared = teamProjection.wholeTeamsLosingLastOwner().map(({ id, team, owners }) => ({
      path: ["teams", id, "members"],
      text: `the change would remove the last owner of team ${team}, who was in memberships: ${enumerated(owners)}; declare the owner in members, run pulumi up, then remove the line`,
    }));
    return [...whole, ...single, ...declared];
  },
};
