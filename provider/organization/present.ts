import type { Teammate } from "../access/teammate";
import { isGain, isLoss } from "../access-plan/access-plan";
import type { Manager } from "../access-plan/input";
import { userKey } from "../people/user";
import type { Present, PresentPerson } from "../review/model/notes";
import { type PlannedChange, placeIn } from "./guards/change";
import type { Line } from "./guards/lines";
import { isShown, managedPlace } from "./guards/people";
import { listUnknownEmails } from "./warnings";

/**
 * The live access of people who become managed with this change, and the people who gain access that they cannot use yet. A
 * preview of a new resource shows only the declared access, so a review needs this. Empty if there are none: a preview without
 * a change must not change the notes.
 */
export function listPresentAccess(change: PlannedChange): { present?: Present } {
  const gaining = change.access.changes.filter((one) => isGain(one) && one.person.live?.isDisabled);
  const disabled = [...new Set(gaining.map(({ person }) => person.id))];
  const pending = listUnknownEmails(change).map(({ user }) => userKey(user));
  const present = {
    people: change.lines.flatMap((line) => (line.team === undefined ? presentPerson(line) : [])),
    teams: newlyManagedTeams(change),
    ...(disabled.length > 0 && { disabled }),
    ...(pending.length > 0 && { pending }),
  };
  const none = [...present.people, ...Object.keys(present.teams), ...disabled, ...pending].length === 0;
  return none ? {} : { present };
}

function presentPerson({ user, planned }: Line): PresentPerson[] {
  const isNew = planned && !isShown(planned) && planned.state === "active";
  return isNew ? [{ user, userId: planned.person.id, role: planned.before }] : [];
}

/** Live members of teams that become managed with this change: those who are declared, and those who would be removed. */
function newlyManagedTeams(change: PlannedChange): Record<string, PresentPerson[]> {
  const { organization, live, access, lines } = change;
  const names = new Map(lines.map(({ team, person, user }) => [`${team} ${person.id}`, user]));
  const isNew = newTeams(change);
  const teams = live.teams.filter(({ id }) => isNew(id));
  return Object.fromEntries(
    teams.map(({ id, people }): [string, PresentPerson[]] => {
      const some = people.filter(({ userId }) => {
        const planned = access.of(placeIn(organization, id), { id: userId });
        return planned && (planned.to.length > 0 || isLoss(planned));
      });
      const nameIn = ({ userId, email }: Teammate) => names.get(`${id} ${userId}`) ?? email ?? userId;
      return [id, some.map((one) => ({ user: nameIn(one), userId: one.userId, role: one.role }))];
    }),
  );
}

/** Whether a resource begins to manage people in a team, of which no state shows everybody. */
function newTeams({ access: { input }, organization }: PlannedChange): (id: string) => boolean {
  const teamsOf = (managers: readonly Manager[]) =>
    new Set(managers.map((one) => managedPlace(one, organization).team));
  const known = teamsOf(input.managers.filter(({ area, recorded }) => area && recorded));
  const begun = teamsOf(input.managers.filter(({ declared, recorded }) => declared && !recorded));
  return (id) => begun.has(id) && !known.has(id);
}
