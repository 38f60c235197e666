import { type Severity, titleWords } from "../../lifecycle/review";
import { containsUnknown } from "../../run/properties";
import { counted, joined, type Words, words } from "../../text/words";
import { type Access, type Effect, isAccepted, isLeft, isTaken } from "../model/access";
import { reviewPartOf } from "../model/definitions";
import type { PersonReview } from "../model/person-review";
import type { ResourceChange } from "../model/properties";
import type { Review } from "../model/review";
import { accessWords, levelWords, placeWords, propertyWords, reasonWords, untilWords } from "../model/sentences";
import type { SignIn } from "../model/sign-ins";

/** One part of the review: entries under a title, the same in every format. */
export interface Section {
  /** The anchor in the page, which stays the same in later versions. */
  readonly id: string;
  readonly title: string;
  /** The noun for one entry, for the number of entries that are not shown. */
  readonly one: string;
  readonly many: string;
  readonly symbol: string;
  readonly entries: readonly Entry[];
}

export interface Entry {
  readonly text: Words;
  readonly severity?: Severity;
}

/** Everything below the verdict, the most important first; empty sections are left out. */
export function sectionsOf(review: Review): Section[] {
  const section = (id: string, symbol: string, title: string, [one, many]: [string, string], texts: Words[]) => {
    return { id, title, one, many, symbol, entries: texts.map((text): Entry => ({ text })) };
  };
  const people: [string, string] = ["person", "people"];
  const resources: [string, string] = ["resource", "resources"];
  return [
    { ...section("risks", "⚠", "What to look at", ["risk", "risks"], []), entries: riskEntries(review) },
    section("gains", "▲", "Who gains access", people, peopleWith(review, "gains")),
    section("loses", "▼", "Who loses access", people, peopleWith(review, "loses")),
    section("changes", "◆", "Other access changes", people, peopleWith(review, "changes")),
    section("grant-ends", "◷", "Grants whose end or release changes", ["grant", "grants"], endWords(review)),
    section("accepted", "◆", "Changed by hand, declared from now on", people, acceptedWords(review)),
    section("sign-ins", "⇥", "Defaults at sign-in", ["provider", "providers"], review.signIns.map(signInWords)),
    section("sites", "◼", "Sites", ["change", "changes"], review.sites.map(listedAs("site"))),
    section(
      "translations",
      "◼",
      "Translations",
      ["change", "changes"],
      review.translations.map(listedAs("translation")),
    ),
    section(
      "others",
      "◼",
      "Other resources",
      resources,
      review.others.map((change) => changeWords(change)),
    ),
    section("released", "○", "No longer managed, access stays", people, releasedWords(review)),
    section("taken", "●", "Managed from now on, access stays", people, takenWords(review)),
    section("moved", "↔", "Moved, no change of access", resources, movedWords(review)),
    section(
      "warnings",
      "!",
      "Warnings of the preview",
      ["warning", "warnings"],
      review.warnings.map(({ text, resource }) => {
        return words`${resource === undefined ? words`` : words`${resource}: `}${text}`;
      }),
    ),
  ].filter(({ entries }) => entries.length > 0);
}

function riskEntries({ risks }: Review): Entry[] {
  return risks.map(({ words: text, severity }) => ({ text, severity }));
}

/** Maximum number of places of one person, or properties of one resource, in one entry. */
const most = 40;

/** Stronger than the commas and semicolons inside the words of one place. */
const betweenPlaces = " · ";

const peopleWith = (review: Review, effect: Effect): Words[] =>
  peopleWhere(review, (access) => access.effect === effect);

function peopleWhere(review: Review, chosen: (access: Access) => boolean): Words[] {
  return review.people.flatMap((person) => {
    const some = person.access.filter(chosen);
    return some.length > 0 ? [personWords(person, some, review)] : [];
  });
}

function personWords(person: PersonReview, access: readonly Access[], review: Review): Words {
  const places = joined(
    access.slice(0, most).map((one) => accessWords(one, review)),
    betweenPlaces,
  );
  const more = access.length > most ? ` and ${counted(access.length - most, "more place")}` : "";
  return words`${person.name}${[idOf(person)].flat()}: ${places}${[more]}`;
}

function endWords(review: Review): Words[] {
  return review.grantEnds.map(({ name, place, before, after }) => {
    return words`${name}: ${placeWords(place, review)} ${untilWords(before)} → ${untilWords(after)}${reasonWords(after)}`;
  });
}

/** The user id after an e-mail: an e-mail may pass to another person, an id cannot. */
function idOf({ name, userId, hidden }: PersonReview): Words {
  if (hidden) return [" (not visible in the preview)"];
  return userId === undefined || userId === name ? [] : words` (${userId})`;
}

function signInWords({ label, role, team, removed, created, cause, unseen }: SignIn): Words {
  const side = (what: string, { before, after }: SignIn["role"]) => {
    const was = before === after || created ? words`` : words`${levelWords(before, "role")} → `;
    return words`${[what]} ${was}${after === "unknown" && !unseen ? ["of the service's own choice"] : levelWords(after, "role")}`;
  };
  if (removed) return words`${label}: nobody can sign in with it after the change`;
  const back = cause === "declared" ? "" : "; changed outside Pulumi, and this up sets it back";
  return words`${label}: ${side("role", role)}, ${side("team", team)}, for the first sign-in${[back]}`;
}

const verbs = { create: "+ new", update: "~ changed", replace: "± replaced", delete: "− deleted" } as const;

/** Leaves out the noun if it is the usual one of the section, because the title has it. */
const listedAs = (usual: string) => (change: ResourceChange) => {
  const { noun = change.type } = reviewPartOf(change.type);
  return changeWords(change, noun === usual ? "" : `${noun} `);
};

function changeWords(change: ResourceChange, what = `${change.type} `): Words {
  const { operation, cause, properties } = change;
  const again = operation === "create" && cause === "drift" ? " again: it was deleted outside Pulumi" : "";
  const list = joined(properties.slice(0, most).map(propertyWords));
  const details = properties.length === 0 ? words`` : words`: ${list}`;
  const more =
    properties.length > most ? ` and ${counted(properties.length - most, "more property", "more properties")}` : "";
  const verb =
    change.retained && operation === "delete" ? "− no longer managed, stays (retainOnDelete):" : verbs[operation];
  return words`${[verb]}${[maybe(change)]} ${[what]}${titleWords(change)}${[again]}${details}${[more]}`;
}

/** Marks a replacement that the up may not need: a value of another resource is not known yet. */
function maybe({ operation, properties }: ResourceChange): string {
  return operation === "replace" && properties.every(({ after }) => containsUnknown(after))
    ? " perhaps (decided during the up)"
    : "";
}

const releasedWords = (review: Review): Words[] => peopleWhere(review, isLeft);

const acceptedWords = (review: Review): Words[] => peopleWhere(review, isAccepted);
const takenWords = (review: Review): Words[] => peopleWhere(review, isTaken);

function movedWords({ moved }: Review): Words[] {
  return moved
    .filter(({ unchanged }) => unchanged > 0)
    .map(({ from, to, unchanged, changed }) => {
      const places = counted(unchanged, "place of a person stays", "places of people stay");
      const others = changed > 0 ? `; ${changed} change, as said above` : "";
      return words`${from} → ${to}: ${[places]} as ${[unchanged === 1 ? "it is" : "they are"]}${[others]}`;
    });
}

/** The limits of the preview that a reader must know. */
export function limitsOf({ refreshed, partial, refusals, people }: Review): string[] {
  return [
    ...(refusals.length > 0
      ? ["The preview stopped: this review is incomplete, and manual changes may be missing."]
      : []),
    ...(partial ? ["The preview covers only a part of the stack (--target or --exclude)."] : []),
    ...(refreshed
      ? []
      : ["The preview did not check for drift (no --refresh): the live values are those of the state."]),
    ...(people.some(({ hidden }) => hidden) ? ["Some people are hidden: secret, or known only during the up."] : []),
  ];
}
