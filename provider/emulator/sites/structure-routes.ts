import { badRequest, Refusal } from "../http/errors";
import type { Routes } from "../http/route";
import { addressOf } from "./published-routes";
import type { SiteRecord, StructureNode } from "./record";
import { siteOf } from "./routes";
import { nodesIn, type Placed } from "./structure";
import { branchAnswer, siteSpaceAnswer } from "./structure-answer";

/** Moves items in the structure of a site. */
export const siteStructureRoutes = {
  sortSiteStructure: (call) => {
    const site = siteOf(call);
    const { item, position } = call.body;
    const { node, siblings, section, group } = find(site, item, "item");
    const others = siblings.filter((sibling) => sibling !== node);
    const index = indexIn(others, {
      before: position.before && sibling(site, position.before, others, "before"),
      after: position.after && sibling(site, position.after, others, "after"),
    });
    siblings.splice(0, siblings.length, ...others.slice(0, index), node, ...others.slice(index));
    const place = { ...call, published: addressOf(call, site) };
    return node.type === "site-space" ? siteSpaceAnswer(place, node, section) : branchAnswer(place, node, group);
  },
} satisfies Partial<Routes>;

interface Pointer {
  readonly type: StructureNode["type"];
  readonly id: string;
}

function find(site: SiteRecord, { type, id }: Pointer, property: string): Placed {
  for (const placed of nodesIn(site.structure)) if (placed.node.type === type && placed.node.id === id) return placed;
  throw new Refusal(404, `${property}: site "${site.id}" has no ${type} "${id}"`);
}

/** Finds the item to move next to. It must be on the same level: items do not move into another section or group. */
function sibling(site: SiteRecord, pointer: Pointer, siblings: readonly StructureNode[], name: string): StructureNode {
  const { node } = find(site, pointer, `position.${name}`);
  if (siblings.includes(node)) return node;
  throw badRequest(`position.${name}: "${pointer.id}" is no other item of the same level`);
}

/** New index of the item among the others; the end if neither `before` nor `after` is given. */
function indexIn(
  others: readonly StructureNode[],
  at: { before?: StructureNode | undefined; after?: StructureNode | undefined },
): number {
  const before = at.before && others.indexOf(at.before);
  const after = at.after && others.indexOf(at.after) + 1;
  if (before !== undefined && after !== undefined && before !== after) {
    throw badRequest("position: `after` and `before` are not adjacent; use adjacent items, or only one of them");
  }
  return before ?? after ?? others.length;
}
