import type { PublishedSite } from "../../api/groups/sites";
import { notFound } from "../http/errors";
import type { Routes } from "../http/route";
import type { Place } from "../store/service";
import { publishedUrl, siteAnswer } from "./answer";
import { customizationOf } from "./customization";
import type { SiteRecord } from "./record";
import { siteOf } from "./routes";
import { siteSpacesIn } from "./structure";
import { branchAnswer, type StructurePlace, siteSpaceAnswer } from "./structure-answer";

/**
 * The published profile of a site: everything that a renderer needs.
 * @internal
 */
export const sitePublishedRoutes = {
  getPublishedSite: (call) => {
    const site = siteOf(call);
    if (!site.published) throw notFound("published site", site.id);
    const { service, query } = call;
    const place = { ...call, published: addressOf(call, site, query.shareKey) };
    const customization = customizationOf(site, service.version);
    const customized = siteSpacesIn(site).map(({ node }) => [node.id, customization] as const);
    return {
      object: "published-content-site",
      site: siteAnswer(call, site),
      structure: structureOf(place, site),
      customizations: { site: customization, siteSpaces: Object.fromEntries(customized) },
      scripts: [],
    };
  },
} satisfies Partial<Routes>;

/** URL of the published site. A share-link site has one only with a valid key, which becomes part of the URL. */
export function addressOf({ organization }: Place, site: SiteRecord, shareKey?: string): string | undefined {
  const url = publishedUrl(organization, site);
  if (!site.published) return undefined;
  if (site.visibility !== "share-link") return url;
  return shareKey !== undefined && site.shareKeys.includes(shareKey)
    ? `${url}${encodeURIComponent(shareKey)}/`
    : undefined;
}

function structureOf(place: StructurePlace, { structure }: SiteRecord): PublishedSite["structure"] {
  const spaces = structure.filter((node) => node.type === "site-space");
  if (spaces.length === structure.length) {
    return { type: "siteSpaces", structure: spaces.map((node) => siteSpaceAnswer(place, node)) };
  }
  const branches = structure.filter((node) => node.type !== "site-space");
  return { type: "sections", structure: branches.map((node) => branchAnswer(place, node)) };
}
