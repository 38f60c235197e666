import type { Endpoints } from "../../api/endpoints";
import { textOfNode } from "../../api/groups/rich-text";
import type { EventOf } from "../../api/schema/endpoint";
import { badRequest } from "../http/errors";
import { comparePageKeys, pageOf } from "../http/paging";
import type { RouteCall, Routes } from "../http/route";
import { indexOf, type PlacedPage, type SpaceRecord } from "../spaces/record";
import { primaryContent } from "../spaces/revisions";
import { parseMarkdown } from "../spaces/rich-text";
import { newId } from "../store/ids";
import { appUrl, type Service, type Version } from "../store/service";
import type { OrganizationRecord } from "../store/state";
import { type SiteRecord, siteSpacesIn } from "./record";

type Call = RouteCall<Endpoints["searchSite"]>;
type Question = RouteCall<Endpoints["streamAiResponse"]>;

/**
 * Searches the pages of a site: a result is a space with its matching pages. A question is answered with the pages that contain
 * its longer words, without a language model.
 */
export const siteSearchRoutes = {
  searchSite: (call) => {
    const scope = scopeOf(call.body);
    const { site } = call;
    const words = wordsIn(call.body.query);
    const key = ({ space }: Found) => [space.id === spaceIdOf(site, scope.first) ? 0 : 1, space.sequence];
    const records = searchedSpaces(site, scope, call)
      .map((space) => ({ space, pages: pagesWith(words, space) }))
      .filter(({ pages }) => pages.length > 0)
      .sort((a, b) => comparePageKeys(key(a), key(b)));
    return pageOf(call, { records, key, item: (found) => resultOf(found, call.service) });
  },

  streamAiResponse: (call) => {
    const { site } = call;
    const spaces = spacesIn(site, call.organization);
    const words = wordsIn(questionIn(call.body)).filter((word) => word.length > shortWord);
    const pages = words.flatMap((word) => spaces.flatMap((space) => pagesWith([word], space)));
    const distinct = new Map(pages.map((one) => [one.page.id, one]));
    return eventsFor([...distinct.values()], call);
  },
} satisfies Partial<Routes>;

interface FoundPage extends PlacedPage {
  /** Share of the words that occur in the title, 0 to 1. */
  readonly score: number;
}

function wordsIn(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
}

/** Pages of the space whose title and body together contain all words; pages with more words in the title come first. */
function pagesWith(words: readonly string[], space: SpaceRecord): FoundPage[] {
  if (words.length === 0) return [];
  const pages = [...indexOf(primaryContent(space)).pages.values()];
  const matching = pages.filter(({ page }) => holds(`${page.title}\n${page.markdown}`, words));
  const shareIn = (title: string) => words.filter((word) => holds(title, [word])).length / words.length;
  return matching.map((placed) => ({ ...placed, score: shareIn(placed.page.title) })).sort((a, b) => b.score - a.score);
}

function holds(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}

/** The distinct spaces of a site, in the order of the organization. */
function spacesIn(site: SiteRecord, { spaces }: OrganizationRecord): SpaceRecord[] {
  const usedSpaces = new Set(siteSpacesIn(site).map(({ node }) => node.space));
  return [...spaces.values()].filter(({ id }) => usedSpaces.has(id));
}

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

function searchedSpaces(site: SiteRecord, { only, first }: Scope, { organization, service }: Call): SpaceRecord[] {
  for (const id of [...(only ?? []), first])
    if (id !== undefined && spaceIdOf(site, id) === undefined)
      throw badRequest(`site "${site.id}" has no site space "${id}"`);
  // The newer version searches only published sites.
  if (service.version === "0.202" && !site.published) return [];
  const searched = only?.map((id) => spaceIdOf(site, id));
  return spacesIn(site, organization).filter(({ id }) => searched === undefined || searched.includes(id));
}

function spaceIdOf(site: SiteRecord, siteSpaceId: string | undefined): string | undefined {
  return siteSpacesIn(site).find(({ node }) => node.id === siteSpaceId)?.node.space;
}

function resultOf({ space, pages }: Found, { version }: Service) {
  const isNewer = version === "0.202";
  return {
    ...(isNewer && { type: "space" as const, score: pages[0]?.score ?? 0 }),
    id: space.id,
    title: space.title,
    pages: pages.map((page, index) => pageResult(page, space, isNewer ? { rank: index + 1 } : undefined)),
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

/** Words of up to this many characters are ignored, because every page contains them. */
const shortWord = 3;

async function* eventsFor(found: FoundPage[], call: Question): AsyncGenerator<EventOf<Endpoints["streamAiResponse"]>> {
  const messageId = newId("message");
  yield { type: "response_start", messageId };
  const lines =
    found.length > 0 ? found.map(({ page, path }) => `See "${page.title}" (${path}).`) : ["No page is about that."];
  for (const line of lines) {
    const blocks = parseMarkdown(line).nodes;
    yield { type: "response_document", messageId, stepIndex: 0, operation: "insert", blocks };
  }
  const suggestions = found.map(({ page }) => `What else is in "${page.title}"?`);
  if (suggestions.length > 0) yield { type: "response_followup_suggestion", messageId, suggestions };
  const id = newId("response");
  yield { type: "response_finish", messageId, ...finish(id, call.body.previousResponseId, call.service.version) };
}

function finish(id: string, previous: string | undefined, version: Version) {
  return version === "0.146" ? { responseId: id } : { responseId: id, response: { id, ...(previous && { previous }) } };
}

function questionIn({ input }: Question["body"]): string {
  const content = input.findLast(({ role }) => role === "user")?.content ?? "";
  return typeof content === "string" ? content : content.nodes.map(textOfNode).join(" ");
}
