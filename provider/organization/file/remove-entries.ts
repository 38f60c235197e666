import { type Node, type Pair, visit, type YAMLMap } from "yaml";
import type { Point, Source } from "./places";
import { parseYaml } from "./yaml-text";

/** The texts of files without some entries of their maps. Everything else stays as it is, also comments on lines of their own. */
export function removeEntries(keys: readonly Point[]): Map<Source, string> {
  const sources = [...new Set(keys.map(({ source }) => source))];
  return new Map(
    sources.map((source) => {
      const offsets = new Set(keys.filter((one) => one.source === source).map(({ offset }) => offset));
      const edits = findEdits(source, offsets).sort((a, b) => b.from - a.from);
      return [source, edits.reduce((text, { from, to, by }) => text.slice(0, from) + by + text.slice(to), source.text)];
    }),
  );
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly by: string;
}

type Entry = Pair<Node, Node | null>;

function findEdits(source: Source, offsets: ReadonlySet<number>): Edit[] {
  const edits: Edit[] = [];
  visit(parseYaml(source).document, {
    Map: (_, map) => {
      const items = map.items as Entry[];
      const removed = items.filter(({ key }) => offsets.has(startOf(key)));
      if (removed.length === 0) return;
      if (map.flow) edits.push(...editsOfFlow(items, removed));
      else
        edits.push(
          ...(removed.length === items.length ? [emptied(map)] : removed.map((one) => wholeLines(one, source.text))),
        );
    },
  });
  return edits;
}

const startOf = (node: Node): number => node.range?.[0] ?? 0;
/** The end of the value, before a comment. */
const endOf = ({ key, value }: Entry): number => (value ?? key).range?.[1] ?? 0;

function wholeLines(entry: Entry, text: string): Edit {
  // A block text ends with its line break, so the search begins before it.
  const end = text.indexOf("\n", endOf(entry) - (text[endOf(entry) - 1] === "\n" ? 1 : 0));
  return { from: text.lastIndexOf("\n", startOf(entry.key)) + 1, to: end < 0 ? text.length : end + 1, by: "" };
}

/** A map without entries must still be a map. */
const emptied = ({ items }: YAMLMap): Edit => {
  const all = items as Entry[];
  return { from: startOf((all[0] as Entry).key), to: endOf(all.at(-1) as Entry), by: "{}" };
};

/** Removes an entry with the comma after it; behind the last entry that stays, with the comma before it. */
function editsOfFlow(items: readonly Entry[], removed: readonly Entry[]): Edit[] {
  const staying = items.filter((one) => !removed.includes(one));
  const last = staying.at(-1);
  return removed.flatMap((entry): Edit[] => {
    const index = items.indexOf(entry);
    const next = items[index + 1];
    const isAfterKept = last !== undefined && items.indexOf(last) < index;
    if (next && !isAfterKept) return [{ from: startOf(entry.key), to: startOf(next.key), by: "" }];
    const start = isAfterKept && items[index - 1] ? endOf(items[index - 1] as Entry) : startOf(entry.key);
    return [{ from: start, to: endOf(entry), by: "" }];
  });
}
