import { csvTable, type Row } from "../report/formats";
import { type AccessList, type PersonAccess, placesOf } from "./report";

/** A row for each person in each place, so that a spreadsheet can filter and count them. */
export const csvOf = ({ people }: AccessList): string => csvTable(people.flatMap(rowsOf));

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
