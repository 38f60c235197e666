import { endsWithin } from "../access-plan/grants";
import { ageIn } from "../run/age";
import { type ConditionMatch, declaredNow, idOfPerson, isStillGiven, type PersonAccess, placesOf } from "./report";

/** What `--fail-on` may name: `no-sso`, or with an age `inactive=90d`. */
export interface AccessCondition {
  /** As the user wrote it. */
  readonly text: string;
  readonly kind: keyof typeof conditions;
  readonly age?: number | undefined;
}

type Applies = (person: PersonAccess, age: number, now: number) => boolean;

const hasRole = ({ role: { level = "guest" }, state }: PersonAccess): boolean =>
  level !== "guest" && state === "active";

const conditions = {
  "undeclared-admin": ({ role }) =>
    role.level === "admin" && (!role.declared || declaredNow(role.declared) !== "admin"),
  "no-sso": (person) => hasRole(person) && !person.sso,
  // Somebody who has never been seen counts from the day of joining.
  inactive: (person, age, now) =>
    hasRole(person) && Date.parse(person.lastSeenAt ?? person.joinedAt ?? "") <= now - age,
  ended: (person) => placesOf(person).some(isStillGiven),
  expiring: (person, age, now) =>
    placesOf(person).some(({ declared: { expires: on } = {} }) => {
      return on !== undefined && endsWithin({ expires: { on, then: "" } }, { now: new Date(now), period: age });
    }),
} satisfies Record<string, Applies>;

/** The condition that a value of `--fail-on` names. */
export function conditionOf(text: string): AccessCondition {
  const kind = text.split("=", 1)[0] as AccessCondition["kind"];
  return { text, kind, age: ageIn(text, kind) };
}

/** What a list always looks for, unless the user asks for another age. */
const usual = ["undeclared-admin", "ended", "inactive=90d", "expiring=30d"].map(conditionOf);

export function findMatches(
  asked: readonly AccessCondition[],
  people: readonly PersonAccess[],
  now: Date,
): ConditionMatch[] {
  const others = usual.filter(({ kind }) => !asked.some((one) => one.kind === kind));
  return [...others, ...asked].flatMap(({ kind, age = 0, text }) => {
    const applies: Applies = conditions[kind];
    const found = people.filter((person) => applies(person, age, now.getTime()));
    return found.length === 0 ? [] : [{ condition: text, people: found.map(idOfPerson) }];
  });
}
