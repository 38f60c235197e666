import { nearest } from "../../text/mistakes";
import { teamsToRead } from "../live/guarded-teams";
import type { Guard } from "./guard";

/** Refuses ids of teams that do not exist. */
export const unknownTeams: Guard = {
  findViolations({ organization, live, recorded, now }) {
    const known = new Set(live.teams.map(({ id }) => id));
    return teamsToRead(organization, recorded, now)
      .filter((id) => !known.has(id))
      .map((id) => {
        const guess = nearest(id, [...known]);
        const remedy = guess ? `did you mean "${guess}"?` : "use the id of a team, which is in its address in the app";
        return {
          path: ["teams", id],
          text: `organization ${organization.organization} has no team "${id}"; ${remedy}`,
        };
      });
  },
};
