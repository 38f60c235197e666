import type { PublishedSite, Site } from "../../api/groups/sites";
import { DocsError, isNotFound } from "../../api/http/errors";
import { type Context, connectBySettings, explained } from "../../run/context";
import { counted } from "../../text/safe-text";
import { visible } from "../../text/visible";
import { print } from "../output";

export async function checkSite(siteId: string, { query }: { readonly query?: string }): Promise<void> {
  const context = await connectBySettings();
  await explained(context, async () => {
    const site = await publishedSite(context, siteId);
    await print(`published: ${describe(site)}\n`);
    await print(`profile: ${contentOf(await profileOf(context, site))}\n`);
    await print(`search: ${await searchIn(context, site, query)}\n`);
  });
}

const nameOf = ({ id, title }: Site): string => `site ${visible(id)} ("${visible(title)}")`;

function describe(site: Site): string {
  const address = site.urls?.published;
  return `${nameOf(site)}, ${visible(site.visibility)}${address === undefined ? "" : `, ${visible(address, 2048)}`}`;
}

async function publishedSite({ client, organizationId }: Context, siteId: string): Promise<Site> {
  const site = await client.getSite({ organizationId, siteId });
  if (site.published) return site;
  throw new DocsError(`${nameOf(site)} is not published; declare published: true`);
}

async function profileOf({ client, organizationId }: Context, site: Site): Promise<PublishedSite> {
  try {
    return await client.getPublishedSite({ organizationId, siteId: site.id });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const missing = `${nameOf(site)} is marked as published, but the service has no published profile of it`;
    throw new DocsError(`${missing}; try again in a minute, then publish it again in the app`, { cause: error });
  }
}

function contentOf({ structure }: PublishedSite): string {
  const count = structure.structure.length;
  if (structure.type === "siteSpaces") return counted(count, "space");
  return counted(count, "section or group", "sections and groups");
}

/** Searches all spaces of the site. Without `query`, any answer is enough: no page needs to have the words of the title. A query has at most 512 characters. */
async function searchIn({ client, organizationId }: Context, site: Site, query?: string): Promise<string> {
  const text = query ?? site.title.slice(0, 512);
  const body = { query: text, scope: { mode: "all" as const } };
  const { items } = await client.searchSite({ organizationId, siteId: site.id, body });
  // A record, which newer versions of the service find as well, has no pages, and is a result itself.
  const results = items.reduce((sum, item) => sum + (item.pages?.length ?? 1), 0);
  if (query !== undefined && results === 0)
    throw new DocsError(`the search of ${nameOf(site)} finds nothing for "${visible(query)}"`);
  return `${counted(results, "result")} for "${visible(text)}"`;
}
