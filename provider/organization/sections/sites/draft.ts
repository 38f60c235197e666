import { listNames } from "../../../access/carry-out";
import { type AdaptiveJsonSchema, isPublic, type Site } from "../../../api/groups/sites";
import type { StructureItem } from "../../../resources/site/profile";
import { site } from "../../../resources/site/site";
import { claimsIn, unsignedClaimsIn } from "../../../resources/site-adaptive-schema/breaking";
import { siteAdaptiveSchema } from "../../../resources/site-adaptive-schema/site-adaptive-schema";
import { sortable, wholeOrder } from "../../../resources/site-structure-order/order";
import { siteStructureOrder } from "../../../resources/site-structure-order/site-structure-order";
import type { Properties } from "../../../run/properties";
import { declarable, describeObject } from "../../drafts/declarable";
import type { Drafting, Notes } from "../../drafts/drafting";
import type { SiteDetails } from "./details";

type SiteDrafting = Pick<Drafting<unknown, SiteDetails>, "details" | "notes">;

export function draftSite(live: Site, { details: { schemas, profiles }, notes }: SiteDrafting): Properties {
  const what = describeObject("site", live.title, live.id);
  const { profile = {}, structure = [] } = profiles?.get(live.id) ?? {};
  const all = { site: live, profile, agentsContext: undefined };
  const values = { ...site.lifecycle.values(all, {}), ...site.importable?.(all) };
  const settings = declarable(what, site.inputs, values, notes);
  const order = draftOrder(what, structure, notes);
  const parts = { ...(order !== undefined && { order }), ...draftSchema(what, schemas.get(live.id), notes) };
  // Without it, the guard refuses to revert a change that unpublishes the site.
  return { ...settings, ...(isPublic(live) && { allowPublic: true }), ...parts };
}

/** Notes the sites whose published profile is unknown: one note for each reason, because many sites have the same one. */
export function noteUnread(sites: readonly Site[], { details: { profiles }, notes }: SiteDrafting): void {
  const unread = sites.flatMap(({ id, title, siteSpaces }) => {
    const reason = profiles?.get(id)?.unread;
    return reason === undefined || siteSpaces === 0 ? [] : [{ reason, name: describeObject("site", title, id) }];
  });
  for (const reason of new Set(unread.map((one) => one.reason))) {
    const names = unread.flatMap((one) => (one.reason === reason ? [one.name] : []));
    notes.push(`${listNames(names.sort())}: ${unreadParts} are left out: ${reason}`);
  }
}

const unreadParts = "spaces, the default site space and section, and the order";

/** The order of a site, if it has a list with more than one item. */
function draftOrder(what: string, structure: readonly StructureItem[], notes: Notes): unknown {
  if (!hasOrder(structure)) return undefined;
  return declarable(what, siteStructureOrder.inputs, { order: wholeOrder(pruneOrder(structure)) }, notes).order;
}

const hasOrder = (items: readonly StructureItem[] = []): boolean =>
  items.filter(sortable).length > 1 || items.some(({ inside }) => hasOrder(inside));

const pruneOrder = (items: readonly StructureItem[] = []): StructureItem[] =>
  items.map((item) => ({ ...item, inside: hasOrder(item.inside) ? pruneOrder(item.inside) : undefined }));

function draftSchema(what: string, schema: AdaptiveJsonSchema | undefined, notes: Notes): Properties {
  if (schema === undefined) return {};
  const unsignedClaims = unsignedClaimsIn(schema);
  const isUnsigned = Object.keys(unsignedClaims).length > 0;
  const claims = declarable(
    what,
    siteAdaptiveSchema.inputs,
    { claims: claimsIn(schema), ...(isUnsigned && { unsignedClaims }) },
    notes,
  );
  return claims.claims === undefined ? {} : { adaptiveSchema: claims };
}
