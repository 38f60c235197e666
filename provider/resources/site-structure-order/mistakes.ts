import { dotted, nearest } from "../../text/mistakes";
import { type Items, nameOfItem, type StructureItem } from "../site/profile";
import { idOfNode, isSortable, movesTo, type Order, orderIn, withItemIds } from "./order";

export const useOnce = (first: string) => `use each id once: it is already listed at ${first}`;

type Path = readonly PropertyKey[];

interface Repeated {
  readonly path: Path;
  /** The path of the first occurrence of the id: `order[0].order[1]`. */
  readonly first: string;
}

export function findRepeated(order: Order): Repeated[] {
  const firstPaths = new Map<string, string>();
  const repeated: Repeated[] = [];
  for (const { id, path } of listedIn(order, [])) {
    const first = firstPaths.get(id);
    if (first === undefined) firstPaths.set(id, dotted(["order", ...path]));
    else repeated.push({ path, first });
  }
  return repeated;
}

function listedIn(order: Order, above: Path): { id: string; path: Path }[] {
  return order.flatMap((node, index) => {
    const path = [...above, index];
    if (typeof node === "string") return [{ id: node, path }];
    return [{ id: node.id, path: [...path, "id"] }, ...listedIn(node.order, [...path, "order"])];
  });
}

interface Level {
  readonly items: Items;
  /** The parent item; absent at the top. */
  readonly parent?: StructureItem;
  readonly path: Path;
}

interface Placed {
  readonly item: StructureItem;
  readonly parent: StructureItem | undefined;
}

/** The moves that a list requires, or the mistakes because of which it cannot be applied. Items stay in their parent. */
export function planMoves(order: Order, structure: Items) {
  const items = withItemIds(order, structure);
  const everywhere = new Map(placedIn(structure).map((placed) => [placed.item.id, placed]));
  const repeated = findRepeated(items).map(({ path, first }) => `${dotted(["order", ...path])}: ${useOnce(first)}`);
  const mistakes = [...repeated, ...mistakesAt(items, { items: structure, path: ["order"] }, everywhere)];
  return { moves: mistakes.length === 0 ? movesTo(items, structure) : [], mistakes };
}

function placedIn(items: Items, parent?: StructureItem): Placed[] {
  return items.flatMap((item) => [{ item, parent }, ...placedIn(item.inside ?? [], item)]);
}

function mistakesAt(order: Order, level: Level, everywhere: ReadonlyMap<string, Placed>): string[] {
  return order.flatMap((node, index) => {
    const path = [...level.path, index];
    const item = level.items.find(({ id }) => id === idOfNode(node));
    const at = dotted(path);
    if (!item) return [`${at}: ${explainAbsence(idOfNode(node), level, everywhere)}`];
    if (!isSortable(item))
      return [`${at}: ${nameOfItem(item)} is of a kind that this version of pulumi-docs-org cannot sort; remove it`];
    if (orderIn(node).length === 0) return [];
    if (!item.inside) return [`${at}: ${nameOfItem(item)} contains nothing that can be sorted; list only its id`];
    return mistakesAt(orderIn(node), { items: item.inside, parent: item, path: [...path, "order"] }, everywhere);
  });
}

function explainAbsence(id: string, { parent }: Level, everywhere: ReadonlyMap<string, Placed>): string {
  const elsewhere = everywhere.get(id);
  if (elsewhere)
    return (
      `${nameOfItem(elsewhere.item)} is ${placeOf(elsewhere.parent)}, not ${placeOf(parent)}; list it where it is, or move it ` +
      "in the service first: the API can only change the order among siblings, not move an item to another parent"
    );
  const items = [...everywhere.values()].map(({ item }) => item);
  const siteSpaces = items.filter(({ space }) => space === id).map((item) => item.id);
  if (siteSpaces.length > 0)
    return `space ${id} is in the site more than once (${siteSpaces.join(", ")}): use the id of a site space`;
  const names = items.flatMap((item) => (item.space === undefined ? [item.id] : [item.id, item.space]));
  const guess = nearest(id, [...new Set(names)]);
  const hint = guess === undefined ? "" : `; did you mean "${guess}"?`;
  return `"${id}" is not in the structure: it was deleted, or the id is wrong; remove it or correct it${hint}`;
}

const placeOf = (parent: StructureItem | undefined) => (parent ? `in ${nameOfItem(parent)}` : "at the top");
