import { z } from "zod";
import { listNames } from "../../access/carry-out";
import type { ReadOptions } from "../../access/discovery";
import { type AdaptiveJsonSchema, isPublic, type Site, siteVisibilities } from "../../api/groups/sites";
import { keepStructures, readWholeProfile, type StructureItem, type WholeProfile } from "../../resources/site/profile";
import { refuseSiteMistakes } from "../../resources/site/properties";
import { site, sitesOf } from "../../resources/site/site";
import { claimsIn } from "../../resources/site-adaptive-schema/breaking";
import {
  isOneSchema,
  readAdaptiveSchema,
  siteAdaptiveSchema,
  useOneSchema,
} from "../../resources/site-adaptive-schema/site-adaptive-schema";
import { isSortable, wholeOrder } from "../../resources/site-structure-order/order";
import { siteStructureOrder } from "../../resources/site-structure-order/site-structure-order";
import type { Context } from "../../run/context";
import type { Properties } from "../../run/properties";
import { safeText, trusted } from "../../text/safe-text";
import { type Drafting, declarable, describeObject, draftEntries, type Notes } from "../drafts/drafting";
import type { OrganizationFile } from "../file/types";
import { type Fields, type FileMistake, fieldsAt, repeatsIn } from "./checks";
import { compare, mapOf, mostListed, objectId, protect, resourceName, withName } from "./parts";
import type { ChildName, Section, SectionChild } from "./section";

type Live = readonly Site[];

export interface SiteDetails {
  readonly schemas: ReadonlyMap<string, AdaptiveJsonSchema>;
  /** By the id of the site: the content of its published profile, or the reason why it is unknown. */
  readonly profiles?: ReadonlyMap<string, WholeProfile>;
}

export interface UnmanagedSite {
  readonly id: string;
  readonly title: string;
  readonly visibility: string;
  readonly published: boolean;
}

const { jsonSchema, claims, unsignedClaims, allowBreaking, onRelease } = siteAdaptiveSchema.inputs.shape;

const { organizationId: _, ...siteProperties } = site.inputs.shape;

const declaredSite = z
  .strictObject({
    id: objectId,
    ...siteProperties,
    adaptiveSchema: z
      .strictObject({ jsonSchema, claims, unsignedClaims, allowBreaking, onRelease })
      .refine(isOneSchema, useOneSchema)
      .describe(
        "Claims that the site knows about its visitors: `claims` and `unsignedClaims`, or the whole `jsonSchema`.",
      )
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
  live: {
    list: ({ client, organizationId }): Promise<Live> =>
      client.listSites({ organizationId, query: { limit: mostListed } }).all(),
    readGuarded: (context, { organization }): Promise<Live> =>
      organization.sites ? sitesOf(context).all() : Promise.resolve([]),
    readDetails: (context, { own }, options): Promise<SiteDetails> => readSiteDetails(context, own, options),
  },
  writing: {
    nameObjects: (live) => ({ kind: "site", things: live }),
    draft(drafting) {
      noteUnread(drafting.live, drafting);
      return draftEntries(drafting, drafting.live, (one) => draftSite(one, drafting));
    },
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
    symbol: "◼",
    severityOf: (one) => (isPublic(one) ? "medium" : undefined),
    lists: {
      severe: { id: "public-sites", many: "public sites" },
      others: { id: "sites", many: "other sites" },
    },
    describe: ({ title, id, visibility, published }) =>
      safeText`${withName(title, id)}: ${visibility}, ${trusted(published ? "published" : "not published")}`,
  },
} satisfies Section<Live, SiteDetails, UnmanagedSite>;

/** Finds sites with the same `basename`: two sites cannot have one address. */
function findSameAddresses(file: Fields): FileMistake[] {
  const basenameOf = (site: string) => {
    const { basename } = fieldsAt(file, "sites", site);
    return typeof basename === "string" ? basename : undefined;
  };
  return repeatsIn(Object.keys(fieldsAt(file, "sites")), basenameOf).map(([site, first]) => {
    const text = `"${basenameOf(site)}" is also the basename of site ${first}; use another one`;
    return { path: ["sites", site, "basename"], text, first: ["sites", first, "basename"] };
  });
}

function declareSites({ sites = {} }: OrganizationFile): SectionChild[] {
  return Object.entries(sites).flatMap(([key, declared]) => {
    const { id, adaptiveSchema, order, protect = true, allowPublic: _, ...inputs } = declared;
    const partOf = (resource: ChildName, inputs: Properties) => ({ resource, key, inputs, site: key });
    return [
      { resource: "Site" as const, key, inputs, id, protect },
      ...(adaptiveSchema ? [partOf("SiteAdaptiveSchema", adaptiveSchema)] : []),
      ...(order ? [partOf("SiteStructureOrder", { order })] : []),
    ];
  });
}

/** Sorts sites by their exposure. An unknown visibility has -1 and counts as open, so public sites have -2. */
function rankExposure(site: UnmanagedSite): number {
  const openness = (siteVisibilities as readonly string[]).indexOf(site.visibility);
  return isPublic(site) ? -2 : openness + (site.published ? 0 : siteVisibilities.length);
}

async function readSiteDetails(context: Context, sites: readonly Site[], options: ReadOptions): Promise<SiteDetails> {
  const schemas = await readSchemas(context, sites, options);
  keepStructures(context);
  const profiles = sites.map(async (site) => [site.id, await readWholeProfile(context, site)] as const);
  return { schemas, profiles: new Map(await Promise.all(profiles)) };
}

/** Asks every site: a site may have a schema although its adaptive content is off. */
async function readSchemas(context: Context, sites: readonly Site[], { progress }: ReadOptions) {
  let done = 0;
  const schemas = new Map<string, AdaptiveJsonSchema>();
  const reads = sites.map(async ({ id }) => {
    const schema = await readAdaptiveSchema(context, id);
    progress?.(++done, sites.length, "sites");
    if (schema) schemas.set(id, schema);
  });
  await Promise.all(reads);
  return schemas;
}

type SiteDrafting = Pick<Drafting<unknown, SiteDetails>, "details" | "notes">;

function draftSite(live: Site, { details: { schemas, profiles }, notes }: SiteDrafting): Properties {
  const what = describeObject("site", live.title, live.id);
  const { profile = {}, structure = [] } = profiles?.get(live.id) ?? {};
  const all = { site: live, profile, agentsContext: undefined };
  const values = { ...site.lifecycle.values(all, {}), ...site.importable?.(all) };
  const settings = declarable(what, declaredSite, { id: live.id, ...values }, notes);
  const order = draftOrder(what, structure, notes);
  const parts = { ...(order !== undefined && { order }), ...draftSchema(what, schemas.get(live.id), notes) };
  // Without `allowPublic`, the guard refuses to revert a change that unpublishes the site.
  return { ...settings, ...(isPublic(live) && { allowPublic: true }), ...parts };
}

/** Notes the sites whose published profile is unknown: one note for each reason, because many sites have the same one. */
function noteUnread(sites: readonly Site[], { details: { profiles }, notes }: SiteDrafting): void {
  const namesByReason = new Map<string, string[]>();
  for (const { id, title, siteSpaces } of sites) {
    const reason = profiles?.get(id)?.unread;
    if (reason === undefined || siteSpaces === 0) continue;
    namesByReason.set(reason, [...(namesByReason.get(reason) ?? []), describeObject("site", title, id)]);
  }
  for (const [reason, names] of namesByReason)
    notes.push(`${listNames(names.sort())}: ${unreadParts} are left out: ${reason}`);
}

const unreadParts = "spaces, the default site space and section, and the order";

/** The order of a site, if it has a list with more than one item. */
function draftOrder(what: string, structure: readonly StructureItem[], notes: Notes): unknown {
  if (!hasOrder(structure)) return undefined;
  return declarable(what, siteStructureOrder.inputs, { order: wholeOrder(pruneOrder(structure)) }, notes).order;
}

const hasOrder = (items: readonly StructureItem[] = []): boolean =>
  items.filter(isSortable).length > 1 || items.some(({ inside }) => hasOrder(inside));

const pruneOrder = (items: readonly StructureItem[] = []): StructureItem[] =>
  items.map((item) => ({ ...item, inside: hasOrder(item.inside) ? pruneOrder(item.inside) : undefined }));

function draftSchema(what: string, schema: AdaptiveJsonSchema | undefined, notes: Notes): Properties {
  if (schema === undefined) return {};
  const { claims, unsignedClaims } = claimsIn(schema);
  const hasUnsigned = Object.keys(unsignedClaims).length > 0;
  const live = { claims, ...(hasUnsigned && { unsignedClaims }) };
  const declared = declarable(what, siteAdaptiveSchema.inputs, live, notes);
  return declared.claims === undefined ? {} : { adaptiveSchema: declared };
}
