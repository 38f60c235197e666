import { userKey } from "../people/user";
import type { Present } from "../review/model/notes";
import type { ProjectedChange } from "./guards/change";
import { listUnknownEmails } from "./warnings";

/**
 * The live access of people who become managed with this change, and the people who gain access that they cannot use yet. A
 * preview of a new resource shows only the declared access, so a review needs this. Empty if there are none: a preview without
 * a change must not change the notes.
 */
export function listPresentAccess(change: ProjectedChange): { present?: Present } {
  const { roleProjection, teamProjection } = change;
  const disabled = [...new Set([...roleProjection.disabledGainers(), ...teamProjection.disabledGainers()])];
  const pending = listUnknownEmails(change).map(({ user }) => userKey(user));
  const present = {
    people: roleProjection.newlyManagedPeople(),
    teams: teamProjection.newlyManagedTeams(),
    ...(disabled.length > 0 && { disabled }),
    ...(pending.length > 0 && { pending }),
  };
  const none = [...present.people, ...Object.keys(present.teams), ...disabled, ...pending].length === 0;
  return none ? {} : { present };
}
