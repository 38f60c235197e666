import type { Present } from "../review/model/notes";
import type { Outlook } from "./guards/change";

/**
 * What people have so far whom the stack does not manage yet: what a preview shows of new resources is only what they are to
 * get. Left out where there is nobody.
 */
export function presentIn({ standing, rosters }: Pick<Outlook, "standing" | "rosters">): { present?: Present } {
  const present = { people: standing.newcomers(), teams: rosters.newTeams() };
  const none = present.people.length === 0 && Object.keys(present.teams).length === 0;
  return none ? {} : { present };
}
