import { momentWords } from "../access-plan/grants";
import { sinceWords } from "../history/formats";
import type { Since } from "../history/select";
import { commitWords } from "../report/evidence";
import { formatsOf } from "../report/formats";
import { gridOf } from "../report/html/grid";
import type { Table } from "../report/html/html";
import { marked } from "../report/html/text";
import type { Entry, Report, ReportSection } from "../report/report";
import { endedTitle, stillGivenWords } from "../review/model/ends";
import { reasonWords, untilWords } from "../review/model/sentences";
import { parseAge, wordsOfAge } from "../run/age";
import { counted, identified, joined, listFirst, type SafeText, safeText, trusted } from "../text/safe-text";
import { notSeen } from "../text/shared-sentences";
import { csvOf } from "./csv";
import {
  type AccessList,
  type ConditionMatch,
  declaredNow,
  idOfPerson,
  isStillGiven,
  type PersonAccess,
  type PlaceAccess,
  placesOf,
} from "./report";

export const accessFormats = { ...formatsOf(reportOf, tableOf), csv: csvOf };

function reportOf(list: AccessList): Report {
  const { organization, file, filters, people } = list;
  const isRisky = shownFindings(list).some(({ condition }) => highConditions.includes(condition));
  return {
    marker: ["access", organization],
    title: `Access to organization ${organization}`,
    kind: isRisky ? "risky" : "none",
    verdict: verdictOf(list),
    about: safeText`Organization ${organization}${file === undefined ? [] : safeText`, compared with ${file}`}.`,
    notes: [
      ...(filters.length > 0 ? [safeText`Not the whole list: ${listFirst(filters)}.`] : []),
      ...(file === undefined ? [["There is no organization.yaml in this folder, so nobody counts as declared."]] : []),
    ],
    // JSON does not read these words about everybody.
    get sections() {
      return [
        ...shownFindings(list).map((one) => findingSection(one, list)),
        ...peopleSections(list),
        roleSection(people),
      ];
    },
    leftOut: people.some(({ spaces }) => spaces)
      ? ["what people may do in single sites, and teams without members"]
      : ["what people may do in single spaces (--spaces) and sites, and teams without members"],
  };
}

const teamFilter = "--team ";

/** The others are only in the file. */
const isMember = ({ userId }: PersonAccess): boolean => userId !== undefined;

function verdictOf({ people, findings, file, filters }: AccessList): SafeText {
  const teamIds = filters.flatMap((one) => (one.startsWith(teamFilter) ? one.slice(teamFilter.length) : []));
  const isOfTeams = ({ team }: PlaceAccess) => teamIds.includes(team?.id ?? "");
  const isIn = (one: PlaceAccess) => one.level !== undefined && isOfTeams(one);
  // Before a grant in a team begins, and after its end, nobody is missing there.
  const isRunning = (one: PlaceAccess) => one.declared?.phase === "running" && isOfTeams(one);
  const isFound = (one: PersonAccess) => isMember(one) && (teamIds.length === 0 || one.teams.some(isIn));
  const members = people.filter(isFound);
  const admins = members.filter(({ role }) => role.level === "admin").length;
  const ids = findings.find(({ condition }) => condition === "undeclared-admin")?.people;
  const undeclared = members.filter((one) => ids?.includes(idOfPerson(one))).length;
  const but = file !== undefined && undeclared > 0 ? `, ${undeclared} of them not declared` : "";
  const guests = members.filter(({ role }) => role.level === "guest").length;
  const isOutside = (one: PersonAccess) => !isFound(one) && (teamIds.length === 0 || one.teams.some(isRunning));
  const outside = people.filter(isOutside).length;
  const parts = [
    ...(admins > 0 || filters.length === 0 ? [`${counted(admins, "administrator")}${but}`] : []),
    ...(guests > 0 ? [counted(guests, "guest")] : []),
    ...(outside > 0
      ? [counted(outside, "declared person not found among them", "declared people not found among them")]
      : []),
  ];
  const total = counted(members.length, "person has access", "people have access");
  const [first, ...rest] = parts;
  return [first === undefined ? total : `${total}: ${first}`, ...rest.map((part) => `, ${part}`), "."];
}

const findingTitles: Readonly<Record<string, (age: string) => string>> = {
  "undeclared-admin": () => "Administrators that the file does not declare now",
  "no-sso": () => "People with a role, without single sign-on",
  inactive: (age) => `People with a role, not seen for ${age}`,
  ended: () => endedTitle,
  expiring: (age) => `People with a grant that ends within ${age}`,
};

/** Without a file, everybody is undeclared. */
const shownFindings = ({ findings, file }: Pick<AccessList, "findings" | "file">): ConditionMatch[] =>
  findings.filter(({ condition }) => file !== undefined || condition !== "undeclared-admin");

const highConditions = ["undeclared-admin", "ended"];

function findingSection({ condition, people: ids }: ConditionMatch, { people }: AccessList): ReportSection {
  const [kind = "", age = ""] = condition.split("=");
  const found = new Set(ids);
  const severity = highConditions.includes(kind) ? ("high" as const) : ("medium" as const);
  const columns = findingColumns[kind] ?? [roleColumn, seenColumn];
  const entries = people
    .filter((one) => found.has(idOfPerson(one)))
    .map((one) => ({ text: personWords(one, columns), severity }));
  const title = findingTitles[kind]?.(wordsOfAge(parseAge(age) ?? 0)) ?? condition;
  return { id: kind, symbol: "⚠", title, entries };
}

const groups: Readonly<Record<string, (person: PersonAccess) => boolean>> = {
  Administrators: ({ role }) => role.level === "admin",
  "Other people with a role": ({ role: { level = "guest" } }) => level !== "admin" && level !== "guest",
  "Guests, without a role": ({ role }) => role.level === "guest",
  "Declared by an e-mail that no single member shows": ({ state }) => state === "pending",
  "Declared by an id that no member has": ({ state }) => state === "absent",
};

const peopleSections = ({ people, file }: AccessList): ReportSection[] =>
  Object.entries(groups).map(([title, fits], index) => {
    const entries = people.filter(fits).map((person): Entry => ({ text: personWords(person, columnsOf(file)) }));
    return { id: `people-${index}`, symbol: "●", title, entries, isInTable: true };
  });

/** What the API document says of each role; it says no more. */
const roleMeanings: Readonly<Record<string, string>> = {
  admin: "administrates content: creates and deletes spaces, and so on",
  create: "creates content",
  review: "reviews content",
  edit: "edits live content, or change requests",
  comment: "accesses content and discussions",
  read: "accesses content, and cannot update it",
  guest: "has no role: only what single spaces and sites give",
};

function roleSection(people: readonly PersonAccess[]): ReportSection {
  const levels = new Set(people.map(({ role }) => role.level));
  const known = Object.entries(roleMeanings).filter(([role]) => levels.has(role));
  const isOwned = people.some(({ teams }) => teams.some(({ level }) => level === "owner"));
  const entries = [
    ...known.map(([role, meaning]) => safeText`${role}: ${trusted(meaning)}`),
    ...(isOwned ? [safeText`${"owner"} of a team: manages its members`] : []),
    ["Not in the document: which roles may publish a site, and which may manage the members of the organization."],
  ];
  const title = "What a role allows, as the API document says";
  return { id: "roles", symbol: "▦", title, entries: entries.map((text) => ({ text })) };
}

const nameWords = ({ name, userId }: PersonAccess): SafeText => identified(name, userId);

/** The person in one line of a list. */
function personWords(person: PersonAccess, columns: readonly Column[]): SafeText {
  const facts = columns.flatMap(({ title, of, isPlain }) => {
    const text = of(person);
    return text.length === 0 ? [] : [isPlain ? text : [`${title.toLowerCase()}: `, ...text]];
  });
  return safeText`${nameWords(person)}: ${joined(facts, " · ")}`;
}

interface Column {
  readonly title: string;
  readonly of: (person: PersonAccess) => SafeText;
  /** A list needs no title before it. */
  readonly isPlain?: true;
  /** Stays in one line of a cell. */
  readonly isShort?: true;
}

const roleColumn: Column = {
  title: "Role",
  isPlain: true,
  of: ({ role: { level }, state }) =>
    safeText`${level ?? notFound}${trusted(state === "disabled" ? ", disabled" : "")}`,
};
const declaredColumn: Column = { title: "Declared", isPlain: true, of: ({ role }) => declaredWords(role) };
const seenColumn: Column = {
  title: "Last seen",
  isShort: true,
  of: ({ userId, lastSeenAt }) => (userId === undefined ? [] : dayOf(lastSeenAt, [notSeen])),
};
const grantColumn: Column = { title: "Grant", of: (person) => joined(placesOf(person).flatMap(grantWords), "; ") };
const endedColumn: Column = {
  title: "Ended",
  isPlain: true,
  of: (person) => joined(placesOf(person).filter(isStillGiven).map(endedWords), "; "),
};
const findingColumns: Readonly<Record<string, readonly Column[]>> = { ended: [endedColumn], expiring: [grantColumn] };
const columnsOf = (file: string | undefined): readonly Column[] => [
  roleColumn,
  ...(file === undefined ? [] : [declaredColumn]),
  { title: "Since", of: ({ role: { since } }) => (since ? givenWords(since) : []) },
  { title: "Single sign-on", of: ({ sso }) => (sso ? ["yes"] : []) },
  { title: "Joined", isShort: true, of: ({ joinedAt }) => dayOf(joinedAt) },
  seenColumn,
  {
    title: "Teams",
    of: ({ teams, userId }) =>
      joined(
        teams.map((one) => {
          const facts = [
            ...(file === undefined ? [] : [declaredWords(one)]),
            ...(one.since ? [safeText`since ${givenWords(one.since)}`] : []),
          ];
          const level = one.level ?? (userId === undefined ? notFound : "not in it");
          return [...safeText`${teamName(one)} ${level}`, ...(facts.length === 0 ? [] : safeText` (${joined(facts)})`)];
        }),
        "; ",
      ),
  },
  {
    title: "Spaces",
    of: ({ spaces = [] }) =>
      joined(
        spaces.map(({ title, id, permission }) => safeText`${identified(title, id)} ${permission}`),
        "; ",
      ),
  },
  grantColumn,
];

/** A member may hide the e-mail that the file has, so nobody knows whether such a person is missing. */
const notFound = "not found";

const teamName = ({ team }: PlaceAccess): SafeText => identified(team?.title ?? team?.id ?? "", team?.id);

const dayOf = (time: string | undefined, otherwise: SafeText = []): SafeText =>
  time ? safeText`${time.slice(0, 10)}` : otherwise;

const givenWords = (since: Since): SafeText =>
  joined([
    sinceWords(since),
    ...(since.commit === undefined ? [] : [commitWords({ ...since, uncommitted: since.isDirty })]),
  ]);

/** Where the place is declared, and how it differs from the live one. */
function declaredWords(place: PlaceAccess): SafeText {
  const { level, declared, isIgnored } = place;
  if (!declared) return [isIgnored ? "ignored by the file" : "not declared"];
  const { at, phase, from = "" } = declared;
  if (phase === "ended")
    return safeText`${declared.level} ended in ${at}${trusted(isStillGiven(place) ? ", still given" : "")}`;
  if (phase === "to begin") return safeText`${declared.level} from ${from} in ${at}`;
  return level === declared.level ? safeText`${at}` : safeText`${declared.level} in ${at}`;
}

/** The reason and the end of a grant, with its place. */
function grantWords(place: PlaceAccess): SafeText[] {
  const { declared } = place;
  if (declared?.reason === undefined && declared?.expires === undefined) return [];
  const { from = "", expires, then, phase } = declared;
  const start = phase === "to begin" ? safeText`; from ${from}` : [];
  const until =
    phase === "ended"
      ? safeText`ended ${trusted(momentWords(expires ?? ""))}, then ${then ?? ""}`
      : untilWords(declared);
  const end = expires === undefined ? [] : safeText`; ${until}`;
  return [safeText`${grantedWords(place)}${reasonWords(declared)}${start}${end}`];
}

const endedWords = (place: PlaceAccess): SafeText =>
  safeText`${grantedWords(place)} ended ${trusted(momentWords(place.declared?.expires ?? ""))}, ${trusted(stillGivenWords({ isRecorded: false }))}`;

const grantedWords = (place: PlaceAccess): SafeText =>
  safeText`${place.team ? teamName(place) : trusted("role")} ${place.declared?.level ?? ""}`;

const heading = { id: "people", title: "Who has what", symbol: "▦" };

function tableOf({ people, file, findings }: AccessList): Table | undefined {
  const columns = columnsOf(file).filter(({ of }) => people.some((one) => of(one).length > 0));
  const only = { label: "only what differs from the file", others: "as declared", checked: false };
  return gridOf({
    heading,
    label: heading.title,
    people,
    first: "the most powerful",
    columns: columns.map(({ title }) => [title]),
    ...(file !== undefined && { only }),
    sectionsAbove: shownFindings({ findings, file }).map(({ condition }) => condition.split("=")[0] ?? ""),
    rowOf: (person) => {
      const filled = columns.map((column) => ({ column, text: column.of(person) }));
      const cells = filled.map(({ column, text }) => cellOf(text, column, person));
      const isMarked = placesOf(person).some(isOther);
      return { name: nameWords(person), cells, texts: filled.map(({ text }) => text), isMarked };
    },
  });
}

/** Whether the place is not as the file declares it now. Guests need no declaration. */
function isOther({ level, declared, isIgnored }: PlaceAccess): boolean {
  if (!declared) return !isIgnored && level !== undefined && level !== "guest";
  // Before a grant begins, the file asks for no level; after it has ended, a person who is not there misses nothing.
  if (declared.phase === "to begin" || (declared.phase === "ended" && level === undefined)) return false;
  return level !== declaredNow(declared);
}

function cellOf(text: SafeText, column: Column, { role }: PersonAccess): string {
  if (text.length === 0) return '<td class="none">–</td>';
  const isMarked = column === declaredColumn && isOther(role);
  return `<td${isMarked ? ' class="changes"' : ""}${column.isShort ? ' class="short"' : ""}>${marked(text)}</td>`;
}
