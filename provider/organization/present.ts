import type { Present } from "../review/model/notes";
import type { ProjectedChange } from "./guards/change";

/**
 * The live access of people who become managed with this change. A preview of a new resource shows only the declared access,
 * so a review needs this for the comparison. Empty if nobody becomes managed.
 */
export function listPresentAccess({
  roleProjection,
  teamProjection,
}: Pick<ProjectedChange, "roleProjection" | "teamProjection">): { present?: Present } {
  const present = { people: roleProjection.newlyManagedPeople(), teams: teamProjection.newlyManagedTeams() };
  const none = present.people.length === 0 && Object.keys(present.teams).length === 0;
  return none ? {} : { present };
}
