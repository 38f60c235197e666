import type { Endpoints } from "../../api/endpoints";
import { badRequest, conflict, existing } from "../http/errors";
import { pageOf } from "../http/paging";
import type { PathCall, RouteCall, Routes } from "../http/route";
import { newId } from "../store/ids";
import type { Service } from "../store/service";
import type { Organization } from "../store/state";
import { siteAnswer } from "./answer";
import type { SiteRecord } from "./record";
import { siteSpacesOf } from "./seeding";
import { makeDefault, sectionsIn, siteSpacesIn } from "./structure";

/** Sites: list, create, read, update, delete, publish, unpublish. */
export const siteRoutes = {
  listSites: (call) =>
    pageOf(call, {
      records: [...call.organization.sites.values()].filter(matches(call.query)),
      key: (site) => [site.sequence],
      item: (site) => siteAnswer(call, site),
    }),

  createSite: (call) => {
    const { organization, service, body = {} } = call;
    const { spaces = [], ...settings } = body;
    refuseUnknownSpaces(spaces, organization);
    const site: SiteRecord = {
      type: defaultType(service),
      title: "Untitled",
      visibility: "public",
      ...settings,
      id: newId("site"),
      sequence: ++service.state.sequence,
      published: false,
      createdAt: service.now().toISOString(),
      agentsContext: "included",
      shareKeys: [],
      needsUpgrade: false,
      structure: siteSpacesOf(spaces, organization),
      responses: [],
    };
    organization.sites.set(site.id, site);
    const answer = siteAnswer(call, site);
    call.headers.location = answer.urls.location;
    return answer;
  },

  getSite: (call) => siteAnswer(call, siteOf(call)),

  deleteSite: ({ organization, path }) => organization.sites.delete(path.siteId),

  updateSite: (call) => {
    const site = siteOf(call);
    const { defaultSiteSection, defaultSiteSpace, proxy, ...settings } = call.body;
    refuseAgentsContext(call);
    refuseTakenBasename(call, site);
    const section = defaultSiteSection === undefined ? undefined : sectionOf(site, defaultSiteSection);
    const siteSpace = defaultSiteSpace === undefined ? undefined : siteSpaceOf(site, defaultSiteSpace, section);
    // Everything is checked before the first change, so a refused update changes nothing.
    if (section) makeDefault(allSections(site), section);
    if (siteSpace) makeDefault(siteSpace.siblings, siteSpace.node);
    Object.assign(site, settings);
    if (proxy !== undefined) site.proxy = proxy ?? undefined;
    return siteAnswer(call, site);
  },

  publishSite: (call) => {
    const site = siteOf(call);
    const unpaid = site.needsUpgrade || call.service.readings.checkoutFor.includes(site.type);
    if (unpaid && !site.published) return { type: "checkout", sessionId: newId("checkout") };
    site.published = true;
    return siteAnswer(call, site);
  },

  unpublishSite: (call) => {
    const site = siteOf(call);
    site.published = false;
    return siteAnswer(call, site);
  },
} satisfies Partial<Routes>;

export const siteOf = ({ organization, path }: PathCall<"siteId">): SiteRecord =>
  existing(organization.sites.get(path.siteId), "site", path.siteId);

function matches({ space, title, published, type }: RouteCall<Endpoints["listSites"]>["query"]) {
  return (site: SiteRecord) =>
    (space === undefined || siteSpacesIn(site).some(({ node }) => node.space === space)) &&
    (title === undefined || site.title.toLowerCase().includes(title.toLowerCase())) &&
    (published === undefined || site.published === published) &&
    (type === undefined || type.includes(site.type));
}

/** The newer version defaults to the highest plan (`sponsored` is for community organizations). */
function defaultType({ version }: Service): SiteRecord["type"] {
  return version === "0.146" ? "basic" : "ultimate";
}

function refuseUnknownSpaces(ids: readonly string[], { id: organizationId, spaces }: Organization): void {
  const unknown = ids.filter((id) => !spaces.has(id));
  if (unknown.length === 0) return;
  const named = unknown.map((id) => `"${id}"`).join(", ");
  throw badRequest(`spaces: organization "${organizationId}" has no space ${named}`);
}

function refuseAgentsContext({ body, service }: RouteCall<Endpoints["updateSite"]>): void {
  if (service.version === "0.146" || body.agentsContext === undefined) return;
  throw badRequest("agentsContext: there is no such property; remove it");
}

function refuseTakenBasename({ body, organization }: RouteCall<Endpoints["updateSite"]>, site: SiteRecord): void {
  const { basename } = body;
  if (basename === undefined) return;
  const owner = [...organization.sites.values()].find((other) => other !== site && other.basename === basename);
  if (owner) throw conflict(`basename: site "${owner.id}" has "${basename}" already; use another one`);
}

function sectionOf(site: SiteRecord, id: string) {
  const found = sectionsIn(site).find(({ node }) => node.id === id);
  if (found) return found.node;
  throw badRequest(`defaultSiteSection: site "${site.id}" has no section "${id}"`);
}

/** On a site with sections, the site space that opens at the root must be in the default section. */
function siteSpaceOf(site: SiteRecord, id: string, section = sectionsIn(site).find(({ node }) => node.default)?.node) {
  const found = siteSpacesIn(site).find(({ node }) => node.id === id);
  if (!found) throw badRequest(`defaultSiteSpace: site "${site.id}" has no site space "${id}"`);
  if (found.section === section) return { node: found.node, siblings: found.section?.siteSpaces ?? topLevel(site) };
  throw badRequest(`defaultSiteSpace: "${id}" is not in the default section "${section?.id}"`);
}

const allSections = (site: SiteRecord) => sectionsIn(site).map(({ node }) => node);

const topLevel = (site: SiteRecord) => siteSpacesIn(site).map(({ node }) => node);
