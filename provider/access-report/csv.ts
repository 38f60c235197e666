import { visible } from "../text/visible";
import { type AccessList, type PersonAccess, placesOf } from "./report";

type Row = Readonly<Record<string, string | boolean | undefined>>;

/** A row for each person in each place, so that a spreadsheet can filter and count them. */
export function csvOf({ people }: AccessList): string {
  const rows = people.flatMap(rowsOf);
  const names = [...new Set(rows.flatMap(Object.keys))];
  return [names, ...rows.map((row) => names.map((name) => row[name]))]
    .map((cells) => `${cells.map((cell) => cellOf(String(cell ?? ""))).join(",")}\r\n`)
    .join("");
}

function rowsOf(person: PersonAccess): Row[] {
  const { userId, name, state, sso, joinedAt, lastSeenAt, spaces = [] } = person;
  const places = placesOf(person).map(({ team, level, declared, since }) => {
    const place = { place: team ? "team" : "organization", placeId: team?.id, placeTitle: team?.title, level };
    const { reason, from, expires, then } = declared ?? {};
    const terms = { declaredLevel: declared?.level, declaredAt: declared?.at, reason, from, expires, then };
    return { ...place, ...terms, since: since?.since };
  });
  const inSpaces = spaces.map(({ id, title, permission }) => {
    return { place: "space", placeId: id, placeTitle: title, level: permission };
  });
  return [...places, ...inSpaces].map((place) => ({ userId, name, state, ...place, sso, joinedAt, lastSeenAt }));
}

/** A spreadsheet would compute what begins like a formula: an apostrophe makes it a text. */
function cellOf(value: string): string {
  const shown = visible(value, 10_000);
  return `"${(/^[=+\-@]/.test(shown) ? `'${shown}` : shown).replaceAll('"', '""')}"`;
}
