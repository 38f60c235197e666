import { visible } from "../text/visible";
import { type AccessList, type PersonAccess, type PlaceAccess, placesOf } from "./report";

const names = [
  ...["user_id", "name", "state", "place", "place_id", "place_title", "level", "declared_level", "declared_at"],
  ...["reason", "expires", "then", "since", "single_sign_on", "joined", "last_seen"],
];

/** A row for each person in each place, so that a spreadsheet can filter and count them. */
export const csvOf = ({ people }: AccessList): string =>
  [names, ...people.flatMap(rowsOf)].map((cells) => `${cells.map(cellOf).join(",")}\r\n`).join("");

function rowsOf(person: PersonAccess): (string | undefined)[][] {
  const { userId, name, state, sso, joinedAt, lastSeenAt, spaces = [] } = person;
  const rowOf = (...place: (string | undefined)[]) => {
    const rest = [sso === undefined ? "" : String(sso), joinedAt, lastSeenAt];
    return [userId, name, state, ...place, ...rest];
  };
  const empty = Array.from({ length: 6 }, () => "");
  return [
    ...placesOf(person).map((place) => rowOf(...cellsOf(place))),
    ...spaces.map(({ id, title, permission }) => rowOf("space", id, title, permission, ...empty)),
  ];
}

function cellsOf({ team, level, declared, since }: PlaceAccess): (string | undefined)[] {
  const place = team ? ["team", team.id, team.title] : ["organization", "", ""];
  const { level: declaredLevel, at, reason, expires, then } = declared ?? {};
  return [...place, level, declaredLevel, at, reason, expires, then, since?.since];
}

/** A spreadsheet would compute what begins like a formula: an apostrophe makes it a text. */
function cellOf(value = ""): string {
  const shown = visible(value, 10_000);
  return `"${(/^[=+\-@]/.test(shown) ? `'${shown}` : shown).replaceAll('"', '""')}"`;
}
