import { enumerated } from "../../access/bulk";
import type { Guard } from "./guard";

/** Teams that leave the file, or whose single members do: what a deletion does was declared before, so the file cannot allow it. */
export const ownerlessTeams: Guard = {
  findViolations({ organization, teamProjection }) {
    const single = teamProjection.teamsLosingLastOwner().map(({ id, team, owners }) => ({
      path: organization.teams?.[id] ? ["teams", id] : ["teams"],
      text: `team ${team} would have no owner: ${enumerated(owners)} would go; make somebody else an owner of the team first`,
    }));
    const whole = teamProjection.removedTeamsLosingLastOwner().map(({ team, owners }) => ({
      path: ["teams"],
      text: `team ${team} is not in the file any more, which takes out everybody whom it declared, and ${enumerated(owners)} would be the last owner to go; put it back with onDestroy: leave, run pulumi up and then take it out, which changes nothing for anybody, or with allowNoOwner: true, which removes them all`,
    }));
    return [...whole, ...single];
  },
};
