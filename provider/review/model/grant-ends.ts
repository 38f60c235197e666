import { nothing, type Place, rankOfLevel } from "../../access-plan/place";
import { userKey } from "../../people/user";
import type { Access } from "./access";
import type { Note, Noted, Notes } from "./notes";
import type { PersonReview } from "./person-review";
import type { Preview } from "./preview";

/** A grant that exists before and after, and whose end or release changes. */
export interface GrantEnd {
  /** Id, name and keys of the person. */
  readonly id: string;
  readonly name: string;
  readonly keys: readonly string[];
  readonly place: Place;
  readonly before: Note;
  readonly after: Note;
  /** The person gains nothing today, but keeps access longer, or gets more afterwards. */
  readonly longer: boolean;
  /** The level of the person after the change, if the preview shows it. */
  readonly level?: string;
}

/** The grants whose end or release changes. A grant that begins or is released is listed with that change instead. */
export function grantEndsOf(
  people: readonly PersonReview[],
  now: Notes,
  before: Notes,
  { refreshed }: Pick<Preview, "refreshed">,
): GrantEnd[] {
  const byKey = new Map(people.flatMap((person) => person.keys.map((key) => [key, person] as const)));
  const subjects = new Map<string, GrantSubject>();
  for (const [side, notes] of [["before", before.all] as const, ["after", now.all] as const]) {
    for (const noted of notes) {
      const person = byKey.get(userKey(noted.user));
      const { team, organization } = noted;
      const key = JSON.stringify([organization, team, person?.id ?? userKey(noted.user)]);
      const subject = subjects.get(key) ?? { person, noted };
      subjects.set(key, { ...subject, [side]: noted });
    }
  }
  // In a refreshed preview, a grant that is neither declared nor live has ended as announced.
  const seen = ({ person, noted, after }: GrantSubject) =>
    after !== undefined || !refreshed || person?.access.some(({ place }) => isAt(place, noted));
  return [...subjects.values()].filter(seen).flatMap((subject) => endOf(subject) ?? []);
}

interface GrantSubject {
  readonly person: PersonReview | undefined;
  readonly noted: Noted;
  readonly before?: Note;
  readonly after?: Note;
}

function endOf({ person, noted, before = noNote, after = noNote }: GrantSubject): GrantEnd | undefined {
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

/** Whether the grant is followed by more access than the person has until then. */
function risesAt({ expires, then }: Note, access: Access | undefined): boolean {
  const level = levelAfter(then);
  return expires !== undefined && access !== undefined && level !== undefined && level > rankOfLevel(access.after);
}

const isAt = ({ kind, team, organization }: Place, noted: Noted): boolean =>
  kind !== "sso" && team === noted.team && [organization, ""].includes(noted.organization);

/** Whether the grant lasts longer or gives more afterwards. Days as text compare in their order. */
function isLonger(before: Note, after: Note, access: Access | undefined): boolean {
  if (before.expires === undefined) return false;
  // If the person already has what follows, removing the end changes nothing.
  if (after.expires === undefined) return access?.after !== before.then;
  if (after.expires > before.expires) return true;
  if (before.then === after.then) return false;
  const [was, is] = [levelAfter(before.then), levelAfter(after.then)];
  return was === undefined || is === undefined || is > was;
}

/** The level after the end of a grant; `undefined` for the previous role, which is not known here. */
const levelAfter = (then = "remove"): number | undefined =>
  then === "previous" ? undefined : rankOfLevel(then === "remove" ? nothing : then);

/** The end of a grant as a text for comparisons. */
export function endText({ expires, then }: Note): string {
  return expires === undefined ? "without an end" : `until ${expires}, then ${then ?? nothing}`;
}
