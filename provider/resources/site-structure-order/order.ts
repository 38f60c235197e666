import { isDeepStrictEqual } from "node:util";
import { siteEndpoints } from "../../api/groups/sites";
import { repeatedIn } from "../../people/user";
import { type Items, itemsIn, type StructureItem } from "../site/profile";

/** An entry of a list: an id, or an id with the order of the items inside it. */
export type OrderNode = string | { id: string; order: OrderNode[] };
export type Order = readonly OrderNode[];

/** Moves one item before or after another one of its level. */
export interface Move {
  readonly item: StructureItem;
  readonly before?: StructureItem;
  readonly after?: StructureItem;
}

export const idOfNode = (node: OrderNode): string => (typeof node === "string" ? node : node.id);
export const orderIn = (node: OrderNode): Order => (typeof node === "string" ? [] : node.order);

/** Whether two lists mean the same order: an item without listed children equals its id. */
export function sameOrder(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual((a as Order).map(withoutEmptyOrders), (b as Order).map(withoutEmptyOrders));
}

function withoutEmptyOrders(node: OrderNode): OrderNode {
  return orderIn(node).length === 0
    ? idOfNode(node)
    : { id: idOfNode(node), order: orderIn(node).map(withoutEmptyOrders) };
}

const pointer = siteEndpoints.sortSiteStructure.body.shape.item;

/** Items of a kind that this version cannot refer to stay where they are, and do not count when orders are compared. */
export const isSortable = ({ type, id }: StructureItem): boolean => pointer.safeParse({ type, id }).success;

/**
 * The live order in the form of the list, up to the last listed item: unlisted items belong after it. So an item that was added
 * at the end is not a difference, and an unlisted item before a listed one is.
 */
export const liveOrder = (order: Order, structure: Items): OrderNode[] =>
  spelledLike(order, liveItems(withItemIds(order, structure), structure), structure);

function liveItems(order: Order, structure: Items): OrderNode[] {
  const nodes = new Map(order.map((node) => [idOfNode(node), node]));
  const items = structure.filter(isSortable);
  const last = items.findLastIndex(({ id }) => nodes.has(id));
  return items.slice(0, last + 1).map(({ id, inside }) => {
    const inner = orderIn(nodes.get(id) ?? id);
    return inner.length === 0 ? id : { id, order: liveItems(inner, inside ?? []) };
  });
}

export function wholeOrder(structure: Items): OrderNode[] {
  return structure
    .filter(isSortable)
    .map(({ id, inside = [] }) => withoutEmptyOrders({ id, order: wholeOrder(inside) }));
}

/** The fewest moves that sort each level: every item moves once, except for those that can stay. */
export function movesTo(order: Order, structure: Items): Move[] {
  const items = structure.filter(isSortable);
  const byId = new Map(items.map((item) => [item.id, item]));
  const listed = order.flatMap((node) => byId.get(idOfNode(node)) ?? []);
  const inside = order.flatMap((node) => movesTo(orderIn(node), byId.get(idOfNode(node))?.inside ?? []));
  return [...movesOfLevel(items, new Set(listed)), ...inside];
}

/** Moves each item after the one that it must follow, from the first to the last. */
function movesOfLevel(items: Items, listed: ReadonlySet<StructureItem>): Move[] {
  const wanted = [...listed, ...items.filter((item) => !listed.has(item))];
  const stay = itemsThatStay(items, wanted, listed);
  const firstThatStays = wanted.find((item) => stay.has(item));
  return wanted.flatMap((item, index): Move[] => {
    if (stay.has(item) || !firstThatStays) return [];
    const after = wanted[index - 1];
    return [after ? { item, after } : { item, before: firstThatStays }];
  });
}

/** Items in their order, the last one first. */
interface Chain {
  readonly item: StructureItem;
  readonly weight: number;
  readonly rest: Chain | undefined;
}

/** The largest set of items that are already in the wanted order; of several such sets, the one with the most unlisted items. */
function itemsThatStay(items: Items, wanted: Items, listed: ReadonlySet<StructureItem>): ReadonlySet<StructureItem> {
  const wantedIndexes = new Map(wanted.map((item, index) => [item, index]));
  const indexOf = (item: StructureItem) => wantedIndexes.get(item) ?? 0;
  const chains: Chain[] = [];
  for (const item of items) {
    const rest = heaviestOf(chains.filter((chain) => indexOf(chain.item) < indexOf(item)));
    // All preferences together weigh less than one additional item.
    const weight = items.length + (listed.has(item) ? 1 : 2);
    chains.push({ item, weight: weight + (rest?.weight ?? 0), rest });
  }
  const stay = new Set<StructureItem>();
  for (let chain = heaviestOf(chains); chain; chain = chain.rest) stay.add(chain.item);
  return stay;
}

function heaviestOf(chains: readonly Chain[]): Chain | undefined {
  let heaviest: Chain | undefined;
  for (const chain of chains) if (!heaviest || chain.weight > heaviest.weight) heaviest = chain;
  return heaviest;
}

export function bodyOfMove({ item, before, after }: Move) {
  const pointerTo = ({ type, id }: Move["item"]) => pointer.parse({ type, id });
  const position = { ...(before && { before: pointerTo(before) }), ...(after && { after: pointerTo(after) }) };
  return { item: pointerTo(item), position };
}

export function applyMove(items: Items, move: Move): StructureItem[] {
  const { item, before, after } = move;
  const others = items.filter((one) => !isSameItem(one, item));
  // The item is inside one of these.
  if (others.length === items.length)
    return items.map((one) => (one.inside ? { ...one, inside: applyMove(one.inside, move) } : one));
  const index = before
    ? others.findIndex((one) => isSameItem(one, before))
    : others.findIndex((one) => isSameItem(one, after)) + 1;
  return others.toSpliced(index, 0, items.find((one) => isSameItem(one, item)) ?? item);
}

const isSameItem = (a: StructureItem, b: StructureItem | undefined): boolean => a.type === b?.type && a.id === b.id;

/**
 * The list with ids of items only. A list may name a site space by the id of its space, which a program knows before the site
 * exists. The id of a space that the site has more than once stays, because it is ambiguous.
 */
export const withItemIds = (order: Order, structure: Items): OrderNode[] => renameIds(order, siteSpaceIds(structure));

/** `items` with each site space named as `order` names it. */
function spelledLike(order: Order, items: Order, structure: Items): OrderNode[] {
  const listed = new Set(idsIn(order));
  const listedSpaces = [...siteSpaceIds(structure)].filter(([space]) => listed.has(space));
  return renameIds(items, new Map(listedSpaces.map(([space, id]) => [id, space])));
}

/** Ids of site spaces by the ids of their spaces. An id that several site spaces have, or that an item has itself, is left out. */
function siteSpaceIds(structure: Items): ReadonlyMap<string, string> {
  const items = itemsIn(structure);
  const itemIds = new Set(items.map(({ id }) => id));
  const repeated = repeatedIn(items.flatMap(({ space }) => space ?? []));
  const ids = new Map<string, string>();
  for (const { id, space } of items) {
    if (space !== undefined && !itemIds.has(space) && !repeated.has(space)) ids.set(space, id);
  }
  return ids;
}

const idsIn = (order: Order): string[] => order.flatMap((node) => [idOfNode(node), ...idsIn(orderIn(node))]);

function renameIds(order: Order, names: ReadonlyMap<string, string>): OrderNode[] {
  return order.map((node) => {
    const id = names.get(idOfNode(node)) ?? idOfNode(node);
    return typeof node === "string" ? id : { id, order: renameIds(node.order, names) };
  });
}
