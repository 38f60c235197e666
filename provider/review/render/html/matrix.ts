import { keyOfPlace, nothing, type Place, unknown } from "../../../access-plan/place";
import { markForeign } from "../../../text/foreign";
import { type SafeText, safeText } from "../../../text/safe-text";
import type { Access, Effect, PersonReview } from "../../model/access";
import type { Review } from "../../model/review";
import { accessWords, grantWords, levelWords, placeWords, teamWords } from "../../model/sentences";
import { nameWords } from "../sections";
import { kindCounts, kindWords } from "../severity";
import { mostImportantFirst } from "./limits";

export interface Cell {
  readonly effect: Effect;
  readonly before: SafeText;
  readonly after: SafeText;
  /** Whether the person has no access in this place, neither before nor after. */
  readonly empty: boolean;
  readonly drift: boolean;
  /** The whole sentence, for screen readers and as a tooltip. */
  readonly sentence: SafeText;
}

export interface Row {
  readonly name: SafeText;
  readonly more: SafeText;
  readonly changed: boolean;
  readonly cells: readonly (Cell | undefined)[];
  /** Teams that have no column, in words. */
  readonly others: readonly Cell[];
}

export interface Matrix {
  readonly columns: readonly SafeText[];
  /** Created on demand: most rows of a large organization are never shown. */
  readonly rows: Iterable<Row>;
  readonly count: number;
  /** Counts the rows after the first ones by the kinds of their changes. */
  readonly kindsAfter: (shown: number) => SafeText;
  readonly hasOthers: boolean;
}

/** Maximum number of teams with a column. Teams with changes come first. */
const mostTeams = 30;

export function matrixOf(review: Review): Matrix {
  const columns = placesIn(review).slice(0, mostTeams + 1);
  const position = new Map(columns.map((place, index) => [keyOfPlace(place), index]));
  const people = mostImportantFirst(review);
  return {
    columns: columns.map((place) => titleOf(place, review)),
    rows: rowsOf(people, (person) => rowOf(person, review, position)),
    count: people.length,
    kindsAfter: (shown) => kindCounts(people.slice(shown).map(kindOf)),
    hasOthers: people.some(({ access }) =>
      access.some(({ place }) => place.kind !== "sso" && !position.has(keyOfPlace(place))),
    ),
  };
}

const changesOf = ({ access }: PersonReview) => access.filter(({ effect }) => effect !== "none");
const isChanged = (person: PersonReview) => changesOf(person).length > 0;
const kindOf = (person: PersonReview) => ({ kind: isChanged(person) ? kindWords(changesOf(person)) : ["no change"] });

function* rowsOf(people: readonly PersonReview[], row: (person: PersonReview) => Row): Generator<Row> {
  for (const person of people) yield row(person);
}

/** The roles, the teams with changes, and the other teams of people with changes; without any changes, all teams. */
function placesIn({ people }: Review): Place[] {
  const changing = new Set<string>();
  const all = new Map<string, Place>();
  const none = !people.some(isChanged);
  for (const person of people) {
    for (const { place, effect } of person.access) {
      if (place.kind === "sso") continue;
      if (place.kind === "role" || none || isChanged(person)) all.set(keyOfPlace(place), place);
      if (effect !== "none") changing.add(keyOfPlace(place));
    }
  }
  const changes = (place: Place) => changing.has(keyOfPlace(place));
  const weight = (place: Place) => (place.kind === "role" ? 0 : changes(place) ? 1 : 2);
  return [...all.values()].sort((a, b) => weight(a) - weight(b) || compare(keyOfPlace(a), keyOfPlace(b)));
}

/** Sorts `team_2` before `team_10`. */
const { compare } = new Intl.Collator("en", { numeric: true });

function titleOf({ kind, team = "", organization }: Place, { teams, organizations }: Review): SafeText {
  const where = organizations.length > 1 ? safeText` (${organization})` : safeText``;
  return kind === "team" ? safeText`${teamWords(team, teams)}${where}` : safeText`Role${where}`;
}

function rowOf(person: PersonReview, review: Review, position: ReadonlyMap<string, number>): Row {
  const cells: (Cell | undefined)[] = Array.from({ length: position.size });
  const others: Cell[] = [];
  for (const access of person.access.filter(({ place }) => place.kind !== "sso")) {
    const index = position.get(keyOfPlace(access.place));
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
const withoutStart = (notes: SafeText): SafeText =>
  notes.map((part, index) => (index === 0 && typeof part === "string" ? part.replace(/^; /, "") : part));

/** The note on the access. A note on a membership names the team, because the row has several. */
function noteOn(access: Access, review: Review): SafeText {
  const note = grantWords(access);
  if (note.length === 0 || access.place.kind === "role") return note;
  return safeText`${note} (${placeWords(access.place, review)})`;
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

const shortWords = (level: string): SafeText => {
  if (level === nothing) return ["–"];
  return level === unknown ? ["?"] : levelWords(level, "team");
};
