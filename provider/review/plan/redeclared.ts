import type { Entry, Plan } from "../../access/plan-file";
import { organizationKey } from "../model/declarations";
import { isOurs, isSeen, listed, meaningOf, unseen } from "./declared-text";

/** A property that was reviewed and is declared differently now, by a resource that changes. */
export interface Redeclared {
  readonly urn: string;
  readonly name: string;
  /** The difference as an entry of the fresh plan. */
  readonly entry: Entry;
}

/** Properties that may be added without another review: they only stop the engine from deleting something. */
const protections = ["protect", "retainOnDelete"];

/** Finds properties that a changing resource declares differently than at the review. */
export function findRedeclared(reviewed: Plan, fresh: Plan): Redeclared[] {
  return pairDeclarations(reviewed, fresh).flatMap(([urn, before, now]) => {
    const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
    return names
      .filter((name) => differs(urn, name, before, now))
      .map((name) => describeRedeclared(urn, name, before, now));
  });
}

/** Changing resources whose organization is unknown in one of the plans. */
export function listOfUnknownOrganization(reviewed: Plan, fresh: Plan): string[] {
  const unknown = pairDeclarations(reviewed, fresh).filter(([urn, ...both]) => {
    return isOurs(urn) && both.some((declared) => declared[organizationKey] === undefined);
  });
  return unknown.map(([urn]) => subjectOf(urn));
}

/** Declared properties that no other entry has, because they are secret or known only during the up. */
export function listUnseen({ declared }: Plan): Entry[] {
  return Object.entries(declared).flatMap(([urn, properties]) => {
    const names = Object.keys(properties).filter((name) => properties[name] === unseen);
    return names.map((what): Entry => ({ kind: "resource", what, subject: subjectOf(urn), urn, hidden: true }));
  });
}

/**
 * The resources whose reviewed creation was interrupted: the fresh preview updates them, and their declarations are exactly the
 * reviewed ones.
 */
export function findBegun(reviewed: Plan, fresh: Plan): ReadonlySet<string> {
  const has = ({ entries }: Plan, urn: string, operation: string) =>
    entries.some((entry) => entry.kind === "resource" && entry.urn === urn && entry.what === operation);
  const found = pairDeclarations(reviewed, fresh).filter(([urn, before, now]) => {
    const isBegun = isOurs(urn) && has(reviewed, urn, "create") && has(fresh, urn, "update");
    return isBegun && isSameDeclaration(urn, before, now);
  });
  return new Set(found.map(([urn]) => urn));
}

function isSameDeclaration(urn: string, before: Declared, now: Declared): boolean {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names.every((name) => {
    const [a, b] = [before[name], now[name]];
    if (a === undefined || b === undefined) return a === b;
    return isSeen(a) && isSeen(b) && meaningOf(urn, name, a) === meaningOf(urn, name, b);
  });
}

type Declared = Readonly<Record<string, string>>;

function pairDeclarations({ declared: before }: Plan, { declared: now }: Plan): [string, Declared, Declared][] {
  return Object.entries(now).flatMap(([urn, declared]) => {
    const known = before[urn];
    return known === undefined ? [] : [[urn, known, declared]];
  });
}

/** Whether the declaration differs in a way that no other entry shows. An added property has its own entry; unseen values cannot be compared. */
function differs(urn: string, name: string, { [name]: before }: Declared, { [name]: now }: Declared): boolean {
  if (before === undefined) return false;
  if (now === undefined) return name !== organizationKey && !(before === listed && isOurs(urn));
  if (!isSeen(before) || !isSeen(now) || protections.includes(name)) return false;
  return meaningOf(urn, name, before) !== meaningOf(urn, name, now);
}

function describeRedeclared(
  urn: string,
  name: string,
  { [name]: before }: Declared,
  { [name]: now }: Declared,
): Redeclared {
  const reviewed = before === undefined || !isSeen(before) ? "" : ` (${before} was reviewed)`;
  const what = `${name}: ${now ?? "no longer declared"}${reviewed}`;
  return { urn, name, entry: { kind: "resource", what, subject: subjectOf(urn), urn } };
}

/** `Site handbook`. */
function subjectOf(urn: string): string {
  const [types = "", ...names] = urn.split("::").slice(2);
  return `${types.split(/[$:]/).at(-1)} ${names.join("::")}`;
}
