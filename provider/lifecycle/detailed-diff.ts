import { isDeepStrictEqual } from "node:util";
import { type Properties, sameValue } from "../run/properties";
import type { AnyDefinition } from "./definition";

/** A changed property, with its path as the engine writes one: `roles["ada@acme.test"]`, `items[0].title`. */
export interface PropertyChange {
  readonly path: string;
  readonly kind: "add" | "delete" | "update";
  readonly replaces: boolean;
}

interface Options {
  readonly replaces: readonly string[];
  /** Properties whose entries are not named, since a path is shown as it is. */
  readonly secrets: ReadonlySet<string>;
}

/** Lists what differs between two declarations, for a display that shows each changed entry of a map by itself. */
export function detailedDifference(
  { equal }: AnyDefinition,
  recorded: Properties,
  declared: Properties,
  { replaces, secrets }: Options,
): PropertyChange[] {
  return namesIn(recorded, declared).flatMap((name) => {
    const [before, after] = [recorded[name], declared[name]];
    if (sameValue(equal, name, before, after)) return [];
    const hidesEntries = secrets.has(name) && before !== undefined && after !== undefined;
    const changes = hidesEntries
      ? [{ path: name, kind: "update" as const }]
      : changesAt(pathTo("", name), before, after);
    return changes.map((change) => ({ ...change, replaces: replaces.includes(name) }));
  });
}

function changesAt(path: string, before: unknown, after: unknown): Omit<PropertyChange, "replaces">[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (before === undefined) return [{ path, kind: "add" }];
  if (after === undefined) return [{ path, kind: "delete" }];
  // Lists are compared as a whole: after an insertion, each later index would count as changed.
  if (!isMap(before) || !isMap(after)) return [{ path, kind: "update" }];
  const names = namesIn(before, after);
  if (!names.every(hasPath)) return [{ path, kind: "update" }];
  return names.flatMap((name) => changesAt(pathTo(path, name), before[name], after[name]));
}

const namesIn = (...all: Properties[]): string[] => [...new Set(all.flatMap(Object.keys))];

const isMap = (value: unknown): value is Properties =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The engine takes a backslash before the closing quote as a part of the name, and the whole command fails (seen with 3.259). */
const hasPath = (name: string): boolean => !name.endsWith("\\");

function pathTo(above: string, name: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) return `${above}["${name.replaceAll('"', '\\"')}"]`;
  return above === "" ? name : `${above}.${name}`;
}
