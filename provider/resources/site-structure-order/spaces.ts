import type { StructureItem } from "../site/profile";
import { type Items, idOf, type Order, type OrderNode, orderIn } from "./order";

/**
 * Lists may name a site space by its space, whose id a program knows before the site exists. The live structure says which
 * site space it is; the id of an item means that item.
 */

/** The list with ids of items alone. The id of a space that the site has more than once stays, because it says too little. */
export function byItems(order: Order, structure: Items): OrderNode[] {
  return renamed(order, siteSpaceIds(structure));
}

/** A list of items whose site spaces are named as in another list. */
export function spelledLike(order: Order, items: Order, structure: Items): OrderNode[] {
  const ids = siteSpaceIds(structure);
  const spaces = listed(order).flatMap((id): [string, string][] => (ids.has(id) ? [[ids.get(id) ?? id, id]] : []));
  return renamed(items, new Map(spaces));
}

function allOf(items: Items): StructureItem[] {
  return items.flatMap((item) => [item, ...allOf(item.inside ?? [])]);
}

/** Ids of site spaces by the ids of their spaces, as far as these say which one is meant. */
function siteSpaceIds(structure: Items): ReadonlyMap<string, string> {
  const items = allOf(structure);
  const taken = new Set(items.map(({ id }) => id));
  const ids = new Map<string, string>();
  for (const { id, space } of items) {
    if (space === undefined || taken.has(space)) continue;
    if (ids.delete(space)) taken.add(space);
    else ids.set(space, id);
  }
  return ids;
}

const listed = (order: Order): string[] => order.flatMap((node) => [idOf(node), ...listed(orderIn(node))]);

function renamed(order: Order, names: ReadonlyMap<string, string>): OrderNode[] {
  return order.map((node) => {
    const id = names.get(idOf(node)) ?? idOf(node);
    return typeof node === "string" ? id : { id, order: renamed(node.order, names) };
  });
}
