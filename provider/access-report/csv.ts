import { csvTable } from "../report/formats";
import { type AccessList, type PersonAccess, placesOf } from "./report";

const ofPerson = ["userId", "name", "state"] as const;
const ofPlace = [
  "place",
  "placeId",
  "placeTitle",
  "level",
  "declaredLevel",
  "declaredAt",
  "phase",
  "isIgnored",
] as const;
const ofGrant = [
  "reason",
  "from",
  "expires",
  "then",
  "since",
  "sinceVersion",
  "sinceCommit",
  "sinceIsDirty",
  "sinceGap",
] as const;
const names = [...ofPerson, ...ofPlace, ...ofGrant, "sso", "joinedAt", "lastSeenAt"] as const;

/** A row for each person in each place, so that a spreadsheet can filter and count them. */
export const csvOf = ({ people }: AccessList): string => csvTable(names, people.flatMap(rowsOf));

function rowsOf({ spaces = [], ...person }: PersonAccess) {
  const places = placesOf(person).map(({ team, declared, since = {}, ...access }) => {
    const { level: declaredLevel, at: declaredAt, ...terms } = declared ?? {};
    const place = { place: team ? "team" : "organization", placeId: team?.id, placeTitle: team?.title };
    const { since: at, version: sinceVersion, commit: sinceCommit, isDirty: sinceIsDirty, gap: sinceGap } = since;
    const sinceColumns = { since: at, sinceVersion, sinceCommit, sinceIsDirty, sinceGap };
    return { ...place, ...access, declaredLevel, declaredAt, ...terms, ...sinceColumns };
  });
  const inSpaces = spaces.map(({ id, title, permission }) => {
    return { place: "space", placeId: id, placeTitle: title, level: permission };
  });
  return [...places, ...inSpaces].map((place) => ({ ...person, ...place }));
}
