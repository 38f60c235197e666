import type { Site } from "../../api/groups/sites";
import type { Complete } from "../http/route";
import { appUrl, type RecordContext } from "../store/service";
import type { OrganizationRecord } from "../store/state";
import { type SiteRecord, siteSpacesIn } from "./record";

export function siteAnswer(place: RecordContext, site: SiteRecord) {
  const isOlder = place.service.version === "0.146";
  return {
    object: "site",
    id: site.id,
    type: site.type,
    title: site.title,
    icon: site.icon,
    hostname: site.hostname,
    basename: site.basename,
    // Requests have one string, answers two.
    proxy: site.proxy === undefined ? undefined : { origin: site.proxy, target: `proxy.docs.example/${site.id}` },
    visibility: site.visibility,
    published: site.published,
    siteSpaces: siteSpacesIn(site).length,
    createdAt: site.createdAt,
    adaptiveContent: site.adaptiveContent,
    ads: site.ads,
    features,
    urls: urlsOf(place, site),
    agentsContext: isOlder ? site.agentsContext : undefined,
    appliedType: isOlder ? undefined : site.type,
    defaultLevel: isOlder ? undefined : "inherit",
    permissions: isOlder ? undefined : permissions,
  } satisfies Complete<Site>;
}

const permissions = {
  view: true,
  access: true,
  edit: true,
  create: true,
  admin: true,
  installIntegration: true,
  viewAdaptiveSchema: true,
  editAdaptiveSchema: true,
};

function urlsOf({ organization, service }: RecordContext, site: SiteRecord) {
  return {
    location: `${service.url}/v1/orgs/${organization.id}/sites/${site.id}`,
    app: `${appUrl}/o/${organization.id}/sites/${site.id}`,
    published: site.published ? publishedUrl(organization, site) : undefined,
    preview: service.version === "0.202" ? `${appUrl}/preview/${site.id}/` : undefined,
  } satisfies Complete<Site["urls"]>;
}

/** URL of the site for visitors, with a trailing slash. */
function publishedUrl(organization: OrganizationRecord, site: SiteRecord): string {
  if (site.proxy !== undefined) return `https://${site.proxy}/`;
  if (site.hostname !== undefined) return `https://${site.hostname}/`;
  return `https://sites.docs.example/${organization.id}/${encodeURIComponent(site.basename ?? site.id)}/`;
}

/** URL of the published site. A share-link site has one only with a valid key, which becomes part of the URL. */
export function addressOfSite(
  { organization }: RecordContext,
  site: SiteRecord,
  shareKey?: string,
): string | undefined {
  const url = publishedUrl(organization, site);
  if (!site.published) return undefined;
  if (site.visibility !== "share-link") return url;
  return shareKey !== undefined && site.shareKeys.includes(shareKey)
    ? `${url}${encodeURIComponent(shareKey)}/`
    : undefined;
}

/** One of about thirty features of the service. Which plan has which is not documented. */
const features: Site["features"] = [{ id: "sites-full-text-search", plan: "basic", frozen: false }];
