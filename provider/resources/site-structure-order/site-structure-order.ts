import { z } from "zod";
import { givenId, identifier } from "../../api/groups/shared";
import { DocsError } from "../../api/http/errors";
import { defineResource } from "../../lifecycle/definition";
import type { Context } from "../../run/context";
import { digest, Written, writesOf } from "../../run/writes";
import { organizationId } from "../shared/common";
import { type Items, readStructure } from "../site/profile";
import { noSite, sitesOf } from "../site/site";
import { findRepeated, planMoves, useOnce } from "./mistakes";
import { applyMove, bodyOfMove, liveOrder, type Order, type OrderNode, sameOrder, wholeOrder } from "./order";

const node: z.ZodType<OrderNode, OrderNode> = z
  .union([
    identifier,
    z.strictObject({
      id: identifier.describe("Id of a section or a group."),
      get order() {
        return z
          .array(node)
          .describe("The order of the items inside: site spaces of a section, or sections and groups of a group.");
      },
    }),
  ])
  .meta({ id: "OrderNode" });

const inputs = z.strictObject({
  organizationId: organizationId.optional(),
  siteId: givenId.describe("Id of the site, which must be published.").meta({ replacesUnlessLive: "siteId" }),
  order: z
    .array(node)
    .superRefine((order, context) => {
      for (const { path, first } of findRepeated(order))
        context.addIssue({ code: "custom", path: [...path], message: useOnce(first) });
    })
    .describe(
      "Sections, groups and site spaces in the wanted order, nested as they are in the site. Each is an id, or " +
        "`{ id, order }` with the order of the items inside. Instead of the id of a site space, the id of its space can be " +
        "listed if the site has the space only once; it is known before the site exists. Unlisted items follow at the end of their level, in their live order.",
    )
    .meta({
      unread:
        "read from the published profile. While the site is not published, it stays as recorded, without drift, and changing it is an error.",
    }),
});

/** The live structure. The service does not return the structure of a site that is not published. */
interface Live {
  readonly structure: Items | undefined;
}

/**
 * The order of a site's sections, groups and site spaces. Items out of order are moved, with the fewest moves, and only among
 * their siblings: the API cannot move an item to another parent. Unlisted items follow the listed ones in their live order; an
 * unlisted item is drift only if it precedes a listed one.
 *
 * @remarks
 * Its id is the id of the site: declare one for each site.
 *
 * A destroy changes nothing at the service, because there is no previous order to restore.
 *
 * @example
 * ```ts
 * const product = new docs.Site("product", { title: "Product", published: true });
 *
 * new docs.SiteStructureOrder("product", {
 *   siteId: product.id,
 *   order: ["section_guides", { id: "group_developers", order: ["section_reference", "section_sdks"] }],
 * });
 * ```
 */
export const siteStructureOrder = defineResource({
  name: "SiteStructureOrder",
  inputs,
  outputs: z.object({}),
  equal: { order: sameOrder },
  review: { noun: "order of", section: "sites", title: ({ siteId }) => siteId },
  audited: "structure-order",
  sitePart: "order",
  importable: ({ structure }: Live) => (structure ? { order: wholeOrder(structure) } : {}),

  async atPreview(context, { siteId, order }) {
    const live = await readPresent(context, siteId);
    // A site that is not published has no structure. The same up may publish it first.
    if (live.structure) requiredMoves(siteId, order, live);
  },

  lifecycle: {
    async create(context, { siteId, order }) {
      const live = await readPresent(context, siteId);
      // A list that cannot be applied is refused here: after a creation, the state would have a resource that changed nothing.
      requiredMoves(siteId, order, live);
      return { id: siteId, live };
    },

    observe: readLive,

    async *sync(context, siteId, live, { order }) {
      let structure = live.structure ?? [];
      const moves = requiredMoves(siteId, order, live);
      for (const move of moves) {
        await context.client.sortSiteStructure({
          organizationId: context.organizationId,
          siteId,
          body: bodyOfMove(move),
        });
        const before = structure;
        structure = applyMove(structure, move);
        writtenOrder(context, siteId).note(before, structure);
        yield { structure };
      }
      if (moves.length > 0) yield* verifyOrder(context, siteId, order);
    },

    values: ({ structure }, { order = [] }) => (structure ? { order: liveOrder(order, structure) } : {}),

    outputs: () => ({}),

    async remove() {
      // There is no previous order to restore.
    },
  },
});

/** `undefined` if the site is proven gone. */
async function readLive(context: Context, siteId: string): Promise<Live | undefined> {
  const structure = await writtenOrder(context, siteId).read(() => readStructure(context, siteId));
  if (structure) return { structure };
  // The site is not published, or gone.
  const site = await sitesOf(context).find(siteId);
  return site && { structure: undefined };
}

async function readPresent(context: Context, siteId: string): Promise<Live> {
  const live = await readLive(context, siteId);
  if (!live) throw noSite(context, siteId);
  return live;
}

const writtenOrder = (context: Context, siteId: string) =>
  new Written(writesOf(context), "the structure of site", siteId, (structure: Items | undefined) =>
    structure === undefined ? null : digest(wholeOrder(structure)),
  );

/** The necessary moves. Refuses a list that does not fit the structure before the first one. */
function requiredMoves(siteId: string, order: Order, { structure }: Live) {
  if (!structure)
    throw new DocsError(
      `the structure of site ${siteId} is not sorted: the service returns only the structure of a published site, and this one is not ` +
        "published; publish it first: declare published: true on its Site, and pass the siteId of that Site",
    );
  const { moves, mistakes } = planMoves(order, structure);
  if (mistakes.length === 0) return moves;
  throw new DocsError(`the structure of site ${siteId} is not sorted: ${mistakes.join("; ")}`);
}

/**
 * Reads the structure after the moves, and fails if it is not in the declared order. The answer to a move contains only the moved
 * item, so the calculated order is not the live one if somebody else moves items at the same time.
 */
async function* verifyOrder(context: Context, siteId: string, order: Order): AsyncGenerator<Live> {
  const live = await readLive(context, siteId);
  if (!live?.structure) return;
  yield live;
  const { moves, mistakes } = planMoves(order, live.structure);
  if (moves.length === 0 && mistakes.length === 0) return;
  throw new DocsError(
    `the structure of site ${siteId} was sorted but is in another order: somebody else has changed it at the ` +
      "same time; run pulumi up --refresh, which shows the difference and sorts it again",
  );
}
