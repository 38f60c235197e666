import { keyOfPlace, nothing, type Place, unknown } from "../../access-plan/place";
import { type GridRow, gridOf } from "../../report/html/grid";
import type { Table } from "../../report/html/html";
import { marked, safe } from "../../report/html/text";
import { restWords } from "../../report/report";
import { plain, type SafeText, safeText } from "../../text/safe-text";
import type { Access, PersonReview } from "../model/access";
import type { Review } from "../model/review";
import { accessWords, levelWords, teamWords } from "../model/sentences";
import { nameWords, weightOf } from "./sections";

/** Maximum number of columns: the role, and 30 teams. Teams with changes come first. */
const mostColumns = 31;

const heading = { id: "access", title: "Who has what, before and after", symbol: "▦" };

export function matrixOf(review: Review): Table | undefined {
  const people = mostImportantFirst(review);
  const places = placesIn(review);
  const columns = places.slice(0, mostColumns);
  const others = restWords(places.length - columns.length);
  const more = `<p class="soft">Teams: ${marked(others)}; those with changes come first</p>`;
  return gridOf({
    heading,
    label: "Access matrix",
    people,
    first: "those with a risk",
    columns: columns.map((place) => titleOf(place, review)),
    only: { label: "only changes", others: "without changes", checked: true },
    notes: [legend, ...(others.length === 0 ? [] : [more])],
    sectionsAbove,
    rowOf: (person) => rowOf(person, review, columns),
  });
}

/** Ids of the sections about people, which are placed above the table. */
const sectionsAbove = ["drift", "gains", "loses", "changes", "risks"];

/** People with a risk first, then people with a change, then all others; each group by the gravest change, then by name. */
function mostImportantFirst({ people, risks }: Review): PersonReview[] {
  const risky = new Set(risks.map(({ subject }) => subject));
  return people
    .map((person) => ({ person, isRisky: risky.has(person.id), weight: weightOf(person.access) }))
    .sort((a, b) => Number(b.isRisky) - Number(a.isRisky) || a.weight - b.weight)
    .map(({ person }) => person);
}

const isChanged = ({ access }: PersonReview) => access.some(({ effect }) => effect !== "none");

/** The roles, the teams with changes, and the other teams of people with changes; without any changes, all teams. */
function placesIn({ people }: Review): Place[] {
  const changing = new Set<string>();
  const places = new Map<string, Place>();
  const showsAll = !people.some(isChanged);
  for (const person of people) {
    for (const { place, effect } of person.access) {
      if (place.kind === "sso") continue;
      if (place.kind === "role" || showsAll || isChanged(person)) places.set(keyOfPlace(place), place);
      if (effect !== "none") changing.add(keyOfPlace(place));
    }
  }
  const weight = (place: Place) => {
    if (place.kind === "role") return 0;
    return changing.has(keyOfPlace(place)) ? 1 : 2;
  };
  return [...places.values()].sort((a, b) => weight(a) - weight(b) || compare(keyOfPlace(a), keyOfPlace(b)));
}

/** Sorts `team_2` before `team_10`. */
const { compare } = new Intl.Collator("en", { numeric: true });

function titleOf({ kind, team = "", organization }: Place, { teams, organizations }: Review): SafeText {
  const where = organizations.length > 1 ? safeText` (${organization})` : safeText``;
  return kind === "team" ? safeText`${teamWords(team, teams)}${where}` : safeText`Role${where}`;
}

const legend =
  '<p class="legend"><span class="key gains">▲ gains</span><span class="key loses">▼ loses</span>' +
  '<span class="key changes">◆ changes</span><span>↺ changed outside Pulumi</span><span>? not in the preview</span>' +
  "<span>– nothing, or nothing that this stack manages</span></p>";

/** The filter searches the person, a sentence for each access, and the titles of the filled columns. */
function rowOf(person: PersonReview, review: Review, columns: readonly Place[]): GridRow {
  const places = new Map(person.access.map((one) => [keyOfPlace(one.place), one]));
  const cells = columns.map((place) => cellOf(places.get(keyOfPlace(place)), review));
  const sentences = person.access.map((one) => accessWords(one, review));
  const titles = columns.filter((place) => places.has(keyOfPlace(place))).map((place) => titleOf(place, review));
  return { name: nameWords(person), cells, texts: [...sentences, ...titles], isMarked: isChanged(person) };
}

const arrows = { gains: "▲ ", loses: "▼ ", changes: "◆ ", none: "" } as const;

/** The levels before and after, with the whole sentence for screen readers and as a tooltip. */
function cellOf(access: Access | undefined, review: Review): string {
  if (!access || (access.before === nothing && access.after === nothing)) return '<td class="none">–</td>';
  const { before, after, effect, cause, pending } = access;
  const pendingNote = pending ? " (pending)" : "";
  const sentence = safe(plain(accessWords(access, review)), 600);
  const back = cause === "declared" ? "" : ' <span aria-hidden="true">↺</span>';
  const level = (one: string) => marked(levelText(one));
  const now = `${level(after)}${after === nothing ? "" : pendingNote}${back}`;
  if (effect === "none") return `<td class="none" title="${sentence}">${now}</td>`;
  const was = `<span class="was">${level(before)}${after === nothing ? pendingNote : ""}</span>`;
  return `<td class="${effect}" title="${sentence}" aria-label="${sentence}">${arrows[effect]}${was} → ${now}</td>`;
}

const levelText = (level: string): SafeText => {
  if (level === nothing) return ["–"];
  return level === unknown ? ["?"] : levelWords(level, "team");
};
