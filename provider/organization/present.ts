import type { Teammate } from "../access/teammate";
import { isGain, isLoss } from "../access-plan/access-plan";
import { isEmail, userKey } from "../people/user";
import type { Present, PresentPerson } from "../review/model/notes";
import { type PlannedChange, placeIn } from "./guards/change";
import type { Line } from "./guards/lines";
import { isShown } from "./guards/people";
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
    people: [
      ...change.lines.flatMap((line) => (line.team === undefined ? presentPerson(line) : [])),
      ...newNames(change),
    ],
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

/** People that the file names by an e-mail that no state has for them: a preview does not know who they are. */
function newNames({ lines, access, organization }: PlannedChange): PresentPerson[] {
  const links = access.input.managers.flatMap(({ recorded }) => Object.entries(recorded?.userIds ?? {}));
  const known = new Set(links.map(([email, userId]) => `${email} ${userId}`));
  const named = lines.filter(({ user, person }) => isEmail(user) && person.userId !== undefined);
  const found = new Map(named.map(({ user, person }) => [`${userKey(user)} ${person.id}`, { user, person }]));
  return [...found].flatMap(([key, { user, person }]) =>
    known.has(key) ? [] : [{ user, userId: person.id, role: access.levelBefore(placeIn(organization), person.id) }],
  );
}

/** Live members of teams who become managed with this change: those who are declared, and those who would be removed. */
function newlyManagedTeams(change: PlannedChange): Record<string, PresentPerson[]> {
  const { organization, live, access, lines } = change;
  const names = new Map(lines.map(({ team, person, user }) => [`${team} ${person.id}`, user]));
  const isNew = newTeams(change);
  return Object.fromEntries(
    live.teams.flatMap(({ id, people }): [string, PresentPerson[]][] => {
      const some = people.filter(({ userId }) => {
        const planned = access.of(placeIn(organization, id), { id: userId });
        if (!planned) return false;
        // No state has a person that the team ignored, or one in a team that nobody manages.
        if (planned.from.length === 0 && (planned.to.length > 0 || planned.cause === "left")) return true;
        return isNew(id) && (planned.to.length > 0 || (isLoss(planned) && !isShown(planned)));
      });
      const nameIn = ({ userId, email }: Teammate) => names.get(`${id} ${userId}`) ?? email ?? userId;
      const present = some.map((one) => ({ user: nameIn(one), userId: one.userId, role: one.role }));
      return isNew(id) || present.length > 0 ? [[id, present]] : [];
    }),
  );
}

/** Whether resources begin to manage people in a team, of which no state shows everybody. */
function newTeams({ access: { input }, lines }: PlannedChange): (id: string) => boolean {
  const whole = input.managers.filter(({ area }) => area);
  const known = new Set(whole.flatMap(({ area, recorded }) => (recorded && area?.team) ?? []));
  const begun = [
    ...whole.map(({ area }) => area?.team),
    ...lines.flatMap(({ team, planned }) => (planned && !isShown(planned) ? [team] : [])),
  ];
  const all = new Set(begun);
  return (id) => all.has(id) && !known.has(id);
}
