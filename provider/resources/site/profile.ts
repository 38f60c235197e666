import type { SiteSection, SiteSectionGroup, SiteSpace } from "../../api/groups/site-structure";
import type { PublishedSite, Site } from "../../api/groups/sites";
import { ApiError, ConnectionError, DocsError, ignoreNotFound, isForbidden } from "../../api/http/errors";
import { type Context, organizationScoped } from "../../run/context";
import { digest, Written, writesOf } from "../../run/writes";

/** Properties of a site that only its published profile has. */
export const profileNames = ["defaultSiteSpace", "defaultSpace", "defaultSiteSection", "spaces"] as const;

export interface Profile {
  readonly defaultSiteSpace?: string | undefined;
  readonly defaultSpace?: string | undefined;
  readonly defaultSiteSection?: string | undefined;
  readonly spaces?: string[] | undefined;
  /** Ids of site spaces by space. For a space that is in the site more than once: the one in the default section, or the first. */
  readonly siteSpaceIds?: Readonly<Record<string, string>> | undefined;
}

export async function readProfile(context: Context, siteId: string, recorded: Profile): Promise<Profile> {
  const structure = await readStructure(context, siteId);
  return { ...recordedDefaults(recorded), ...(structure && profileOf(structure)) };
}

/** A site that is not published has no profile, so the recorded defaults stay. */
export function recordedDefaults({ defaultSiteSpace, defaultSpace, defaultSiteSection }: Profile): Profile {
  return { defaultSiteSpace, defaultSpace, defaultSiteSection };
}

/** Structures by site, if they are kept for the rest of the run. */
const keptStructures = organizationScoped((): { byId?: Map<string, Items | undefined> } => ({}));

/** Keeps each structure that is read from now on: an export imports what it has read, and a second answer could differ. */
export function keepStructures(context: Context): void {
  keptStructures(context).byId = new Map();
}

/** The live structure in order; `undefined` if the site is not published or does not exist. */
export async function readStructure(context: Context, siteId: string): Promise<Items | undefined> {
  const { byId } = keptStructures(context);
  if (byId?.has(siteId)) return byId.get(siteId);
  const structure = await requestStructure(context, siteId);
  byId?.set(siteId, structure);
  return structure;
}

/** Recognizes writes of a published profile by what they change: whether there is one, and its defaults. */
const writtenProfile = (context: Context, siteId: string) =>
  new Written(writesOf(context), "the published profile of site", siteId, (profile: Profile | undefined) =>
    profile === undefined ? null : digest(profile.defaultSiteSpace, profile.defaultSiteSection),
  );

/** Records what a write did to the published profile of a site; `undefined` for a site that was not published. */
export function noteProfile(context: Context, siteId: string, before: Profile | undefined, now: Profile): void {
  writtenProfile(context, siteId).note(before, now);
}

async function requestStructure(context: Context, siteId: string): Promise<Items | undefined> {
  const { client, organizationId } = context;
  let structure: Items | undefined;
  // A write is recognized by the profile, and the caller needs the structure of the same answer.
  await writtenProfile(context, siteId).read(async () => {
    const published = await client.getPublishedSite({ organizationId, siteId }).catch(ignoreNotFound);
    structure = published && structureOf(published);
    return structure && profileOf(structure);
  });
  return structure;
}

function profileOf(structure: Items): Profile {
  const items = itemsIn(structure);
  const section = items.find(({ type, isDefault }) => type === "site-section" && isDefault);
  const home = (section?.inside ?? structure).filter(isSiteSpace);
  const defaultItem = home.find(({ isDefault }) => isDefault);
  const siteSpaces = items.filter(isSiteSpace);
  // The last entry for a space counts: its first site space in `home`, or else its first one in the site.
  const leastImportantFirst = [...home, ...siteSpaces].reverse();
  return {
    spaces: siteSpaces.map(({ space }) => space),
    siteSpaceIds: Object.fromEntries(leastImportantFirst.map(({ id, space }) => [space, id])),
    ...(section && { defaultSiteSection: section.id }),
    ...(defaultItem && { defaultSiteSpace: defaultItem.id, defaultSpace: defaultItem.space }),
  };
}

/** An item of a site's structure, with the items inside it; site spaces and newer kinds have none. */
export interface StructureItem {
  /** `site-space`, `site-section`, `site-section-group`, or a newer kind. */
  readonly type: string;
  readonly id: string;
  readonly title: string;
  readonly isDefault?: boolean | undefined;
  readonly condition?: string | null | undefined;
  /** The id of the space that a site space shows. */
  readonly space?: string | undefined;
  readonly inside?: Items | undefined;
}

export type Items = readonly StructureItem[];

/** All items of a structure, each before the items inside it. */
export const itemsIn = (items: Items): StructureItem[] =>
  items.flatMap((item) => [item, ...itemsIn(item.inside ?? [])]);

const isSiteSpace = (item: StructureItem): item is StructureItem & { space: string } => item.space !== undefined;

type Part = SiteSpace | SiteSection | SiteSectionGroup;

function structureOf({ structure }: PublishedSite): Items {
  // Answers are read tolerantly, so neither level is certain.
  const parts = (structure as PublishedSite["structure"] | undefined)?.structure;
  if (!Array.isArray(parts)) throw new DocsError("the published profile of the site has no structure that can be read");
  return itemsOf(parts);
}

/** The parts that have an id. What is in a part of a newer kind cannot be read. */
function itemsOf(parts: readonly (Part | null)[] | null | undefined): Items {
  const referable = (parts ?? []).filter((part) => typeof part?.id === "string") as Part[];
  return referable.map((part) => {
    const item = { type: part.object, id: part.id, title: part.title };
    if (part.object === "site-section-group") return { ...item, inside: itemsOf(part.children) };
    const { default: isDefault, condition } = part;
    if (part.object === "site-section") return { ...item, isDefault, condition, inside: itemsOf(part.siteSpaces) };
    return part.object === "site-space" ? { ...item, isDefault, condition, space: part.space.id } : item;
  });
}

const kinds: Readonly<Record<string, string>> = {
  "site-space": "site space",
  "site-section": "section",
  "site-section-group": "group",
};

/** What only a published profile has, or the reason why it is unknown. */
export interface WholeProfile {
  readonly profile?: Profile;
  readonly structure?: Items;
  readonly unread?: string;
}

const onlyPublished: WholeProfile = { unread: "only published sites have them" };

/** Reads the whole published profile. A site without a readable one is imported and exported without its parts. */
export async function readWholeProfile(context: Context, { id, published }: Site): Promise<WholeProfile> {
  try {
    const structure = published ? await readStructure(context, id) : undefined;
    return structure ? { profile: profileOf(structure), structure } : onlyPublished;
  } catch (error) {
    // The answer does not have the form that this version knows.
    const isUnreadable = error instanceof DocsError && !(error instanceof ApiError || error instanceof ConnectionError);
    if (!isUnreadable && !isForbidden(error)) throw error;
    return { unread: error.message };
  }
}

/** Names an item in a message: `section "Guides" (section_1)`. */
export const nameOfItem = ({ type, title, id }: StructureItem): string => `${kinds[type] ?? type} "${title}" (${id})`;
