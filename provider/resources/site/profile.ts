import type { SiteSection, SiteSectionGroup, SiteSpace } from "../../api/groups/site-structure";
import type { PublishedSite, Site } from "../../api/groups/sites";
import { ApiError, ConnectionError, DocsError, isForbidden, isNotFound } from "../../api/http/errors";
import { type Context, organizationScoped } from "../../run/context";
import { digest, Written, writesOf } from "../../run/writes";

/** Properties of a site that only its published profile has. */
export const profileNames = ["defaultSiteSpace", "defaultSpace", "defaultSiteSection", "spaces"] as const;

export interface Profile {
  readonly defaultSiteSpace?: string | undefined;
  /** The space of the default site space. */
  readonly defaultSpace?: string | undefined;
  readonly defaultSiteSection?: string | undefined;
  readonly spaces?: string[] | undefined;
  /** Ids of site spaces by space. For a space that is in the site more than once: the one in the default section, or the first. */
  readonly siteSpaceIds?: Readonly<Record<string, string>> | undefined;
}

export async function readProfile(context: Context, siteId: string, recorded: Profile): Promise<Profile> {
  const published = await readPublished(context, siteId);
  return { ...unpublishedProfile(recorded), ...(published && profileOf(published)) };
}

/** A site that is not published has no profile, so the recorded defaults stay. */
export function unpublishedProfile({ defaultSiteSpace, defaultSpace, defaultSiteSection }: Profile): Profile {
  return { defaultSiteSpace, defaultSpace, defaultSiteSection };
}

/** Published profiles by site, if they are kept for the rest of the run. */
const keptIn = organizationScoped((): { profiles?: Map<string, PublishedSite | undefined> } => ({}));

/** Keeps each profile that is read from now on: an export imports what it has read, and a second answer could differ. */
export function keepProfiles(context: Context): void {
  keptIn(context).profiles = new Map();
}

async function readPublished(context: Context, siteId: string): Promise<PublishedSite | undefined> {
  const { profiles } = keptIn(context);
  if (profiles?.has(siteId)) return profiles.get(siteId);
  const published = await requestPublished(context, siteId);
  profiles?.set(siteId, published);
  return published;
}

/** Whether the site has a published profile, and its default site space. */
const publicationOf = (context: Context, siteId: string) =>
  new Written(writesOf(context), "the published profile of site", siteId, (profile: Profile | undefined) =>
    profile === undefined ? null : digest(profile.defaultSiteSpace, profile.defaultSiteSection),
  );

/** Records what a write did to the published profile of a site; `undefined` for a site that was not published. */
export function noteProfile(context: Context, siteId: string, before: Profile | undefined, now: Profile): void {
  publicationOf(context, siteId).note(before, now);
}

async function requestPublished(context: Context, siteId: string): Promise<PublishedSite | undefined> {
  const { client, organizationId } = context;
  let published: PublishedSite | undefined;
  await publicationOf(context, siteId).read(async () => {
    published = await Promise.resolve(client.getPublishedSite({ organizationId, siteId })).catch((error) =>
      isNotFound(error) ? undefined : Promise.reject(error),
    );
    return published && profileOf(published);
  });
  return published;
}

function profileOf(published: PublishedSite): Profile {
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

function topOf({ structure }: PublishedSite): Part[] {
  const { structure: items } = (structure ?? {}) as Partial<PublishedSite["structure"]>;
  if (!Array.isArray(items)) throw new DocsError("the published profile of the site has no structure that can be read");
  return withId(items);
}

/** The items that can be referred to: those with an id. They may be of a newer kind. */
function withId(items: readonly (Part | null)[] | null | undefined): Part[] {
  return (items ?? []).filter((item) => typeof item?.id === "string") as Part[];
}

/** The items inside an item, in order; `undefined` for kinds without children, and for unknown kinds. */
function insideOf(item: Part): Part[] | undefined {
  if (item.object === "site-section") return withId(item.siteSpaces);
  return item.object === "site-section-group" ? withId(item.children) : undefined;
}

/** The items of the structure. An item of an unknown kind has no readable parts. */
function partsOf(published: PublishedSite): { sections: SiteSection[]; top: SiteSpace[] } {
  const top = topOf(published);
  return { sections: top.flatMap(sectionsOf), top: top.filter((item) => item.object === "site-space") };
}

/** The sections of a group, including those of nested groups; other kinds of items have none. */
function sectionsOf(item: Part): SiteSection[] {
  if (item.object === "site-section") return [item];
  return item.object === "site-section-group" ? (insideOf(item) ?? []).flatMap(sectionsOf) : [];
}

/** An item of a site's structure, with the items inside it; site spaces and newer kinds have none. */
export interface StructureItem {
  /** `site-space`, `site-section`, `site-section-group`, or a newer kind. */
  readonly type: string;
  readonly id: string;
  readonly title: string;
  /** The id of the space that a site space shows. */
  readonly space?: string | undefined;
  readonly inside?: readonly StructureItem[] | undefined;
}

/** The live structure in order; `undefined` if the site is not published or does not exist. */
export async function readStructure(context: Context, siteId: string): Promise<StructureItem[] | undefined> {
  const published = await readPublished(context, siteId);
  return published && topOf(published).map(itemOf);
}

function itemOf(part: Part): StructureItem {
  const space = part.object === "site-space" ? part.space.id : undefined;
  return { type: part.object, id: part.id, title: part.title, space, inside: insideOf(part)?.map(itemOf) };
}

const kinds: Readonly<Record<string, string>> = {
  "site-space": "site space",
  "site-section": "section",
  "site-section-group": "group",
};

/** What only a published profile has, or the reason why it is unknown. */
export interface WholeProfile {
  readonly profile?: Profile;
  readonly structure?: StructureItem[];
  readonly unread?: string;
}

const onlyPublished: WholeProfile = { unread: "only published sites have them" };

/** Reads the whole published profile. A site without a readable one is imported and exported without its parts. */
export async function readWhole(context: Context, { id, published }: Site): Promise<WholeProfile> {
  try {
    const found = published ? await readPublished(context, id) : undefined;
    return found ? { profile: profileOf(found), structure: topOf(found).map(itemOf) } : onlyPublished;
  } catch (error) {
    const isUnreadable = error instanceof DocsError && !(error instanceof ApiError || error instanceof ConnectionError);
    if (!isUnreadable && !isForbidden(error)) throw error;
    return { unread: error.message };
  }
}

/** Names an item in a message: `section "Guides" (section_1)`. */
export function nameOf({ type, title, id }: StructureItem): string {
  return `${kinds[type] ?? type} "${title}" (${id})`;
}

export interface Condition {
  /** Names its place in a message: `section "Guides" (section_1)`. */
  readonly place: string;
  readonly condition: string;
}

/** The conditions of a site's sections and site spaces, as far as its published profile has them. */
export async function conditionsOf(context: Context, siteId: string): Promise<Condition[]> {
  const published = await readPublished(context, siteId);
  if (!published) return [];
  const { sections, top } = partsOf(published);
  const parts = [...sections, ...top, ...sections.flatMap((one) => one.siteSpaces)];
  return parts.map((part) => ({ place: nameOf(itemOf(part)), condition: part.condition ?? "" }));
}
