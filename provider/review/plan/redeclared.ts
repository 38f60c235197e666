import type { Entry, Plan } from "../../access/plan-file";
import { organizationKey } from "../model/declarations";

/** A property that was reviewed and is declared differently now, by a resource that changes. */
export interface Redeclared {
  readonly urn: string;
  readonly name: string;
  /** It as an entry of the fresh plan. */
  readonly entry: Entry;
}

/** What more may be declared without another review: it only keeps the engine from deleting something. */
const protections = ["protect", "retainOnDelete"];

/** What the resources that change do not declare as they did at the review; a plan of version 1 does not tell. */
export function redeclaredIn(reviewed: Plan, fresh: Plan): Redeclared[] {
  return pairs(reviewed, fresh).flatMap(([urn, before, now]) => {
    const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
    return names.filter((name) => differs(name, before, now)).map((name) => redeclared(urn, name, before, now));
  });
}

/** Resources whose organization one of the plans does not tell. */
export function ofUnknownOrganization(reviewed: Plan, fresh: Plan): string[] {
  const unknown = pairs(reviewed, fresh).filter(([urn, ...both]) => {
    return isOurs(urn) && both.some((declared) => declared[organizationKey] === undefined);
  });
  return unknown.map(([urn]) => subjectOf(urn));
}

type Declared = Readonly<Record<string, string>>;

function pairs({ declared: before = {} }: Plan, { declared: now = {} }: Plan): [string, Declared, Declared][] {
  return Object.entries(now).flatMap(([urn, declared]) => {
    const known = before[urn];
    return known === undefined ? [] : [[urn, known, declared]];
  });
}

/** What is added is an entry of its own, and so is what cannot be seen. */
function differs(name: string, before: Declared, now: Declared): boolean {
  if (before[name] === undefined) return false;
  if (now[name] === undefined) return name !== organizationKey;
  return before[name] !== now[name] && before[name] !== unseen && now[name] !== unseen && !protections.includes(name);
}

function redeclared(urn: string, name: string, { [name]: before }: Declared, { [name]: now }: Declared): Redeclared {
  const reviewed = before === unseen ? "" : ` (${before} was reviewed)`;
  const what = `${name}: ${now ?? "no longer declared"}${reviewed}`;
  return { urn, name, entry: { kind: "resource", what, subject: subjectOf(urn), urn } };
}

/** Stands for a value of which a part is a secret or known only during the up. */
export const unseen = "";

const isOurs = (urn: string): boolean => /[:$]pulumi-nodejs:dynamic\/docs:\w+::/.test(urn);

/** `Site handbook`. */
function subjectOf(urn: string): string {
  const [types = "", ...names] = urn.split("::").slice(2);
  return `${types.split(/[$:]/).at(-1)} ${names.join("::")}`;
}
