import { teamsToRead } from "../live/guarded-teams";
import type { Guard } from "./guard";

/** Refuses ids of teams that do not exist. */
export const unknownTeams: Guard = {
  findViolations({ organization, live, recorded, now }) {
    const known = new Set(live.teams.map(({ id }) => id));
    return teamsToRead(organization, recorded, now)
      .filter((id) => !known.has(id))
      .map((id) => ({
        path: ["teams", id],
        text: `organization ${organization.organization} has no team "${id}"; use the id of a team, which is in its address in the app`,
      }));
  },
};
