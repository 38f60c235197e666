import { z } from "zod";
import { givenId } from "../api/groups/shared";
import { siteEndpoints as endpoints } from "../api/groups/sites";
import { inOrganization, limit, lookup } from "./lookup";

const ofSite = z.strictObject({ ...inOrganization, siteId: givenId.describe("Id of the site.") });

/** A live docs site: one request for each site. `getSites` reads many at once. */
export const getSite = lookup({
  name: "getSite",
  arguments: ofSite,
  result: endpoints.getSite.reply,
  read: ({ client, organizationId }, { siteId }) => client.getSite({ organizationId, siteId }),
});

/** The docs sites of the organization, or those that match the filters: one request for each 1,000. */
export const getSites = lookup({
  name: "getSites",
  arguments: endpoints.listSites.query.omit({ page: true, limit: true }).extend(inOrganization),
  result: endpoints.listSites.reply.shape.items,
  read: ({ client, organizationId }, { organizationId: _, ...filters }) => {
    return client.listSites({ organizationId, query: { ...filters, limit } }).all();
  },
});

/** The full profile of a site: the site with its structure, customizations and integration scripts. One request. */
export const getPublishedSite = lookup({
  name: "getPublishedSite",
  arguments: ofSite.extend({
    shareKey: endpoints.getPublishedSite.query.shape.shareKey
      .unwrap()
      .describe("Key of a share link, to resolve its URLs. If it is a secret, so is the result.")
      .meta({ concealed: true })
      .optional(),
  }),
  result: endpoints.getPublishedSite.reply,
  read: ({ client, organizationId }, { siteId, shareKey }) => {
    return client.getPublishedSite({ organizationId, siteId, query: { shareKey } });
  },
});

/** The conditions that the service suggests for content of a site that adapts to its visitors. One request. */
export const getTemplateConditions = lookup({
  name: "getTemplateConditions",
  arguments: ofSite,
  result: endpoints.getTemplateConditions.reply.shape.items.describe("What each condition means, and its expression."),
  read: async ({ client, organizationId }, { siteId }) => {
    return (await client.getTemplateConditions({ organizationId, siteId })).items;
  },
});
