import { userKey } from "../../access/user";
import type { Access } from "./access";
import { nothing } from "./holdings";
import type { Note, Noted, Notes } from "./notes";
import type { PersonReview } from "./person-review";
import type { Place } from "./place";
import type { Preview } from "./preview";
import { rank } from "./release";

/** A grant that is there before and after, and whose end or release changes. */
export interface GrantEnd {
  /** Id, name and keys of the person. */
  readonly id: string;
  readonly name: string;
  readonly keys: readonly string[];
  readonly place: Place;
  readonly before: Note;
  readonly after: Note;
  /** Nobody gains anything today, but keeps it for longer, or gets more afterwards. */
  readonly longer: boolean;
  /** What the person has in the place from now on, where the preview tells. */
  readonly level?: string;
}

/** The grants whose end or release changes; what begins or is given up with the change is told with that. */
export function grantEndsOf(
  people: readonly PersonReview[],
  now: Notes,
  before: Notes,
  { refreshed }: Pick<Preview, "refreshed">,
): GrantEnd[] {
  const byKey = new Map(people.flatMap((person) => person.keys.map((key) => [key, person] as const)));
  const spots = new Map<string, Spot>();
  for (const [side, notes] of [["before", before.all] as const, ["after", now.all] as const]) {
    for (const noted of notes) {
      const person = byKey.get(userKey(noted.user));
      const { team, organization } = noted;
      const key = JSON.stringify([organization, team, person?.id ?? userKey(noted.user)]);
      const spot = spots.get(key) ?? { person, noted };
      spots.set(key, { ...spot, [side]: noted });
    }
  }
  // Where everything is seen, whom nobody declares and nobody has is gone, as was said of the end.
  const seen = ({ person, noted, after }: Spot) =>
    after !== undefined || !refreshed || person?.access.some(({ place }) => isAt(place, noted));
  return [...spots.values()].filter(seen).flatMap((spot) => endOf(spot) ?? []);
}

interface Spot {
  readonly person: PersonReview | undefined;
  readonly noted: Noted;
  readonly before?: Note;
  readonly after?: Note;
}

function endOf({ person, noted, before = noNote, after = noNote }: Spot): GrantEnd | undefined {
  if (before.expires === after.expires && before.then === after.then) return undefined;
  const { user, team, organization } = noted;
  const access = person?.access.find(({ place }) => isAt(place, noted));
  if (access && (access.after === nothing || access.released)) return undefined;
  const begins = before.expires === undefined && access !== undefined && access.effect !== "none";
  const rises = risesAt(after, access);
  if (begins && !rises) return undefined;
  const kind = team === undefined ? "role" : "team";
  const place = access?.place ?? { kind, organization, ...(team !== undefined && { team }) };
  return {
    id: person?.id ?? userKey(user),
    name: person?.name ?? user,
    keys: person?.keys ?? [userKey(user)],
    place,
    before,
    after,
    longer: rises || isLonger(before, after, access),
    ...(access && { level: access.after }),
  };
}

const noNote: Note = {};

/** What follows is more than what somebody has until then. */
function risesAt({ expires, then }: Note, access: Access | undefined): boolean {
  const level = levelAfter(then);
  return expires !== undefined && access !== undefined && level !== undefined && level > rank(access.after);
}

const isAt = ({ kind, team, organization }: Place, noted: Noted): boolean =>
  kind !== "sso" && team === noted.team && [organization, ""].includes(noted.organization);

/** Days as text are in their order. */
function isLonger(before: Note, after: Note, access: Access | undefined): boolean {
  if (before.expires === undefined) return false;
  // What follows has come already.
  if (after.expires === undefined) return access?.after !== before.then;
  if (after.expires > before.expires) return true;
  if (before.then === after.then) return false;
  const [was, is] = [levelAfter(before.then), levelAfter(after.then)];
  return was === undefined || is === undefined || is > was;
}

/** How much somebody has when the grant is over; of the role from before, nobody can tell. */
const levelAfter = (then = "remove"): number | undefined =>
  then === "previous" ? undefined : rank(then === "remove" ? nothing : then);

/** Until when somebody has something, for a comparison. */
export function endText({ expires, then }: Note): string {
  return expires === undefined ? "without an end" : `until ${expires}, then ${then ?? nothing}`;
}
