import { parseAge } from "../run/age";
import { type Finding, idOf, type PersonAccess, placesOf } from "./report";

/** What `--fail-on` may name. Those with an age name people or grants by it. */
export interface Condition {
  /** As the user wrote it: `inactive=90d`. */
  readonly text: string;
  readonly kind: keyof typeof conditions;
  readonly age: number;
}

type Applies = (person: PersonAccess, age: number, now: Date) => boolean;

const hasRole = ({ role, state }: PersonAccess): boolean =>
  role.level !== undefined && role.level !== "guest" && state === "active";

const conditions = {
  "undeclared-admin": ({ role }) => role.level === "admin" && role.declared === undefined,
  "no-sso": (person) => hasRole(person) && !person.sso,
  // Somebody who has never been seen counts from the day of joining.
  inactive: (person, age, now) =>
    hasRole(person) && Date.parse(person.lastSeenAt ?? person.joinedAt ?? "") <= now.getTime() - age,
  expiring: (person, age, now) => placesOf(person).some(({ declared }) => endsWithin(declared, age, now)),
} satisfies Record<string, Applies>;

/** A grant ends with its last day. */
function endsWithin(declared: PersonAccess["role"]["declared"], age: number, now: Date): boolean {
  if (declared?.expires === undefined || declared.hasEnded) return false;
  return Date.parse(declared.expires) <= now.getTime() + age;
}

/** Parses a value of `--fail-on`; `undefined` if it is none. */
export function parseCondition(text: string): Condition | undefined {
  const [name = "", age] = text.split("=");
  if (!Object.hasOwn(conditions, name)) return undefined;
  const kind = name as Condition["kind"];
  const milliseconds = age === undefined ? undefined : parseAge(age);
  if ((kind === "inactive" || kind === "expiring") !== (milliseconds !== undefined)) return undefined;
  return age !== undefined && milliseconds === undefined ? undefined : { text, kind, age: milliseconds ?? 0 };
}

/** What a list always looks for, unless the user asks for another age. */
const usual = ["undeclared-admin", "inactive=90d", "expiring=30d"].map(parseCondition) as readonly Condition[];

export const conditionsWith = (asked: readonly Condition[]): Condition[] => [
  ...usual.filter(({ kind }) => !asked.some((one) => one.kind === kind)),
  ...asked,
];

export function findMatches(all: readonly Condition[], people: readonly PersonAccess[], now: Date): Finding[] {
  return all.flatMap(({ kind, age, text }) => {
    const applies: Applies = conditions[kind];
    const found = people.filter((person) => applies(person, age, now));
    return found.length === 0 ? [] : [{ condition: text, people: found.map(idOf) }];
  });
}
