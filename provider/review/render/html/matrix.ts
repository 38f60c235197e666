import { nothing, unknown } from "../../../access-plan/place";
import { markForeign } from "../../../text/foreign";
import { type Words, words } from "../../../text/words";
import type { Access, Effect, PersonReview } from "../../model/access";
import type { Review } from "../../model/review";
import { accessWords, grantWords, levelWords, placeWords, teamWords } from "../../model/sentences";
import { nameWords } from "../sections";
import { kindCounts, kindWords } from "../severity";
import { mostImportantFirst } from "./limits";

export interface Cell {
  readonly effect: Effect;
  readonly before: Words;
  readonly after: Words;
  /** Whether the person has no access in this place, neither before nor after. */
  readonly empty: boolean;
  readonly drift: boolean;
  /** The whole sentence, for screen readers and as a tooltip. */
  readonly sentence: Words;
}

export interface Row {
  readonly name: Words;
  readonly more: Words;
  readonly changed: boolean;
  readonly cells: readonly (Cell | undefined)[];
  /** Teams that have no column, in words. */
  readonly others: readonly Cell[];
}

/** People by roles and teams, before and after. */
export interface Matrix {
  readonly columns: readonly Words[];
  /** Created on demand: most rows of a large organization are never shown. */
  readonly rows: Iterable<Row>;
  readonly count: number;
  /** Counts the rows after the first ones by the kinds of their changes. */
  readonly kindsAfter: (shown: number) => Words;
  readonly hasOthers: boolean;
}

/** Maximum number of teams with a column. Teams with changes come first. */
const mostTeams = 30;

export function matrixOf(review: Review): Matrix {
  const all = placesIn(review);
  const columns = all.slice(0, mostTeams + 1);
  const position = new Map(columns.map((key, index) => [key, index]));
  const signIns = signInRows(review, columns);
  const people = mostImportantFirst(review);
  return {
    columns: columns.map((key) => titleOf(key, review)),
    rows: rowsOf(signIns, people, (person) => rowOf(person, review, position)),
    count: signIns.length + people.length,
    kindsAfter: (shown) => kindCounts(people.slice(Math.max(0, shown - signIns.length)).map(kindOf)),
    hasOthers: people.some(({ access }) =>
      access.some(({ place }) => place.kind !== "sso" && !position.has(keyOf(place))),
    ),
  };
}

const changesOf = ({ access }: PersonReview) => access.filter(({ effect }) => effect !== "none");
const isChanged = (person: PersonReview) => changesOf(person).length > 0;
const kindOf = (person: PersonReview) => ({ kind: isChanged(person) ? kindWords(changesOf(person)) : ["no change"] });

function* rowsOf(
  first: readonly Row[],
  people: readonly PersonReview[],
  row: (person: PersonReview) => Row,
): Generator<Row> {
  yield* first;
  for (const person of people) yield row(person);
}

const keyOf = ({ kind, team = "", organization }: Access["place"]) =>
  JSON.stringify([kind === "team", organization, team]);

/** The roles, the teams with changes, and the other teams of people with changes; without any changes, all teams. */
function placesIn({ people, signIns, organizations }: Review): string[] {
  const changing = new Set<string>();
  const all = new Set<string>();
  const none = !people.some(isChanged);
  for (const person of people) {
    for (const { place, effect } of person.access) {
      if (place.kind !== "team" || none || isChanged(person)) all.add(keyOf(place));
      if (effect !== "none") changing.add(keyOf(place));
    }
  }
  const role = keyOf({ kind: "role", organization: organizations[0] ?? "" });
  if (signIns.length > 0 && ![...all].some(isRole)) all.add(role);
  const weight = (key: string) => (isRole(key) ? 0 : changing.has(key) ? 1 : 2);
  return [...all].sort((a, b) => weight(a) - weight(b) || compare(a, b));
}

/** Sorts `team_2` before `team_10`. */
const { compare } = new Intl.Collator("en", { numeric: true });

const isRole = (key: string): boolean => JSON.parse(key)[0] === false;

function titleOf(key: string, { teams, organizations }: Review): Words {
  const [inTeam, organization, team] = JSON.parse(key) as [boolean, string, string];
  const where = organizations.length > 1 ? words` (${organization})` : words``;
  return inTeam ? words`${teamWords(team, teams)}${where}` : words`Role${where}`;
}

function rowOf(person: PersonReview, review: Review, position: ReadonlyMap<string, number>): Row {
  const cells: (Cell | undefined)[] = Array.from({ length: position.size });
  const others: Cell[] = [];
  for (const access of person.access.filter(({ place }) => place.kind !== "sso")) {
    const index = position.get(keyOf(access.place));
    const cell = cellOf(access, review);
    if (index === undefined) others.push(cell);
    else cells[index] = cell;
  }
  const { access } = person;
  const sso = access.some(({ place, effect }) => place.kind === "sso" && effect !== "none") ? ["+ single sign-on"] : [];
  return {
    name: markForeign(nameWords(person)),
    more: withoutStart([...sso, ...access.flatMap((one) => noteOn(one, review))]),
    changed: isChanged(person),
    cells,
    others,
  };
}

/** Without the separator before the first note, which follows no other text. */
const withoutStart = (notes: Words): Words =>
  notes.map((part, index) => (index === 0 && typeof part === "string" ? part.replace(/^; /, "") : part));

/** The note on the access. A note on a membership names the team, because the row has several. */
function noteOn(access: Access, review: Review): Words {
  const note = grantWords(access);
  if (note.length === 0 || access.place.kind === "role") return note;
  return words`${note} (${placeWords(access.place, review)})`;
}

function cellOf(access: Access, review: Review): Cell {
  const { place, before, after, effect, cause, pending } = access;
  const mark = pending ? [" (pending)"] : [];
  return {
    effect,
    before: [...shortWords(before), ...(after === nothing ? mark : [])],
    after: [...shortWords(after), ...(after === nothing ? [] : mark)],
    empty: before === nothing && after === nothing,
    drift: cause !== "declared",
    sentence: accessWords({ ...access, place }, review),
  };
}

const shortWords = (level: string): Words => {
  if (level === nothing) return ["–"];
  return level === unknown ? ["?"] : levelWords(level, "team");
};

/** A row for each SAML provider: its defaults concern people who cannot be listed yet. */
function signInRows({ signIns }: Review, columns: readonly string[]): Row[] {
  return signIns.map(({ label, role, team }) => {
    const cell = ({ before, after }: { before: string; after: string }): Cell => ({
      effect: before === after ? "none" : after === nothing ? "loses" : before === nothing ? "gains" : "changes",
      before: shortWords(before),
      after: shortWords(after),
      empty: before === nothing && after === nothing,
      drift: false,
      sentence: words`first sign-in with ${label}: ${before} → ${after}`,
    });
    const column = (key: string): Cell | undefined => {
      const [inTeam, , id] = JSON.parse(key) as [boolean, string, string];
      if (!inTeam) return cell(role);
      const side = (level: string) => (level === id ? "member" : nothing);
      const sides = { before: side(team.before), after: side(team.after) };
      return sides.before === nothing && sides.after === nothing ? undefined : cell(sides);
    };
    const changed = role.before !== role.after || team.before !== team.after;
    return {
      name: words`Everyone who signs in with ${label}`,
      more: ["for the first time"],
      changed,
      cells: columns.map(column),
      others: [],
    };
  });
}
