import { DocsError, isNotFound } from "../api/errors";
import type { SiteSection, SiteSectionGroup, SiteSpace } from "../api/site-structure";
import type { PublishedSite } from "../api/sites";
import type { Context } from "../context";

/** Properties of a site that only its published profile tells. */
export const profileNames = ["defaultSiteSpace", "defaultSiteSection", "spaces"] as const;

export interface Profile {
  readonly defaultSiteSpace?: string | undefined;
  readonly defaultSiteSection?: string | undefined;
  readonly spaces?: string[] | undefined;
}

/** What the published profile tells; a site that is not published has none, and what was recorded stands. */
export async function readProfile(context: Context, siteId: string, recorded: Profile): Promise<Profile> {
  const { defaultSiteSpace, defaultSiteSection } = recorded;
  const known = { defaultSiteSpace, defaultSiteSection };
  const { client, organizationId } = context;
  try {
    return { ...known, ...told(await client.getPublishedSite({ organizationId, siteId })) };
  } catch (error) {
    if (isNotFound(error)) return known;
    throw error;
  }
}

function told(published: PublishedSite): Profile {
  const { sections, top } = partsOf(published);
  const section = sections.find((one) => one.default);
  const home = section?.siteSpaces ?? top;
  const space = home.find((one) => one.default);
  return {
    spaces: [...top, ...sections.flatMap((one) => one.siteSpaces)].map((one) => one.space.id),
    ...(section && { defaultSiteSection: section.id }),
    ...(space && { defaultSiteSpace: space.id }),
  };
}

/** What the structure is made of; one of another kind than those known has no parts that we could tell. */
function partsOf({ structure }: PublishedSite): { sections: SiteSection[]; top: SiteSpace[] } {
  const { type, structure: items } = (structure ?? {}) as Partial<PublishedSite["structure"]>;
  if (!Array.isArray(items)) throw new DocsError("the published profile of the site has no structure that can be read");
  return {
    sections: type === "sections" ? (items as (SiteSection | SiteSectionGroup)[]).flatMap(sectionsOf) : [],
    top: type === "siteSpaces" ? (items as SiteSpace[]) : [],
  };
}

/** The sections of a group, those of groups inside it included; other kinds of items have none. */
function sectionsOf(item: SiteSection | SiteSectionGroup): SiteSection[] {
  if (item?.object === "site-section") return [item];
  return item?.object === "site-section-group" ? (item.children ?? []).flatMap(sectionsOf) : [];
}

export interface Condition {
  /** Where it stands, in a message: `section "Guides" (section_1)`. */
  readonly place: string;
  readonly condition: string;
}

/** The conditions of a site's sections and site spaces, as far as its published profile tells them. */
export async function conditionsOf({ client, organizationId }: Context, siteId: string): Promise<Condition[]> {
  try {
    const { sections, top } = partsOf(await client.getPublishedSite({ organizationId, siteId }));
    const spaces = [...top, ...sections.flatMap((one) => one.siteSpaces)];
    return [
      ...sections.map((one) => ({ place: `section "${one.title}" (${one.id})`, condition: one.condition ?? "" })),
      ...spaces.map((one) => ({ place: `site space "${one.title}" (${one.id})`, condition: one.condition ?? "" })),
    ];
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}
