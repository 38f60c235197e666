import { isDeepStrictEqual } from "node:util";
import { walk } from "./pages";
import type { Content, PageRecord } from "./record";

/** Three-way merge of contents. */

export interface Merged {
  readonly content: Content;
  /** Whether both sides changed the same object in different ways; `ours` wins. */
  readonly conflicts: boolean;
}

/** Applies the changes of `ours` since `base` to `theirs`. */
export function mergeContents(base: Content, ours: Content, theirs: Content): Merged {
  if (base === theirs) return { content: ours, conflicts: false };
  if (base === ours) return { content: theirs, conflicts: false };
  const conflict = { seen: false };
  const items = <Item extends { readonly id: string }>(pick: (content: Content) => readonly Item[]) => [
    ...mergeMaps(mapOf(pick(base)), mapOf(pick(ours)), mapOf(pick(theirs)), conflict).values(),
  ];
  const variables = [base, ours, theirs].map((one) => new Map(Object.entries(one.variables))) as [Pairs, Pairs, Pairs];
  const content: Content = {
    pages: mergePages(base, ours, theirs, conflict),
    files: items((one) => one.files),
    reusableContents: items((one) => one.reusableContents),
    variables: Object.fromEntries(mergeMaps(...variables, conflict)),
  };
  return { content, conflicts: conflict.seen };
}

type Pairs = Map<string, Content["variables"][string]>;

interface Conflict {
  seen: boolean;
}

const mapOf = <Item extends { readonly id: string }>(items: readonly Item[]) =>
  new Map(items.map((item) => [item.id, item]));

/** Merges maps in the order of `theirs`, followed by the additions of `ours`. */
function mergeMaps<Value>(
  base: ReadonlyMap<string, Value>,
  ours: ReadonlyMap<string, Value>,
  theirs: ReadonlyMap<string, Value>,
  conflict: Conflict,
): Map<string, Value> {
  const result = new Map<string, Value>();
  for (const key of new Set([...theirs.keys(), ...ours.keys()])) {
    const value = choose(base.get(key), ours.get(key), theirs.get(key), conflict);
    if (value !== undefined) result.set(key, value);
  }
  return result;
}

/** The value of the side that changed; `ours` if both did. */
function choose<Value>(base: Value, ours: Value, theirs: Value, conflict: Conflict): Value {
  if (same(base, ours)) return theirs;
  if (!same(base, theirs) && !same(ours, theirs)) conflict.seen = true;
  return ours;
}

const same = (a: unknown, b: unknown) => a === b || isDeepStrictEqual(a, b);

/** A page without the pages below it and without dates. */
type Own = Omit<PageRecord, "pages" | "createdAt" | "updatedAt">;

interface Node {
  readonly page: PageRecord;
  readonly own: Own;
  /** Id of the page above; empty at the top. */
  readonly parent: string;
}

function nodesOf(content: Content): Map<string, Node> {
  const nodes = new Map<string, Node>();
  for (const { page, ancestors } of walk(content.pages)) {
    nodes.set(page.id, { page, own: ownOf(page), parent: ancestors.at(-1)?.id ?? top });
  }
  return nodes;
}

const top = "";

/** The page without its children and dates: the part that an edit of the page changes. */
export function ownOf({ pages: _, createdAt: __, updatedAt: ___, ...own }: PageRecord): Own {
  return own;
}

function mergePages(base: Content, ours: Content, theirs: Content, conflict: Conflict): readonly PageRecord[] {
  const [b, o, t] = [nodesOf(base), nodesOf(ours), nodesOf(theirs)];
  const result = new Map<string, { page: PageRecord; parent: string }>();
  for (const id of new Set([...t.keys(), ...o.keys()])) {
    const own = choose(b.get(id)?.own, o.get(id)?.own, t.get(id)?.own, conflict);
    if (own === undefined) continue;
    const page = own === o.get(id)?.own ? (o.get(id) as Node).page : (t.get(id) as Node).page;
    const parent = choose(b.get(id)?.parent, o.get(id)?.parent, t.get(id)?.parent, conflict);
    // There is no parent if `theirs` removed the page that `ours` only changed.
    result.set(id, { page, parent: parent ?? o.get(id)?.parent ?? top });
  }
  attachLoose(result, conflict);
  return buildBelow(top, result);
}

/** Moves a page to the top, as a conflict, if its parent was deleted or is now below the page itself. */
function attachLoose(result: Map<string, { page: PageRecord; parent: string }>, conflict: Conflict): void {
  for (const [id, node] of result) {
    const seen = new Set([id]);
    let above = node.parent;
    while (above !== top && result.has(above) && !seen.has(above)) {
      seen.add(above);
      above = result.get(above)?.parent ?? top;
    }
    const parentGone = node.parent !== top && !result.has(node.parent);
    if (!parentGone && above !== id) continue;
    node.parent = top;
    conflict.seen = true;
  }
}

type Pages = ReadonlyMap<string, { readonly page: PageRecord; readonly parent: string }>;

/** The pages below a page, in the order of the space, followed by the additions of the change request. */
function buildBelow(parent: string, result: Pages): readonly PageRecord[] {
  return [...result].flatMap(([id, node]) => {
    if (node.parent !== parent) return [];
    const { page } = node;
    const pages = buildBelow(id, result);
    const asBefore = pages.length === page.pages.length && pages.every((one, index) => one === page.pages[index]);
    return [asBefore ? page : { ...page, pages }];
  });
}
