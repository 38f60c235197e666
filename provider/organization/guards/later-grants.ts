import { phaseOf } from "../../access-plan/grants";
import type { RecordedAssignment } from "../../access-plan/input";
import { keyOfPlace } from "../../access-plan/place";
import { sameUser } from "../../people/user";
import { listGrants, pathOfLine } from "../sections/grants";
import { type PlannedChange, placeIn, type Violation } from "./change";
import { personNamed } from "./people";

/**
 * Refuses a grant that begins later if the stack manages the person in the place already: the record would go, and with it the
 * end of the present grant, the previous role, and in a team the e-mail of a person who keeps the place until the beginning.
 */
export function laterGrants(change: PlannedChange): Violation[] {
  const { organization, access } = change;
  const recorded = access.input.managers.flatMap((manager) => {
    const given = manager.recorded?.assignments.filter(wasGiven) ?? [];
    return given.map(({ place, user }) => {
      return { place: keyOfPlace(place), user, id: access.identities.findRecorded(manager, place, user).id };
    });
  });
  return laterLines(change).flatMap(({ path, user, team, from, person: { id } }): Violation[] => {
    const place = keyOfPlace(placeIn(organization, team));
    const isManaged = recorded.some((one) => one.place === place && (one.id === id || sameUser(one.user, user)));
    if (!isManaged) return [];
    const text = `${user} has a role here by the stack now, whose end and previous role would be forgotten; keep the line as it was until the beginning (${from}), or add this grant after docs-org up has ended the present one`;
    return [{ path, text }];
  });
}

/** Whether a program declared the access and the person has it: a refresh has not merely found it. */
const wasGiven = ({ isFound, isPending }: RecordedAssignment): boolean => !isFound && !isPending;

/** The lines that give nothing yet, with the person that each would mean now. */
export const laterLines = (change: PlannedChange) =>
  listGrants(change.organization)
    .filter((grant) => phaseOf(grant, change.now) === "to begin")
    .map(({ user, team, from }) => ({
      path: pathOfLine(change.organization, team, user),
      user,
      team,
      from,
      person: personNamed(change, user, team),
    }));
