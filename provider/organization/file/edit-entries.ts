import { type Node, type Pair, visit } from "yaml";
import type { Point, SourceFile } from "./places";
import { parseYaml } from "./yaml-text";

/** What happens to the entry of a map whose key begins at the point. All texts are YAML. */
export interface EntryChange extends Point {
  /** The new value. Without it, and without `next`, the entry is removed. */
  readonly value?: string | undefined;
  /** New entries after it. */
  readonly next?: readonly string[];
}

/**
 * The texts of files after changes of entries of their maps, in the order of the last change of each. Everything else stays as it
 * is, also comments on lines of their own.
 */
export function editEntries(changes: readonly EntryChange[]): Map<SourceFile, string> {
  const texts = new Map<SourceFile, string>();
  for (const { source } of changes) {
    // Set anew, so that the last change of a file decides about its place in the order.
    texts.delete(source);
    texts.set(source, source.text);
  }
  for (const source of texts.keys()) {
    const own = new Map(changes.filter((one) => one.source === source).map((one) => [one.offset, one]));
    let { text } = source;
    // From the end to the beginning, so that the offsets of the other edits stay right.
    for (const { from, to, by } of findEdits(source, own).sort((a, b) => b.from - a.from))
      text = text.slice(0, from) + by + text.slice(to);
    texts.set(source, text);
  }
  return texts;
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly by: string;
}

type Entry = Pair<Node, Node | null>;

function findEdits(source: SourceFile, changes: ReadonlyMap<number, EntryChange>): Edit[] {
  const edits: Edit[] = [];
  visit(parseYaml(source).document, {
    Map: (_, map) => {
      const items = map.items as Entry[];
      const removed: Entry[] = [];
      for (const entry of items) {
        const change = changes.get(startOf(entry.key));
        if (!change) continue;
        const { value, next } = change;
        if (value !== undefined) edits.push(replaceValue(entry, value, source.text));
        if (next) edits.push(addEntries(entry, next, source.text, map.flow === true));
        if (value === undefined && !next) removed.push(entry);
      }
      if (removed.length === 0) return;
      if (map.flow) edits.push(...editsOfFlow(items, removed));
      else if (removed.length === items.length) edits.push(emptyMap(items));
      else edits.push(...removed.map((one) => wholeLines(one, source.text)));
    },
  });
  return edits;
}

const startOf = (node: Node): number => node.range?.[0] ?? 0;
/** The end of the value, before a comment. */
const endOf = ({ key, value }: Entry): number => (value ?? key).range?.[1] ?? 0;

/** The range of a block text includes its last line break, which stays. Behind the colon of an empty value, there is no space yet. */
function replaceValue(entry: Entry, value: string, text: string): Edit {
  const [from, to] = [startOf(entry.value ?? entry.key), endOf(entry)];
  const before = text[from - 1] === ":" ? " " : "";
  const after = text[to - 1] === "\n" ? lineBreakIn(text) : "";
  return { from, to, by: `${before}${value}${after}` };
}

function addEntries(entry: Entry, next: readonly string[], text: string, isFlow: boolean): Edit {
  if (isFlow) return { from: endOf(entry), to: endOf(entry), by: next.map((one) => `, ${one}`).join("") };
  const { from, to } = wholeLines(entry, text);
  const indent = text.slice(from, startOf(entry.key));
  const lineBreak = lineBreakIn(text);
  const start = text[to - 1] === "\n" ? "" : lineBreak;
  return { from: to, to, by: start + next.map((one) => `${indent}${one}${lineBreak}`).join("") };
}

const lineBreakIn = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");

function wholeLines(entry: Entry, text: string): Edit {
  const valueEnd = endOf(entry);
  // A block text ends with its line break, so the search begins before it.
  const end = text.indexOf("\n", text[valueEnd - 1] === "\n" ? valueEnd - 1 : valueEnd);
  return { from: text.lastIndexOf("\n", startOf(entry.key)) + 1, to: end < 0 ? text.length : end + 1, by: "" };
}

/** A map without entries must still be a map. */
const emptyMap = (items: readonly Entry[]): Edit => {
  return { from: startOf((items[0] as Entry).key), to: endOf(items.at(-1) as Entry), by: "{}" };
};

/** Removes an entry with the comma after it; behind the last entry that stays, with the comma before it. */
function editsOfFlow(items: readonly Entry[], removed: readonly Entry[]): Edit[] {
  const staying = items.filter((one) => !removed.includes(one));
  const last = staying.at(-1);
  return removed.map((entry): Edit => {
    const index = items.indexOf(entry);
    const next = items[index + 1];
    const isAfterKept = last !== undefined && items.indexOf(last) < index;
    if (isAfterKept) return { from: endOf(items[index - 1] as Entry), to: endOf(entry), by: "" };
    return { from: startOf(entry.key), to: next ? startOf(next.key) : endOf(entry), by: "" };
  });
}
