import type { Endpoints } from "../../api/endpoints";
import type { Claim } from "../../api/groups/sites";
import { badRequest, Refusal } from "../http/errors";
import { bySequence, pageOf } from "../http/paging";
import type { RouteCall, Routes } from "../http/route";
import { newId } from "../store/ids";
import type { OrganizationRecord } from "../store/state";
import { siteAnswer } from "./answer";
import { makeDefault, type SiteRecord, sectionsIn, siteSpacesIn } from "./record";
import { newSite, siteSpacesOf } from "./seed";

export const siteRoutes = {
  listSites: (call) =>
    pageOf(call, {
      records: [...call.organization.sites.values()].filter(matches(call.query)),
      key: bySequence,
      item: (site) => siteAnswer(call, site),
    }),

  createSite: (call) => {
    const { organization, service, body = {} } = call;
    const { spaces = [], ...settings } = body;
    refuseUnknownSpaces(spaces, organization);
    const site = newSite({
      // The newer version defaults to the highest plan (`sponsored` is for community organizations).
      type: service.version === "0.146" ? "basic" : "ultimate",
      ...settings,
      sequence: ++service.state.sequence,
      createdAt: service.now().toISOString(),
      structure: siteSpacesOf(spaces, organization),
    });
    organization.sites.set(site.id, site);
    const answer = siteAnswer(call, site);
    call.headers.location = answer.urls.location;
    return answer;
  },

  getSite: (call) => siteAnswer(call, call.site),

  deleteSite: ({ organization, path }) => organization.sites.delete(path.siteId),

  updateSite: (call) => {
    const { site } = call;
    const { defaultSiteSection, defaultSiteSpace, proxy, ...settings } = call.body;
    if (settings.agentsContext !== undefined && call.service.version === "0.202")
      throw badRequest("agentsContext: there is no such property; remove it");
    refuseTakenBasename(call, site);
    const section = defaultSiteSection === undefined ? undefined : sectionOf(site, defaultSiteSection);
    const siteSpace = defaultSiteSpace === undefined ? undefined : newDefaultSiteSpace(site, defaultSiteSpace, section);
    // Everything is checked before the first change, so a refused update changes nothing.
    if (section) makeDefault(allSections(site), section);
    if (siteSpace) makeDefault(siteSpace.siblings, siteSpace.node);
    Object.assign(site, settings);
    if (proxy !== undefined) site.proxy = proxy ?? undefined;
    return siteAnswer(call, site);
  },

  publishSite: (call) => {
    const { site } = call;
    const isPaid = site.published || !call.service.readings.checkoutFor.includes(site.type);
    if (!isPaid) return { type: "checkout", sessionId: newId("checkout") };
    site.published = true;
    return siteAnswer(call, site);
  },

  unpublishSite: (call) => {
    const { site } = call;
    site.published = false;
    return siteAnswer(call, site);
  },

  getSiteAdaptiveSchema: (call) => schemaAnswer(call.site),

  putSiteAdaptiveSchema: (call) => {
    const { site } = call;
    site.adaptiveSchema = { jsonSchema: call.body.jsonSchema, updatedAt: call.service.now().toISOString() };
    return schemaAnswer(site);
  },

  getTemplateConditions: ({ site: { adaptiveSchema } }) => {
    const claims = adaptiveSchema?.jsonSchema.properties ?? {};
    return { items: conditionsOf("visitor.claims", claims as Record<string, Claim>) };
  },
} satisfies Partial<Routes>;

function matches({ space, title, published, type }: RouteCall<Endpoints["listSites"]>["query"]) {
  return (site: SiteRecord) =>
    (space === undefined || siteSpacesIn(site).some(({ node }) => node.space === space)) &&
    (title === undefined || site.title.toLowerCase().includes(title.toLowerCase())) &&
    (published === undefined || site.published === published) &&
    (type === undefined || type.includes(site.type));
}

function refuseUnknownSpaces(ids: readonly string[], { id: organizationId, spaces }: OrganizationRecord): void {
  const unknown = ids.filter((id) => !spaces.has(id));
  if (unknown.length === 0) return;
  const quotedIds = unknown.map((id) => `"${id}"`).join(", ");
  throw badRequest(`spaces: organization "${organizationId}" has no space ${quotedIds}`);
}

function refuseTakenBasename({ body, organization }: RouteCall<Endpoints["updateSite"]>, site: SiteRecord): void {
  const { basename } = body;
  if (basename === undefined) return;
  const owner = [...organization.sites.values()].find((other) => other !== site && other.basename === basename);
  if (owner) throw new Refusal(409, `basename: site "${owner.id}" has "${basename}" already; use another one`);
}

function sectionOf(site: SiteRecord, id: string) {
  const placed = sectionsIn(site).find(({ node }) => node.id === id);
  if (placed) return placed.node;
  throw badRequest(`defaultSiteSection: site "${site.id}" has no section "${id}"`);
}

/** On a site with sections, the site space that opens at the root must be in the default section. */
function newDefaultSiteSpace(site: SiteRecord, id: string, newDefault: ReturnType<typeof sectionOf> | undefined) {
  const root = newDefault ?? allSections(site).find((section) => section.default);
  const placed = siteSpacesIn(site).find(({ node }) => node.id === id);
  if (!placed) throw badRequest(`defaultSiteSpace: site "${site.id}" has no site space "${id}"`);
  if (placed.section === root) return { node: placed.node, siblings: placed.section?.siteSpaces ?? topLevel(site) };
  throw badRequest(`defaultSiteSpace: "${id}" is not in the default section "${root?.id}"`);
}

const allSections = (site: SiteRecord) => sectionsIn(site).map(({ node }) => node);

const topLevel = (site: SiteRecord) => siteSpacesIn(site).map(({ node }) => node);

function schemaAnswer({ id, adaptiveSchema }: SiteRecord) {
  if (!adaptiveSchema) throw new Refusal(404, `site "${id}" has no adaptive schema`);
  return { object: "site-adaptive-schema" as const, ...adaptiveSchema };
}

function conditionsOf(
  above: string,
  claims: Readonly<Record<string, Claim>>,
): { description: string; condition: string }[] {
  return Object.entries(claims).flatMap(([name, claim]) => {
    const value = /^[A-Za-z_$][\w$]*$/.test(name) ? `${above}.${name}` : `${above}[${JSON.stringify(name)}]`;
    if (claim.type === "object") return conditionsOf(value, claim.properties ?? {});
    return [{ description: claim.description, condition: `${value} != null` }];
  });
}
