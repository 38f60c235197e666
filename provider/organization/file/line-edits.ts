import { stringify } from "yaml";
import { inert, visible } from "../../text/visible";
import type { EntryChange } from "./edit-entries";
import { filePlaceAt, type Path, type Position, positionAt } from "./places";

/** A change of a line that declares a person. */
export interface LineEdit {
  readonly path: Path;
  /** The new value as YAML; omitted if the entry goes. */
  readonly value?: string;
  /** Whether the file has no entry for the person yet. */
  readonly isNew: boolean;
}

export interface PlacedEdit extends LineEdit {
  /** The position of the changed entry; for a new entry, of the last entry that stays before it, or of the empty map. */
  readonly at: Position;
}

/** The file and line of an edit, and what it does, for a terminal. */
export function editWords({ at, path, value, isNew }: PlacedEdit, note = ""): string {
  const { file, line } = filePlaceAt(at.source, at.key);
  const what = value === undefined ? "removed" : `${isNew ? "new: " : ""}${value}`;
  return inert(`${visible(file)}:${line}: ${visible(path.join("."))}: ${visible(what)}${note}`);
}

/** The changes of entries for `editEntries`. */
export function entryChanges(edits: readonly PlacedEdit[]): EntryChange[] {
  const changes = new Map<Position, EntryChange>();
  for (const { at, path, value, isNew } of edits) {
    const change = changes.get(at) ?? { source: at.source, offset: at.key };
    const entry = `${stringify(path.at(-1)).trim()}: ${value}`;
    if (isNew) changes.set(at, { ...change, next: [...(change.next ?? []), entry] });
    else changes.set(at, { ...change, value });
  }
  return [...changes].map(([at, change]) => {
    const { next, ...others } = change;
    return isEmptyMap(at) && next ? { ...others, value: `{ ${next.join(", ")} }` } : change;
  });
}

const isEmptyMap = ({ inside }: Position): boolean => inside?.size === 0;

export const keyOfPath = (path: Path): string => JSON.stringify(path);

export function positionFor(
  { path, isNew }: LineEdit,
  root: Position,
  removed: ReadonlySet<string> = new Set(),
): Position | undefined {
  if (!isNew) return positionAt(root, path);
  const map = path.slice(0, -1);
  const position = positionAt(root, map);
  if (position && isEmptyMap(position)) return position;
  const entries = [...(position?.inside ?? [])].filter(([key]) => !removed.has(keyOfPath([...map, key])));
  return entries.at(-1)?.[1];
}
