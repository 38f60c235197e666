import type { GrantTerms } from "../../access-plan/input";
import { ascendingRoles, keyOfPlace, nothing, unknown } from "../../access-plan/place";
import { type PropertyChange, type Severity, titleWords } from "../../lifecycle/review";
import type { Entry, ReportSection } from "../../report/report";
import { containsUnknown } from "../../run/properties";
import { markForeign } from "../../text/foreign";
import { counted, identified, joinFirst, type SafeText, safeText, trusted } from "../../text/safe-text";
import { type Access, type Group, groupOf, type PersonReview } from "../model/access";
import { approvalSection } from "../model/approvals";
import { organizationKey } from "../model/declarations";
import { definitionAt } from "../model/definitions";
import { endsSections } from "../model/ends";
import { isSetBack, type ResourceChange } from "../model/properties";
import type { Review } from "../model/review";
import type { Risk } from "../model/risk";
import { accessWords, placeWords, propertyWords, reasonWords, untilWords } from "../model/sentences";

/** Everything below the verdict, the most important first. */
export function sectionsOf(review: Review): ReportSection[] {
  const section = (id: string, symbol: string, title: string, entries: Entry[]): ReportSection => {
    return { id, symbol, title, entries: entries.map((entry) => ({ ...entry, text: markForeign(entry.text) })) };
  };
  const severityOf = severitiesIn(review);
  const peopleIn = (group: Group) => listPeople(review, severityOf, group);
  const entriesOf = (changes: readonly ResourceChange[], kindOf: KindOf) =>
    changes.map((change) => {
      const text = changeWords(withoutOrganization(change, review), kindOf(change));
      return rated({ text }, severityOf([change.urn]));
    });
  const entriesOfDeclared = (changes: readonly ResourceChange[], kindOf: KindOf) => {
    const declared = changes.filter((one) => !isSetBack(one));
    return entriesOf(declared, kindOf);
  };
  const setBack = [review.saml, review.sites, review.translations, review.others].flat().filter(isSetBack);
  return [
    approvalSection(review.approvals),
    section("drift", "↺", "Changed outside Pulumi, set back by this up", [
      ...peopleIn("drift"),
      ...entriesOf(setBack, nounOf),
    ]),
    section("gains", "▲", "Who gains access", peopleIn("gains")),
    section("loses", "▼", "Who loses access", peopleIn("loses")),
    section("changes", "◆", "Other access changes", peopleIn("changes")),
    // The texts of risks are marked already (see `risk`), and would be marked twice by `section`.
    { id: "risks", symbol: "⚠", title: "What else to look at", entries: riskEntries(review) },
    section("grant-ends", "◷", "Grants that begin later, or whose end or release changes", endWords(review)),
    section("accepted", "◆", "Changed outside Pulumi, declared from now on", peopleIn("accepted")),
    section("saml", "◼", "SAML providers", entriesOfDeclared(review.saml, nounUnless("SAML provider"))),
    section("sites", "◼", "Sites", entriesOfDeclared(review.sites, nounUnless("site"))),
    section("translations", "◼", "Translations", entriesOfDeclared(review.translations, nounUnless("translation"))),
    section(
      "others",
      "◼",
      "Other resources",
      entriesOfDeclared(review.others, ({ type }) => `${type} `),
    ),
    section("released", "○", "No longer managed, access stays", peopleIn("released")),
    section("taken", "●", "Managed from now on, access stays", peopleIn("taken")),
    section("record", "○", "Only the record goes, nobody loses access", peopleIn("record")),
    section("moved", "↔", "Moved, no change of access", movedWords(review)),
    ...endsSections(review.ends),
    section("warnings", "!", "Warnings of the preview", warningEntries(review)),
  ];
}

/** The text is not put in as a value of `safeText`: long values are cut, and a warning ends with what to do. */
const warningEntries = ({ warnings }: Review): Entry[] =>
  warnings.map(({ text, resource }) => ({ text: [...(resource === undefined ? [] : safeText`${resource}: `), text] }));

function riskEntries({ risks }: Review): Entry[] {
  return risks.filter(({ change }) => change === undefined).map(({ words: text, severity }) => ({ text, severity }));
}

/** Maximum number of places of one person, or properties of one resource, in one entry. */
const most = 40;

/** Stronger than the commas and semicolons inside the words of one place. */
const betweenPlaces = " · ";

/** The people with access of the group, the gravest first: the end of a long list is not shown. */
function listPeople(review: Review, severityOf: SeverityOf, group: Group): Entry[] {
  return review.people
    .flatMap((person) => {
      const access = person.access.filter((one) => groupOf(one) === group);
      if (access.length === 0) return [];
      const severity = severityOf(access.map(({ place }) => keyOf(person.id, place)));
      const rank = severity === undefined ? severities.length : severities.indexOf(severity);
      return [{ person, access, severity, rank, weight: weightOf(access) }];
    })
    .sort((a, b) => a.rank - b.rank || a.weight - b.weight)
    .map(({ person, access, severity }) => rated({ text: personWords(person, access, review) }, severity));
}

const [admin = "", ...otherRoles] = [...ascendingRoles].reverse();
const removal = "removed from the organization";

/** Levels that somebody gains or loses, the gravest first. `removal` is the loss of the membership; an unknown level may be any. */
const gravest = [admin, removal, unknown, "owner", ...otherRoles, "member", "sso", nothing];

/** A weight for sorting: the lower, the graver. Access that stays comes last. */
export function weightOf(access: readonly Access[]): number {
  const weight = ({ place, before, after, effect }: Access) => {
    const isRemoval = place.kind === "role" && after === nothing && before !== admin;
    const lost = isRemoval ? removal : before;
    const level = effect === "loses" ? lost : after;
    const rank = gravest.indexOf(gravest.includes(level) ? level : unknown);
    return effect === "none" ? rank + gravest.length : rank;
  };
  return Math.min(...access.map(weight));
}

const rated = (entry: Entry, severity: Severity | undefined): Entry => (severity ? { ...entry, severity } : entry);

const severities = ["high", "medium"] as const;

/** Finds the highest severity among the risks of these changes: each is a URN, or a person with a place. */
type SeverityOf = (changes: readonly string[]) => Severity | undefined;

function severitiesIn({ risks }: Review): SeverityOf {
  const highest = new Map<string, Severity>();
  for (const { severity, change, subject } of risks)
    if (change && highest.get(keyOf(subject, change)) !== "high") highest.set(keyOf(subject, change), severity);
  return (changes) => {
    const all = changes.map((key) => highest.get(key));
    return severities.find((one) => all.includes(one));
  };
}

const keyOf = (subject: string, change: NonNullable<Risk["change"]>): string =>
  typeof change === "string" ? change : `${subject} ${keyOfPlace(change)}`;

function personWords(person: PersonReview, access: readonly Access[], review: Review): SafeText {
  const words = access.map((one) => accessWords(one, review));
  const places = joinFirst(words, most, { other: "more place", separator: betweenPlaces });
  return safeText`${nameWords(person)}: ${places}`;
}

function endWords(review: Review): Entry[] {
  return review.grantEnds.map(({ name, place, before, after, level, beginsLater }) => {
    const fromWords = (terms: GrantTerms) => safeText`from ${terms.from ?? ""} ${untilWords(terms)}`;
    const instead = before.from === undefined ? safeText`` : safeText` (${fromWords(before)} so far)`;
    const ends = beginsLater
      ? safeText`${level} ${fromWords(after)}${instead}`
      : safeText`${untilWords(before)} → ${untilWords(after)}`;
    return { text: safeText`${name}: ${placeWords(place, review)} ${ends}${reasonWords(after)}` };
  });
}

/** The name with the user id: an e-mail may pass to another person, an id cannot. */
export const nameWords = ({ name, userId, hidden }: PersonReview): SafeText =>
  hidden ? safeText`${name}` : identified(name, userId);

const verbs = { create: "+ new", update: "~ changed", replace: "± replaced", delete: "− deleted" } as const;

/** The organization of the whole review stands in its head. */
function withoutOrganization(change: ResourceChange, { organizations }: Review): ResourceChange {
  const [only, ...others] = organizations;
  const isKnown = (one: PropertyChange) =>
    one.name === organizationKey && !("before" in one) && others.length === 0 && one.after === only;
  return { ...change, properties: change.properties.filter((one) => !isKnown(one)) };
}

/** What a changed resource is, such as `site `: the words before its title. */
type KindOf = (change: ResourceChange) => string;

const nounOf: KindOf = ({ type, urn }) => `${definitionAt(urn)?.review?.noun ?? type} `;

/** Entries do not repeat the noun of their section. */
const nounUnless =
  (ofSection: string): KindOf =>
  (change) =>
    nounOf(change) === `${ofSection} ` ? "" : nounOf(change);

/** `kind`: see `KindOf`. */
export function changeWords(change: ResourceChange, kind: string): SafeText {
  const { operation, cause, properties } = change;
  const again = operation === "create" && cause === "drift" ? " again: it was deleted outside Pulumi" : "";
  const list = joinFirst(properties.map(propertyWords), most, { other: "more property", others: "more properties" });
  const details = properties.length === 0 ? safeText`` : safeText`: ${list}`;
  const verb =
    change.retained && operation === "delete"
      ? `− only removed from the state (${change.retained}):`
      : verbs[operation];
  return safeText`${trusted(verb)}${trusted(doubtOf(change))} ${trusted(kind)}${titleWords(change)}${trusted(again)}${details}`;
}

/** Marks a replacement that the up may not need: a value of another resource is not known yet. */
function doubtOf({ operation, properties }: ResourceChange): string {
  return operation === "replace" && properties.every(({ after }) => containsUnknown(after))
    ? " perhaps (decided during the up)"
    : "";
}

function movedWords({ moved }: Review): Entry[] {
  return moved
    .filter(({ unchanged }) => unchanged > 0)
    .map(({ from, to, unchanged, changed }) => {
      const places = counted(unchanged, "place of a person stays", "places of people stay");
      const others = changed > 0 ? `; ${changed} change, as said above` : "";
      return {
        text: safeText`${from} → ${to}: ${trusted(places)} as ${trusted(unchanged === 1 ? "it is" : "they are")}${trusted(others)}`,
      };
    });
}
