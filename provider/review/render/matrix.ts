import { keyOfPlace, nothing, type Place, unknown } from "../../access-plan/place";
import { headingOf, sizeOf, type Table } from "../../report/html/html";
import { marked, safe } from "../../report/html/text";
import { kindCounts, restWords, takeFitting } from "../../report/report";
import { markForeign } from "../../text/foreign";
import { plain, type SafeText, safeText } from "../../text/safe-text";
import type { Access, PersonReview } from "../model/access";
import type { Review } from "../model/review";
import { accessWords, grantWords, levelWords, placeWords, teamWords } from "../model/sentences";
import { script } from "./script";
import { nameWords } from "./sections";
import { kindWords, weightOf } from "./severity";

/** Maximum number of rows, and of bytes in them. Nobody reads more, and browsers become slow. */
const limits = { most: 1000, room: 1_200_000, sizeOf };
/** Maximum number of teams with a column. Teams with changes come first. */
const mostTeams = 30;
/** Maximum number of columns on paper. A wider table is printed with a sentence for each cell. */
const mostOnPaper = 9;

const heading = { id: "access", title: "Who has what, before and after", symbol: "▦" };

/** The table of people and places; `undefined` without people. */
export function matrixOf(review: Review): Table | undefined {
  const people = mostImportantFirst(review);
  if (people.length === 0) return undefined;
  const columns = placesIn(review).slice(0, mostTeams + 1);
  const known = new Set(columns.map(keyOfPlace));
  const hasOthers = people.some(({ access }) => access.some((one) => isOther(one, known)));
  const rows = takeFitting(people, (person) => rowOf(person, { review, columns, known, hasOthers }), limits);
  const kinds = kindCounts(people.slice(rows.length).map(kindOf));
  const rest = restWords(people.length - rows.length, { one: "row", many: "rows" }, kinds);
  const html = [
    `<section id="${heading.id}"><h2>${headingOf(heading)}</h2>`,
    controlsOf(people.slice(0, rows.length).some(isChanged)),
    legend,
    ...(rest.length === 0 ? [] : [`<p class="soft">${marked(rest)}; people with a risk come first</p>`]),
    gridOf(
      columns.map((place) => titleOf(place, review)),
      hasOthers,
      rows,
    ),
    "</section>",
  ].join("\n");
  return { heading, html, script, below: aboveTable };
}

/** Ids of the sections about people, which are placed above the table. */
const aboveTable = ["drift", "gains", "loses", "changes", "risks"];

/** People with a risk first, then people with a change, then all others; each group by the gravest change, then by name. */
function mostImportantFirst({ people, risks }: Review): PersonReview[] {
  const risky = new Set(risks.map(({ subject }) => subject));
  return people
    .map((person) => ({ person, isRisky: risky.has(person.id), weight: weightOf(person.access) }))
    .sort((a, b) => Number(b.isRisky) - Number(a.isRisky) || a.weight - b.weight)
    .map(({ person }) => person);
}

const changesOf = ({ access }: PersonReview) => access.filter(({ effect }) => effect !== "none");
const isChanged = (person: PersonReview) => changesOf(person).length > 0;
const kindOf = (person: PersonReview) => ({ kind: isChanged(person) ? kindWords(changesOf(person)) : ["no change"] });

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
  const weight = (place: Place) => (place.kind === "role" ? -1 : Number(!changes(place)));
  return [...all.values()].sort((a, b) => weight(a) - weight(b) || compare(keyOfPlace(a), keyOfPlace(b)));
}

/** Sorts `team_2` before `team_10`. */
const { compare } = new Intl.Collator("en", { numeric: true });

const isOther = ({ place }: Access, known: ReadonlySet<string>): boolean =>
  place.kind !== "sso" && !known.has(keyOfPlace(place));

function titleOf({ kind, team = "", organization }: Place, { teams, organizations }: Review): SafeText {
  const where = organizations.length > 1 ? safeText` (${organization})` : safeText``;
  return kind === "team" ? safeText`${teamWords(team, teams)}${where}` : safeText`Role${where}`;
}

/** Hidden until the script runs, which they need. */
const controlsOf = (hasChanges: boolean): string =>
  [
    '<div class="controls" hidden>',
    '<label>Filter <input id="filter" type="search" placeholder="name, id, team, role" autocomplete="off"></label>',
    `<label><input id="only" type="checkbox"${hasChanges ? " checked" : ""}> only changes</label>`,
    '<label><input id="ids" type="checkbox"> ids of people and teams</label>',
    '<span id="shown" class="soft" role="status"></span>',
    "</div>",
  ].join("\n");

const legend =
  '<p class="legend"><span class="key gains">▲ gains</span><span class="key loses">▼ loses</span>' +
  '<span class="key changes">◆ changes</span><span>↺ changed outside Pulumi</span><span>? not in the preview</span>' +
  "<span>– nothing, or nothing that this stack manages</span></p>";

function gridOf(titles: readonly SafeText[], hasOthers: boolean, rows: readonly string[]): string {
  const names = [["Person"], ...titles];
  const wide = names.length > mostOnPaper ? ' class="wide"' : "";
  const others = hasOthers ? '<th scope="col" class="others">Other teams</th>' : "";
  const head = names.map((name) => `<th scope="col">${marked(name)}</th>`).join("") + others;
  return [
    '<div class="wrap" role="region" aria-label="Access matrix" tabindex="0">',
    `<table id="matrix"${wide}>`,
    `<thead><tr>${head}</tr></thead>`,
    "<tbody>",
    ...rows,
    "</tbody></table></div>",
  ].join("\n");
}

interface Grid {
  readonly review: Review;
  readonly columns: readonly Place[];
  /** The keys of the columns. */
  readonly known: ReadonlySet<string>;
  readonly hasOthers: boolean;
}

/** A row. Its `data-text` is what the filter searches: the person, and the sentence of each cell. */
function rowOf(person: PersonReview, { review, columns, known, hasOthers }: Grid): string {
  const name = markForeign(nameWords(person));
  const more = notesOn(person, review);
  const places = new Map(person.access.map((one) => [keyOfPlace(one.place), one]));
  const cells = columns.map((place) => cellOf(places.get(keyOfPlace(place)), review));
  const others = person.access.filter((one) => isOther(one, known));
  const sentences = person.access.map((one) => accessWords(one, review));
  const titles = columns.filter((place) => places.has(keyOfPlace(place))).map((place) => titleOf(place, review));
  const text = [name, more, ...sentences, ...titles].map(plain).join(" ").toLowerCase();
  const note = more.length > 0 ? `<span class="soft">${marked(more)}</span>` : "";
  return (
    `<tr data-changed="${isChanged(person) ? 1 : 0}" data-text="${safe(text, 200_000)}">` +
    `<th scope="row">${marked(name)}${note}</th>${cells.join("")}${hasOthers ? othersOf(others, review) : ""}</tr>`
  );
}

/** What else is to be said of the person, without the separator before the first note. */
function notesOn({ access }: PersonReview, review: Review): SafeText {
  const sso = access.some(({ place, effect }) => place.kind === "sso" && effect !== "none") ? ["+ single sign-on"] : [];
  const notes = [...sso, ...access.flatMap((one) => noteOn(one, review))];
  return notes.map((part, index) => (index === 0 && typeof part === "string" ? part.replace(/^; /, "") : part));
}

/** The note on the access. A note on a membership names the team, because the row has several. */
function noteOn(access: Access, review: Review): SafeText {
  const note = grantWords(access);
  if (note.length === 0 || access.place.kind === "role") return note;
  return safeText`${note} (${placeWords(access.place, review)})`;
}

/** The cell for teams without a column: changes first, each on its own line. */
function othersOf(others: readonly Access[], review: Review): string {
  const words = (one: Access) => marked(accessWords(one, review));
  const lines = others
    .filter(({ effect }) => effect !== "none")
    .map((one) => `<div class="key ${one.effect}">${marks[one.effect]}${words(one)}</div>`);
  const kept = others.filter(({ effect }) => effect === "none").map(words);
  const rest = kept.length > 0 ? `<div class="soft">${kept.join("; ")}</div>` : "";
  return `<td class="others"><div class="box">${lines.join("")}${rest}</div></td>`;
}

const marks = { gains: "▲ ", loses: "▼ ", changes: "◆ ", none: "" } as const;

/** The levels before and after, with the whole sentence for screen readers and as a tooltip. */
function cellOf(access: Access | undefined, review: Review): string {
  if (!access || (access.before === nothing && access.after === nothing)) return '<td class="none">–</td>';
  const { before, after, effect, cause, pending } = access;
  const mark = pending ? " (pending)" : "";
  const sentence = safe(plain(accessWords(access, review)), 600);
  const back = cause === "declared" ? "" : ' <span aria-hidden="true">↺</span>';
  const level = (one: string) => marked(levelText(one));
  const now = `${level(after)}${after === nothing ? "" : mark}${back}`;
  if (effect === "none") return `<td class="none" title="${sentence}">${now}</td>`;
  const was = `<span class="was">${level(before)}${after === nothing ? mark : ""}</span>`;
  return `<td class="${effect}" title="${sentence}" aria-label="${sentence}">${marks[effect]}${was} → ${now}</td>`;
}

const levelText = (level: string): SafeText => {
  if (level === nothing) return ["–"];
  return level === unknown ? ["?"] : levelWords(level, "team");
};
