import type { Output } from "@pulumi/pulumi";
import { z } from "zod";
import { identifier } from "../../../api/groups/shared";
import { sites as endpoints } from "../../../api/groups/sites";
import type { Arguments } from "../resource-class";
import type { LiveSite, PublishedSite, SiteType, TemplateCondition } from "../service-types";
import type { LookupOptions } from "./dependencies";
import { ask, askLater, type InOrganization, inOrganization, limit, lookup } from "./lookup";

export interface GetSiteArgs extends InOrganization {
  /** Id of the site. */
  readonly siteId: string;
}

export type GetSiteResult = LiveSite;

const site = lookup<GetSiteArgs, GetSiteResult>({
  name: "getSite",
  arguments: z.strictObject({ ...inOrganization, siteId: identifier }),
  read: ({ client, organizationId }, { siteId }) => client.getSite({ organizationId, siteId }),
});

/** A live docs site: one request for each site. `getSites` reads many at once. */
export function getSite(args: GetSiteArgs): Promise<GetSiteResult> {
  return ask(site, args);
}

/** As {@link getSite}, for arguments that are outputs of resources. */
export function getSiteOutput(args: Arguments<GetSiteArgs>, options?: LookupOptions): Output<GetSiteResult> {
  return askLater(site, args, options);
}

export interface GetSitesArgs extends InOrganization {
  /** Only sites that hold this space. */
  readonly space?: string | undefined;
  /** Only sites whose title contains this text. */
  readonly title?: string | undefined;
  /** Only sites that are published, or that are not. */
  readonly published?: boolean | undefined;
  /** Only sites of these types. The API document does not show this filter. */
  readonly type?: SiteType[] | undefined;
}

export type GetSitesResult = LiveSite[];

const sites = lookup<GetSitesArgs, GetSitesResult>({
  name: "getSites",
  arguments: endpoints.listSites.query.omit({ page: true, limit: true }).extend(inOrganization),
  read: ({ client, organizationId }, { organizationId: _, ...filters }) => {
    return client.listSites({ organizationId, query: { ...filters, limit } }).all();
  },
});

/** The docs sites of the organization, or those that match the filters: one request for each 1,000. */
export function getSites(args: GetSitesArgs = {}): Promise<GetSitesResult> {
  return ask(sites, args);
}

/** As {@link getSites}, for arguments that are outputs of resources. */
export function getSitesOutput(args: Arguments<GetSitesArgs> = {}, options?: LookupOptions): Output<GetSitesResult> {
  return askLater(sites, args, options);
}

export interface GetPublishedSiteArgs extends GetSiteArgs {
  /** Key of a share link, to resolve its URLs; a secret stays one in the `Output` form. */
  readonly shareKey?: string | undefined;
}

export type GetPublishedSiteResult = PublishedSite;

const publishedSite = lookup<GetPublishedSiteArgs, GetPublishedSiteResult>({
  name: "getPublishedSite",
  arguments: z.strictObject({ ...inOrganization, siteId: identifier, ...endpoints.getPublishedSite.query.shape }),
  read: ({ client, organizationId }, { siteId, shareKey }) => {
    return client.getPublishedSite({ organizationId, siteId, query: { shareKey } });
  },
});

/** The full profile of a site: the site with its structure, customizations and integration scripts. One request. */
export function getPublishedSite(args: GetPublishedSiteArgs): Promise<GetPublishedSiteResult> {
  return ask(publishedSite, args);
}

/** As {@link getPublishedSite}, for arguments that are outputs of resources. */
export function getPublishedSiteOutput(
  args: Arguments<GetPublishedSiteArgs>,
  options?: LookupOptions,
): Output<GetPublishedSiteResult> {
  return askLater(publishedSite, args, options);
}

export type GetTemplateConditionsArgs = GetSiteArgs;

/** What each condition means, and its expression. */
export type GetTemplateConditionsResult = TemplateCondition[];

const templateConditions = lookup<GetTemplateConditionsArgs, GetTemplateConditionsResult>({
  name: "getTemplateConditions",
  arguments: site.arguments,
  read: async ({ client, organizationId }, { siteId }) => {
    return (await client.getTemplateConditions({ organizationId, siteId })).items;
  },
});

/** The conditions that the service suggests for content of a site that adapts to its visitors. One request. */
export function getTemplateConditions(args: GetTemplateConditionsArgs): Promise<GetTemplateConditionsResult> {
  return ask(templateConditions, args);
}

/** As {@link getTemplateConditions}, for arguments that are outputs of resources. */
export function getTemplateConditionsOutput(
  args: Arguments<GetTemplateConditionsArgs>,
  options?: LookupOptions,
): Output<GetTemplateConditionsResult> {
  return askLater(templateConditions, args, options);
}
