import type { SiteSection, SiteSectionGroup, SiteSpace } from "../../api/groups/site-structure";
import type { PublishedSite } from "../../api/groups/sites";
import { DocsError, isNotFound } from "../../api/http/errors";
import { type Context, perOrganization } from "../../run/context";

/** Properties of a site that only its published profile tells. */
export const profileNames = ["defaultSiteSpace", "defaultSpace", "defaultSiteSection", "spaces"] as const;

export interface Profile {
  readonly defaultSiteSpace?: string | undefined;
  /** The space of the default site space. */
  readonly defaultSpace?: string | undefined;
  readonly defaultSiteSection?: string | undefined;
  readonly spaces?: string[] | undefined;
  /** By space; of a space that is in the site more than once, the site space of the default section, else the first. */
  readonly siteSpaceIds?: Readonly<Record<string, string>> | undefined;
}

/** What the published profile tells; a site that is not published has none, and what was recorded stands. */
export async function readProfile(context: Context, siteId: string, recorded: Profile): Promise<Profile> {
  const { defaultSiteSpace, defaultSpace, defaultSiteSection } = recorded;
  const published = await readPublished(context, siteId);
  return { defaultSiteSpace, defaultSpace, defaultSiteSection, ...(published && told(published)) };
}

/** Profiles that `readWhole` has read, for the rest of the process: only a command that ends soon does that. */
const readOnce = perOrganization(() => new Map<string, PublishedSite | undefined>());

async function readPublished(context: Context, siteId: string): Promise<PublishedSite | undefined> {
  const known = readOnce(context);
  return known.has(siteId) ? known.get(siteId) : requestPublished(context, siteId);
}

async function requestPublished({ client, organizationId }: Context, siteId: string) {
  try {
    return await client.getPublishedSite({ organizationId, siteId });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function told(published: PublishedSite): Profile {
  const { sections, top } = partsOf(published);
  const section = sections.find((one) => one.default);
  const home = section?.siteSpaces ?? top;
  const first = home.find((one) => one.default);
  const all = [...top, ...sections.flatMap((one) => one.siteSpaces)];
  const byImportance = [...home, ...all].reverse();
  return {
    spaces: all.map(({ space }) => space.id),
    siteSpaceIds: Object.fromEntries(byImportance.map(({ id, space }) => [space.id, id])),
    ...(section && { defaultSiteSection: section.id }),
    ...(first && { defaultSiteSpace: first.id, defaultSpace: first.space.id }),
  };
}

type Part = SiteSpace | SiteSection | SiteSectionGroup;

/** What stands at the top of the structure, in its order. */
function topOf({ structure }: PublishedSite): Part[] {
  const { structure: items } = (structure ?? {}) as Partial<PublishedSite["structure"]>;
  if (!Array.isArray(items)) throw new DocsError("the published profile of the site has no structure that can be read");
  return known(items);
}

/** There may be items of kinds that came later; without an id, nobody can speak of them. */
function known(items: readonly (Part | null)[] | null | undefined): Part[] {
  return (items ?? []).filter((item) => typeof item?.id === "string") as Part[];
}

/** What is inside an item, in its order; `undefined` for items that hold nothing, or of which we know nothing. */
function insideOf(item: Part): Part[] | undefined {
  if (item.object === "site-section") return known(item.siteSpaces);
  return item.object === "site-section-group" ? known(item.children) : undefined;
}

/** What the structure is made of; an item of another kind than those known has no parts that we could tell. */
function partsOf(published: PublishedSite): { sections: SiteSection[]; top: SiteSpace[] } {
  const top = topOf(published);
  return { sections: top.flatMap(sectionsOf), top: top.filter((item) => item.object === "site-space") };
}

/** The sections of a group, those of groups inside it included; other kinds of items have none. */
function sectionsOf(item: Part): SiteSection[] {
  if (item.object === "site-section") return [item];
  return item.object === "site-section-group" ? (insideOf(item) ?? []).flatMap(sectionsOf) : [];
}

/** An item of a site's structure, with what is inside it; site spaces and kinds that came later hold nothing. */
export interface StructureItem {
  /** `site-space`, `site-section`, `site-section-group`, or a kind that came later. */
  readonly type: string;
  readonly id: string;
  readonly title: string;
  readonly inside?: readonly StructureItem[] | undefined;
}

/** The live structure in its order; `undefined` where the site is not published or not there. */
export async function readStructure(context: Context, siteId: string): Promise<StructureItem[] | undefined> {
  const published = await readPublished(context, siteId);
  return published && topOf(published).map(itemOf);
}

function itemOf(part: Part): StructureItem {
  return { type: part.object, id: part.id, title: part.title, inside: insideOf(part)?.map(itemOf) };
}

const kinds: Readonly<Record<string, string>> = {
  "site-space": "site space",
  "site-section": "section",
  "site-section-group": "group",
};

/**
 * All that the published profile tells; `undefined` of a site that is not published. An export imports what it has read: the
 * answer stays for that, since another request could only disagree with it.
 */
export async function readWhole(context: Context, siteId: string) {
  const published = await requestPublished(context, siteId);
  readOnce(context).set(siteId, published);
  return published && { profile: told(published), structure: topOf(published).map(itemOf) };
}

/** What an item is called in a message: `section "Guides" (section_1)`. */
export function nameOf({ type, title, id }: StructureItem): string {
  return `${kinds[type] ?? type} "${title}" (${id})`;
}

export interface Condition {
  /** Where it stands, in a message: `section "Guides" (section_1)`. */
  readonly place: string;
  readonly condition: string;
}

/** The conditions of a site's sections and site spaces, as far as its published profile tells them. */
export async function conditionsOf(context: Context, siteId: string): Promise<Condition[]> {
  const published = await readPublished(context, siteId);
  if (!published) return [];
  const { sections, top } = partsOf(published);
  const parts = [...sections, ...top, ...sections.flatMap((one) => one.siteSpaces)];
  return parts.map((part) => ({ place: nameOf(itemOf(part)), condition: part.condition ?? "" }));
}
