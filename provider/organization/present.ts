import type { Present } from "../review/model/notes";
import type { ProjectedChange } from "./guards/change";

/**
 * What people have so far whom the stack does not manage yet: what a preview shows of new resources is only what they are to
 * get. Left out where there is nobody.
 */
export function listPresentAccess({
  roleProjection,
  teamProjection,
}: Pick<ProjectedChange, "roleProjection" | "teamProjection">): { present?: Present } {
  const present = { people: roleProjection.newlyManagedPeople(), teams: teamProjection.newlyManagedTeams() };
  const none = present.people.length === 0 && Object.keys(present.teams).length === 0;
  return none ? {} : { present };
}
