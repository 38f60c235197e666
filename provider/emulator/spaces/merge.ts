import { isDeepStrictEqual } from "node:util";
import { byId } from "./pages";
import type { Content, PageRecord } from "./record";

export interface Merged {
  readonly content: Content;
  /** Whether both sides changed the same object in different ways; `ours` wins. */
  readonly conflicts: boolean;
}

/** Three-way merge: applies the changes of `ours` since `base` to `theirs`. */
export function mergeContents(base: Content, ours: Content, theirs: Content): Merged {
  let conflicts = false;
  /** The value of the side that changed; that of `ours` if both did. */
  const choose = <Value>(was: Value, our: Value, their: Value): Value => {
    if (isDeepStrictEqual(was, our)) return their;
    if (!isDeepStrictEqual(was, their) && !isDeepStrictEqual(our, their)) conflicts = true;
    return our;
  };
  /** Objects in the order of `theirs`, followed by the additions of `ours`. */
  const merge = <Value>(objectsIn: (content: Content) => ReadonlyMap<string, Value>): Map<string, Value> => {
    const [was, our, their] = [objectsIn(base), objectsIn(ours), objectsIn(theirs)];
    const merged = new Map<string, Value>();
    for (const key of [...their.keys(), ...our.keys()]) {
      const value = choose(was.get(key), our.get(key), their.get(key));
      if (value !== undefined) merged.set(key, value);
    }
    return merged;
  };
  const pages = merge(({ pages }) => byId(pages));
  const placed = [...pages.values()].map((page): PageRecord => {
    if (page.parent === undefined || pages.has(page.parent)) return page;
    // The other side deleted the page above it.
    conflicts = true;
    return { ...page, parent: undefined };
  });
  const content: Content = {
    pages: placed,
    files: [...merge(({ files }) => byId(files)).values()],
    reusableContents: [...merge(({ reusableContents }) => byId(reusableContents)).values()],
    variables: Object.fromEntries(merge(({ variables }) => new Map(Object.entries(variables)))),
  };
  return { content, conflicts };
}
