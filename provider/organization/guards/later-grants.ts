import { phaseOf } from "../../access-plan/grants";
import { keyOfPlace } from "../../access-plan/place";
import { sameUser } from "../../people/user";
import { listGrants, pathOfLine } from "../sections/grants";
import { type PlannedChange, placeIn, type Violation } from "./change";
import { personNamed } from "./people";

/**
 * Refuses a grant that begins later if the stack manages the person in the place already: the record would go, and with it the
 * end of the present grant, the previous role, and the e-mail that the team must ignore.
 */
export function laterGrants(change: PlannedChange): Violation[] {
  const { organization, access, now } = change;
  const recorded = access.input.managers.flatMap((manager) =>
    (manager.recorded?.assignments ?? [])
      .filter(({ isFound, isPending }) => !isFound && !isPending)
      .map(({ place, user }) => ({
        place: keyOfPlace(place),
        user,
        id: access.identities.findRecorded(manager, place, user).id,
      })),
  );
  return listGrants(organization).flatMap((grant): Violation[] => {
    const { user, team } = grant;
    if (phaseOf(grant, now) !== "to begin") return [];
    const place = keyOfPlace(placeIn(organization, team));
    const { id } = personNamed(change, user, team);
    const isManaged = recorded.some((one) => one.place === place && (one.id === id || sameUser(one.user, user)));
    if (!isManaged) return [];
    const text = `${user} has a role here by the stack now, whose end and previous role would be forgotten; keep the line as it was until the beginning (${grant.from}), or add this grant after docs-org up has ended the present one`;
    return [{ path: pathOfLine(organization, team, user), text }];
  });
}
