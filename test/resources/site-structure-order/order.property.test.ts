import fc from "fast-check";
import { expect, test } from "vitest";
import type { StructureItem } from "../../../provider/resources/site/profile";
import {
  applyMove,
  liveOrder,
  type Move,
  movesTo,
  type OrderNode,
  sameOrder,
  wholeOrder,
} from "../../../provider/resources/site-structure-order/order";

const section = (id: string, inside: StructureItem[] = []): StructureItem => ({
  type: "site-section",
  id,
  title: id,
  inside,
});
const link = (id: string): StructureItem => ({ type: "site-external-link", id, title: id });
const ids = (items: readonly StructureItem[]) => items.map(({ id }) => id);

/** What the service does with a move, written without the product: out of the list, and in again beside the other item. */
function applied(live: readonly string[], { item, before, after }: Move): string[] {
  const others = live.filter((id) => id !== item.id);
  const beside = String((before ?? after)?.id);
  if (!others.includes(beside) || (before && after)) throw new Error(`${item.id} has no place beside ${beside}`);
  const index = others.indexOf(beside) + (after ? 1 : 0);
  return [...others.slice(0, index), item.id, ...others.slice(index)];
}

/**
 * Length of the longest increasing subsequence, found with the smallest end of each length. Its items can stay and every other item
 * must move, so no way needs fewer moves.
 */
function longestIncreasing(numbers: readonly number[]): number {
  const ends: number[] = [];
  for (const number of numbers) {
    const index = ends.findIndex((end) => end >= number);
    ends[index < 0 ? ends.length : index] = number;
  }
  return ends.length;
}

/** The place where each item belongs: first the listed ones in the order of the list, then the rest in its live order. */
function placesOf(live: readonly string[], list: readonly string[]): number[] {
  return live.map((id, index) => (list.includes(id) ? list.indexOf(id) : list.length + index));
}

/** The items of a level in their live order, and a list of some of them. */
const level = (most: number) =>
  fc
    .integer({ min: 0, max: most })
    .chain((size) => {
      const all = Array.from({ length: size }, (_, index) => `s${index}`);
      return fc.tuple(fc.shuffledSubarray(all, { minLength: size }), fc.shuffledSubarray(all));
    })
    .map(([live, list]) => ({ live, list }));

test("moves bring any order into any wanted one, and unlisted items follow in their order", () => {
  fc.assert(
    fc.property(level(40), ({ live, list }) => {
      const items = live.map((id) => section(id));
      const moves = movesTo(list, items);
      const goal = [...list, ...live.filter((id) => !list.includes(id))];
      expect(moves.reduce(applied, live)).toEqual(goal);
      expect(ids(moves.reduce<StructureItem[]>(applyMove, items))).toEqual(goal);
      expect(moves).toHaveLength(live.length - longestIncreasing(placesOf(live, list)));
    }),
    { numRuns: 1_000 },
  );
});

test("an unlisted item is moved only if that saves moves", () => {
  fc.assert(
    fc.property(level(12), ({ live, list }) => {
      const moves = movesTo(
        list,
        live.map((id) => section(id)),
      );
      if (moves.every(({ item }) => list.includes(item.id))) return;
      const firstUnlisted = live.findIndex((id) => !list.includes(id));
      // If only listed items moved, all of them would move before the first unlisted one; some of those there may stay.
      const staying = longestIncreasing(placesOf(live.slice(0, firstUnlisted), list));
      const movesOfListedOnly = list.length - staying;
      expect(moves.length).toBeLessThan(movesOfListedOnly);
    }),
    { numRuns: 1_000 },
  );
  const movedIds = (live: string[], list: string[]) =>
    ids(
      movesTo(
        list,
        live.map((id) => section(id)),
      ).map(({ item }) => item),
    );
  expect(movedIds(["new", "a"], ["a"])).toEqual(["a"]);
  expect(movedIds(["new", "a", "b", "c"], ["a", "b", "c"])).toEqual(["new"]);
});

test("a difference is shown exactly if an item must move", () => {
  fc.assert(
    fc.property(level(12), ({ live, list }) => {
      const items = live.map((id) => section(id));
      expect(sameOrder(liveOrder(list, items), list)).toBe(movesTo(list, items).length === 0);
    }),
    { numRuns: 1_000 },
  );
});

test("each level is sorted separately, at any depth", () => {
  fc.assert(
    fc.property(forest(3), fc.infiniteStream(fc.nat()), (nodes, numbers) => {
      const items = named(nodes, "s");
      const order = listOf(items, numbers);
      const moves = movesTo(order, items);
      const after = moves.reduce<StructureItem[]>(applyMove, items);
      expect(movesTo(order, after)).toEqual([]);
      expect(liveOrder(order, after)).toEqual(order);
      expect(movesTo(wholeOrder(after), after)).toEqual([]);
      expect(liveOrder(wholeOrder(after), after)).toEqual(wholeOrder(after));
      expect(everything(after).sort()).toEqual(everything(items).sort());
    }),
  );
});

test("items that cannot be moved are left out", () => {
  const items = [link("x"), section("b"), link("y"), section("a"), link("z")];
  expect(movesTo(["a", "b"], items)).toMatchObject([{ item: { id: "a" }, before: { id: "b" } }]);
  expect(liveOrder(["a", "b"], items)).toEqual(["b", "a"]);
  expect(liveOrder(["b", "a"], items)).toEqual(["b", "a"]);
});

interface Tree {
  readonly inside: Tree[];
}

const forest = (depth: number): fc.Arbitrary<Tree[]> =>
  depth === 0 ? fc.constant([]) : fc.array(fc.record({ inside: forest(depth - 1) }), { maxLength: 4 });

const named = (nodes: readonly Tree[], above: string): StructureItem[] =>
  nodes.map(({ inside }, index) => section(`${above}${index}`, named(inside, `${above}${index}_`)));

/** Some of the items in another order, and some of what is inside them. */
function listOf(items: readonly StructureItem[], numbers: Iterator<number>): OrderNode[] {
  const next = () => Number(numbers.next().value);
  const chosen = items.filter(() => next() % 3 > 0).map((item) => ({ item, key: next() }));
  return chosen
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => {
      const order = listOf(item.inside ?? [], numbers);
      return order.length > 0 ? { id: item.id, order } : item.id;
    });
}

const everything = (items: readonly StructureItem[]): string[] =>
  items.flatMap(({ id, inside }) => [id, ...everything(inside ?? []).map((inner) => `${id} > ${inner}`)]);
