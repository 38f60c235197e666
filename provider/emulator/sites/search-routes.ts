import type { Endpoints } from "../../api/endpoints";
import { badRequest } from "../http/errors";
import { compared, pageOf } from "../http/paging";
import type { RouteCall, Routes } from "../http/route";
import type { SpaceRecord } from "../spaces/record";
import { appUrl, type Service } from "../store/service";
import type { SiteRecord } from "./record";
import { siteOf } from "./routes";
import { type FoundPage, pagesWith, wordsIn } from "./search";
import { siteSpacesIn, spacesIn } from "./structure";

type Call = RouteCall<Endpoints["searchSite"]>;

/** Searches the pages of a site; a result is a space with its matching pages. */
export const siteSearchRoutes = {
  searchSite: (call) => {
    const scope = scopeOf(call.body);
    const site = siteOf(call);
    const words = wordsIn(call.body.query);
    const key = ({ space }: Found) => [space.id === spaceIn(site, scope.first) ? 0 : 1, space.sequence];
    const records = spacesOf(site, scope, call)
      .map((space) => ({ space, pages: pagesWith(words, space) }))
      .filter(({ pages }) => pages.length > 0)
      .sort((a, b) => compared(key(a), key(b)));
    return pageOf(call, { records, key, item: (found) => resultOf(found, call.service) });
  },
} satisfies Partial<Routes>;

interface Scope {
  /** Ids of site spaces to search; all by default. */
  readonly only?: readonly string[];
  /** Id of the site space whose results come first. */
  readonly first?: string | undefined;
}

interface Found {
  readonly space: SpaceRecord;
  readonly pages: readonly FoundPage[];
}

/** Scope of the search; the body has `scope` or is one of three deprecated forms. */
function scopeOf(body: Call["body"]): Scope {
  if (!("scope" in body)) {
    if (body.mode === "current") return { only: [body.siteSpaceId] };
    return body.mode === "specific" ? { only: body.siteSpaceIds } : {};
  }
  const { scope } = body;
  if (scope.mode === "specific") return { only: scope.siteSpaceIds };
  return scope.mode === "default" ? { first: scope.currentSiteSpace } : {};
}

function spacesOf(site: SiteRecord, { only, first }: Scope, { organization, service }: Call): SpaceRecord[] {
  for (const id of [...(only ?? []), ...(first === undefined ? [] : [first])]) {
    if (spaceIn(site, id) === undefined) throw badRequest(`site "${site.id}" has no site space "${id}"`);
  }
  // The newer version searches only published sites.
  if (service.version === "0.202" && !site.published) return [];
  const wanted = only?.map((id) => spaceIn(site, id));
  return spacesIn(site, organization).filter(({ id }) => wanted === undefined || wanted.includes(id));
}

function spaceIn(site: SiteRecord, siteSpaceId: string | undefined): string | undefined {
  return siteSpacesIn(site).find(({ node }) => node.id === siteSpaceId)?.node.space;
}

function resultOf({ space, pages }: Found, { version }: Service) {
  const newer = version === "0.202";
  return {
    ...(newer && { type: "space" as const, score: pages[0]?.score ?? 0 }),
    id: space.id,
    title: space.title,
    pages: pages.map((page, index) => pageResult(page, space, newer ? { rank: index + 1 } : undefined)),
  };
}

function pageResult({ page, path, ancestors, score }: FoundPage, space: SpaceRecord, newer?: { rank: number }) {
  const app = `${appUrl}/s/${space.id}/${path.split("/").map(encodeURIComponent).join("/")}`;
  return {
    id: page.id,
    title: page.title,
    path,
    sections: [],
    ancestors: ancestors.map(({ title }) => ({ title })),
    urls: { app },
    ...(newer && { ...newer, score, description: "" }),
  };
}
