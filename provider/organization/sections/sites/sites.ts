import { z } from "zod";
import { isPublic, type Site, siteVisibilities } from "../../../api/groups/sites";
import { refuseSiteMistakes } from "../../../resources/site/properties";
import { site, sitesOf } from "../../../resources/site/site";
import { siteAdaptiveSchema } from "../../../resources/site-adaptive-schema/site-adaptive-schema";
import { siteStructureOrder } from "../../../resources/site-structure-order/site-structure-order";
import type { Context } from "../../../run/context";
import type { Properties } from "../../../run/properties";
import { type SafeText, safeText, trusted } from "../../../text/safe-text";
import { entriesOf } from "../../drafts/drafting";
import type { OrganizationFile } from "../../file/types";
import { type Fields, type Finding, fieldsAt } from "../checks";
import { compare, mostListed, splitLists, withName } from "../objects";
import { mapOf, protect, resourceName } from "../parts";
import type { ChildName, Section, SectionChild } from "../section";
import { readSiteDetails, type SiteDetails } from "./details";
import { draftSite, noteUnread } from "./draft";

type Live = readonly Site[];

export interface UnmanagedSite {
  readonly id: string;
  readonly title: string;
  readonly visibility: string;
  readonly published: boolean;
}

const { claims, unsignedClaims, allowBreaking, onRelease } = siteAdaptiveSchema.inputs.shape;

const { organizationId: _, ...siteProperties } = site.inputs.shape;

const declaredSite = z
  .strictObject({
    ...siteProperties,
    adaptiveSchema: z
      .strictObject({ claims, unsignedClaims, allowBreaking, onRelease })
      .describe("Claims that the site knows about its visitors.")
      .optional(),
    order: siteStructureOrder.inputs.shape.order.optional(),
    protect,
    allowPublic: z.boolean().describe("Allows the site to become public.").optional(),
  })
  .superRefine(refuseSiteMistakes);

export const sites = {
  shape: { sites: mapOf(resourceName, declaredSite, "Docs sites by name.").optional() },
  findMistakes: findSameAddresses,
  declareChildren: declareSites,
  outputs: { resource: "Site", values: { siteIds: ["id"], publishedUrls: ["urls", "published"] } },
  live: {
    list: listSites,
    readGuarded: (context, { organization }): Promise<Live> =>
      organization.sites ? sitesOf(context).all() : Promise.resolve([]),
    readDetails: (context, { own }, options): Promise<SiteDetails> => readSiteDetails(context, own, options),
  },
  writing: {
    nameObjects: (live) => ({ kind: "site", things: live }),
    draft(drafting) {
      noteUnread(drafting.live, drafting);
      return entriesOf(drafting, drafting.live, (one) => draftSite(one, drafting));
    },
    inline: ["adaptiveContent"],
  },
  audit: {
    kind: "sites" as const,
    one: "site",
    many: "sites",
    subjects: {
      site: { prefix: "site ", absence: "does not exist" },
      "adaptive-schema": { prefix: "adaptive schema of site ", absence: "the site does not exist" },
      "structure-order": { prefix: "order of site ", absence: "the site does not exist" },
    },
    listObjects: (live) =>
      live.map(({ id, title, visibility, published }) => ({
        subject: { kind: "site", id },
        shown: { id, title, visibility, published },
      })),
    listOthers: (live) =>
      ["adaptive-schema", "structure-order"].flatMap((kind) => live.map(({ id }) => ({ kind, id }))),
    order: (a, b) => rankExposure(a) - rankExposure(b) || compare(a.title, b.title),
    lists: splitLists(
      { symbol: "◼", describe: describeSite },
      isPublic,
      { id: "public-sites", one: "public site", many: "public sites", severity: "medium" },
      { id: "sites", one: "other site", many: "other sites" },
    ),
  },
} satisfies Section<Live, SiteDetails, UnmanagedSite>;

function listSites({ client, organizationId }: Context): Promise<Live> {
  return client.listSites({ organizationId, query: { limit: mostListed } }).all();
}

/** Finds sites with the same `basename`: two sites cannot have one address. */
function findSameAddresses(file: Fields): Finding[] {
  const firsts = new Map<unknown, string>();
  return Object.keys(fieldsAt(file, "sites")).flatMap((name): Finding[] => {
    const { basename } = fieldsAt(file, "sites", name);
    const first = firsts.get(basename);
    if (typeof basename !== "string") return [];
    firsts.set(basename, first ?? name);
    if (first === undefined) return [];
    const text = `"${basename}" is also the basename of site ${first}; use another one`;
    return [{ path: ["sites", name, "basename"], text, first: ["sites", first, "basename"] }];
  });
}

function declareSites({ sites = {} }: OrganizationFile): SectionChild[] {
  return Object.entries(sites).flatMap(([key, declared]) => {
    const { adaptiveSchema, order, protect = true, allowPublic: _, ...inputs } = declared;
    const partOf = (resource: ChildName, inputs: Properties) => ({ resource, key, inputs, site: key });
    return [
      { resource: "Site" as const, key, inputs, protect },
      ...(adaptiveSchema ? [partOf("SiteAdaptiveSchema", adaptiveSchema)] : []),
      ...(order ? [partOf("SiteStructureOrder", { order })] : []),
    ];
  });
}

/** Sorts sites by their exposure: public sites first. */
function rankExposure(site: UnmanagedSite): number {
  const openness = (siteVisibilities as readonly string[]).indexOf(site.visibility);
  return isPublic(site) ? -2 : openness + (site.published ? 0 : siteVisibilities.length);
}

function describeSite({ title, id, visibility, published }: UnmanagedSite): SafeText {
  return safeText`${withName(title, id)}: ${visibility}, ${trusted(published ? "published" : "not published")}`;
}
