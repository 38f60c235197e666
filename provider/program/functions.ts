// Made by `npm run reference` from provider/lookups/index.ts and the doc comments of the lookups.
import type { Output } from "@pulumi/pulumi";
import type { LookupOptions, ProviderOption } from "./after-resources";
import { loadAsk, loadLookups } from "./late";
import type {
  ChangeRequest,
  LiveSamlProvider,
  LiveSite,
  LiveTranslation,
  Member,
  MemberSpace,
  MemberTeam,
  PublishedSite,
  SemanticChange,
  SignInProvider,
  TeamMember,
  TemplateCondition,
} from "./service-types";
import type { Arguments } from "./types";

export interface GetChangeRequestArgs {
  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId).
   */
  organizationId?: string | undefined;

  /** Id of the space. */
  spaceId: string;

  /** Id of the change request, or its number in the space as a text. */
  changeRequestId: string;
}

/** A change request: a proposed change to the content of a space. */
export type GetChangeRequestResult = ChangeRequest;

/** A change request of a space: one request. */
export function getChangeRequest(
  args: GetChangeRequestArgs,
  options?: ProviderOption,
): Promise<GetChangeRequestResult> {
  return loadAsk().ask(loadLookups().getChangeRequest, args, options);
}

/** {@link getChangeRequest} where arguments are outputs of resources. */
export function getChangeRequestOutput(
  args: Arguments<GetChangeRequestArgs>,
  options?: LookupOptions,
): Output<GetChangeRequestResult> {
  return loadAsk().askLater(loadLookups().getChangeRequest, args, options);
}

export interface GetChangeRequestChangesArgs {
  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId).
   */
  organizationId?: string | undefined;

  /** Id of the space. */
  spaceId: string;

  /** Id of the change request, or its number in the space as a text. */
  changeRequestId: string;
}

export type GetChangeRequestChangesResult = SemanticChange[];

/**
 * The changes of a change request, as changes of pages, files, variables and reusable contents: one request, or two for more
 * than 1,000 changes.
 */
export function getChangeRequestChanges(
  args: GetChangeRequestChangesArgs,
  options?: ProviderOption,
): Promise<GetChangeRequestChangesResult> {
  return loadAsk().ask(loadLookups().getChangeRequestChanges, args, options);
}

/** {@link getChangeRequestChanges} where arguments are outputs of resources. */
export function getChangeRequestChangesOutput(
  args: Arguments<GetChangeRequestChangesArgs>,
  options?: LookupOptions,
): Output<GetChangeRequestChangesResult> {
  return loadAsk().askLater(loadLookups().getChangeRequestChanges, args, options);
}

export interface GetChangeRequestsArgs {
  /** Only change requests with this status; default `open`. */
  status?: "draft" | "open" | "archived" | "merged" | undefined;

  /** Only change requests that this user created: user id, or e-mail of a member. */
  creator?: string | undefined;

  /** Only change requests that this user changed: user id, or e-mail of a member. */
  contributor?: string | undefined;

  /** Only change requests that this user was asked to review: user id, or e-mail of a member. */
  requestedReviewer?: string | undefined;

  /** Only change requests of this cluster. Removed in newer versions of the service. */
  conversationsIssuesCluster?: string | undefined;

  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId).
   */
  organizationId?: string | undefined;

  /** Only change requests of this space; by default, those of all spaces of the organization. */
  spaceId?: string | undefined;
}

export type GetChangeRequestsResult = ChangeRequest[];

/**
 * The change requests of a space or of the whole organization, by default the open ones. It takes one request for each 1,000,
 * and the requests of `getMember` for each e-mail.
 */
export function getChangeRequests(
  args: GetChangeRequestsArgs = {},
  options?: ProviderOption,
): Promise<GetChangeRequestsResult> {
  return loadAsk().ask(loadLookups().getChangeRequests, args, options);
}

/** {@link getChangeRequests} where arguments are outputs of resources. */
export function getChangeRequestsOutput(
  args: Arguments<GetChangeRequestsArgs> = {},
  options?: LookupOptions,
): Output<GetChangeRequestsResult> {
  return loadAsk().askLater(loadLookups().getChangeRequests, args, options);
}

export interface GetMemberArgs {
  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId).
   */
  organizationId?: string | undefined;

  /** User id, or e-mail in any case. */
  user: string;
}

/** A member of the organization. */
export type GetMemberResult = Member;

/**
 * A member of the organization, by user id or by e-mail. Up to three members at the same time are read one by one; more are read
 * as pages of 1,000, which all lookups of members share. A hidden e-mail is not found.
 */
export function getMember(args: GetMemberArgs, options?: ProviderOption): Promise<GetMemberResult> {
  return loadAsk().ask(loadLookups().getMember, args, options);
}

/** {@link getMember} where arguments are outputs of resources. */
export function getMemberOutput(args: Arguments<GetMemberArgs>, options?: LookupOptions): Output<GetMemberResult> {
  return loadAsk().askLater(loadLookups().getMember, args, options);
}

export interface GetMemberSpacesArgs {
  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId).
   */
  organizationId?: string | undefined;

  /** User id, or e-mail in any case. */
  user: string;
}

/** Each space, with the member's permissions in it. */
export type GetMemberSpacesResult = MemberSpace[];

/** The spaces that a member can open: one request for each 1,000, and the requests of `getMember` for an e-mail. */
export function getMemberSpaces(args: GetMemberSpacesArgs, options?: ProviderOption): Promise<GetMemberSpacesResult> {
  return loadAsk().ask(loadLookups().getMemberSpaces, args, options);
}

/** {@link getMemberSpaces} where arguments are outputs of resources. */
export function getMemberSpacesOutput(
  args: Arguments<GetMemberSpacesArgs>,
  options?: LookupOptions,
): Output<GetMemberSpacesResult> {
  return loadAsk().askLater(loadLookups().getMemberSpaces, args, options);
}

export interface GetMemberTeamsArgs {
  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId).
   */
  organizationId?: string | undefined;

  /** User id, or e-mail in any case. */
  user: string;

  /** Only teams whose title contains this text, in any case. */
  title?: string | undefined;
}

/** Each team, and the member's role in it. */
export type GetMemberTeamsResult = MemberTeam[];

/** The teams that a member belongs to: one request, and the requests of `getMember` for an e-mail. */
export function getMemberTeams(args: GetMemberTeamsArgs, options?: ProviderOption): Promise<GetMemberTeamsResult> {
  return loadAsk().ask(loadLookups().getMemberTeams, args, options);
}

/** {@link getMemberTeams} where arguments are outputs of resources. */
export function getMemberTeamsOutput(
  args: Arguments<GetMemberTeamsArgs>,
  options?: LookupOptions,
): Output<GetMemberTeamsResult> {
  return loadAsk().askLater(loadLookups().getMemberTeams, args, options);
}

export interface GetMembersArgs {
  /** Only members with this role; `guest` means members without a role. */
  role?: "admin" | "create" | "review" | "edit" | "comment" | "read" | "guest" | undefined;

  /** Only members whose name or e-mail contains this text. */
  search?: string | undefined;

  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId).
   */
  organizationId?: string | undefined;
}

export type GetMembersResult = Member[];

/** The members of the organization, or those that match the filters, with the newest first: one request for each 1,000. */
export function getMembers(args: GetMembersArgs = {}, options?: ProviderOption): Promise<GetMembersResult> {
  return loadAsk().ask(loadLookups().getMembers, args, options);
}

/** {@link getMembers} where arguments are outputs of resources. */
export function getMembersOutput(
  args: Arguments<GetMembersArgs> = {},
  options?: LookupOptions,
): Output<GetMembersResult> {
  return loadAsk().askLater(loadLookups().getMembers, args, options);
}

export interface GetPublishedSiteArgs {
  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId).
   */
  organizationId?: string | undefined;

  /** Id of the site. */
  siteId: string;

  /** Key of a share link, to resolve its URLs. If it is a secret, so is the result. */
  shareKey?: string | undefined;
}

/** What visitors see of a published site. */
export type GetPublishedSiteResult = PublishedSite;

/** The full profile of a site: the site with its structure, customizations and integration scripts. One request. */
export function getPublishedSite(
  args: GetPublishedSiteArgs,
  options?: ProviderOption,
): Promise<GetPublishedSiteResult> {
  return loadAsk().ask(loadLookups().getPublishedSite, args, options);
}

/** {@link getPublishedSite} where arguments are outputs of resources. */
export function getPublishedSiteOutput(
  args: Arguments<GetPublishedSiteArgs>,
  options?: LookupOptions,
): Output<GetPublishedSiteResult> {
  return loadAsk().askLater(loadLookups().getPublishedSite, args, options);
}

export interface GetSamlProvidersArgs {
  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId).
   */
  organizationId?: string | undefined;
}

export type GetSamlProvidersResult = LiveSamlProvider[];

/** The SAML providers of the organization, including those that are not completely set up: one request for each 1,000. */
export function getSamlProviders(
  args: GetSamlProvidersArgs = {},
  options?: ProviderOption,
): Promise<GetSamlProvidersResult> {
  return loadAsk().ask(loadLookups().getSamlProviders, args, options);
}

/** {@link getSamlProviders} where arguments are outputs of resources. */
export function getSamlProvidersOutput(
  args: Arguments<GetSamlProvidersArgs> = {},
  options?: LookupOptions,
): Output<GetSamlProvidersResult> {
  return loadAsk().askLater(loadLookups().getSamlProviders, args, options);
}

export interface GetSignInProvidersArgs {
  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId).
   */
  organizationId?: string | undefined;
}

/** Id and label of each provider, and the address at which a sign-in starts. */
export type GetSignInProvidersResult = SignInProvider[];

/** The providers that members of the organization can sign in with: one request. */
export function getSignInProviders(
  args: GetSignInProvidersArgs = {},
  options?: ProviderOption,
): Promise<GetSignInProvidersResult> {
  return loadAsk().ask(loadLookups().getSignInProviders, args, options);
}

/** {@link getSignInProviders} where arguments are outputs of resources. */
export function getSignInProvidersOutput(
  args: Arguments<GetSignInProvidersArgs> = {},
  options?: LookupOptions,
): Output<GetSignInProvidersResult> {
  return loadAsk().askLater(loadLookups().getSignInProviders, args, options);
}

export interface GetSiteArgs {
  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId).
   */
  organizationId?: string | undefined;

  /** Id of the site. */
  siteId: string;
}

/** A site as the service answers it. */
export type GetSiteResult = LiveSite;

/** A live docs site: one request for each site. `getSites` reads many at once. */
export function getSite(args: GetSiteArgs, options?: ProviderOption): Promise<GetSiteResult> {
  return loadAsk().ask(loadLookups().getSite, args, options);
}

/** {@link getSite} where arguments are outputs of resources. */
export function getSiteOutput(args: Arguments<GetSiteArgs>, options?: LookupOptions): Output<GetSiteResult> {
  return loadAsk().askLater(loadLookups().getSite, args, options);
}

export interface GetSitesArgs {
  /** Only sites that contain this space. */
  space?: string | undefined;

  /** Only sites whose title contains this text. */
  title?: string | undefined;

  /** Only sites that are published, or only sites that are not. */
  published?: boolean | undefined;

  /** Only sites of these types. */
  type?: ("basic" | "premium" | "ultimate" | "sponsored" | "legacy-basic" | "legacy-premium")[] | undefined;

  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId).
   */
  organizationId?: string | undefined;
}

export type GetSitesResult = LiveSite[];

/** The docs sites of the organization, or those that match the filters: one request for each 1,000. */
export function getSites(args: GetSitesArgs = {}, options?: ProviderOption): Promise<GetSitesResult> {
  return loadAsk().ask(loadLookups().getSites, args, options);
}

/** {@link getSites} where arguments are outputs of resources. */
export function getSitesOutput(args: Arguments<GetSitesArgs> = {}, options?: LookupOptions): Output<GetSitesResult> {
  return loadAsk().askLater(loadLookups().getSites, args, options);
}

export interface GetTeamMembersArgs {
  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId).
   */
  organizationId?: string | undefined;

  /** Id of the team, as shown in its address in the app. Use either this or `title`. */
  teamId?: string | undefined;

  /** Exact title of the team, which no other team may have. */
  title?: string | undefined;
}

export type GetTeamMembersResult = TeamMember[];

/**
 * The members of a team, with their roles in it: one request for each 1,000.
 *
 * A search by `title` takes more requests, because the API cannot list teams: they are found through the members of the
 * organization. It reads all members (pages of 1,000), and takes one or two requests for each team. These reads happen once,
 * also if a program searches several teams. A team without members cannot be found.
 */
export function getTeamMembers(args: GetTeamMembersArgs = {}, options?: ProviderOption): Promise<GetTeamMembersResult> {
  return loadAsk().ask(loadLookups().getTeamMembers, args, options);
}

/** {@link getTeamMembers} where arguments are outputs of resources. */
export function getTeamMembersOutput(
  args: Arguments<GetTeamMembersArgs> = {},
  options?: LookupOptions,
): Output<GetTeamMembersResult> {
  return loadAsk().askLater(loadLookups().getTeamMembers, args, options);
}

export interface GetTemplateConditionsArgs {
  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId).
   */
  organizationId?: string | undefined;

  /** Id of the site. */
  siteId: string;
}

/** What each condition means, and its expression. */
export type GetTemplateConditionsResult = TemplateCondition[];

/** The conditions that the service suggests for content of a site that adapts to its visitors. One request. */
export function getTemplateConditions(
  args: GetTemplateConditionsArgs,
  options?: ProviderOption,
): Promise<GetTemplateConditionsResult> {
  return loadAsk().ask(loadLookups().getTemplateConditions, args, options);
}

/** {@link getTemplateConditions} where arguments are outputs of resources. */
export function getTemplateConditionsOutput(
  args: Arguments<GetTemplateConditionsArgs>,
  options?: LookupOptions,
): Output<GetTemplateConditionsResult> {
  return loadAsk().askLater(loadLookups().getTemplateConditions, args, options);
}

export interface GetTranslationsArgs {
  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId).
   */
  organizationId?: string | undefined;
}

export type GetTranslationsResult = LiveTranslation[];

/**
 * The translations of the organization: one request for each 1,000. Durations in `stats` are in seconds, which the API
 * document does not show.
 */
export function getTranslations(
  args: GetTranslationsArgs = {},
  options?: ProviderOption,
): Promise<GetTranslationsResult> {
  return loadAsk().ask(loadLookups().getTranslations, args, options);
}

/** {@link getTranslations} where arguments are outputs of resources. */
export function getTranslationsOutput(
  args: Arguments<GetTranslationsArgs> = {},
  options?: LookupOptions,
): Output<GetTranslationsResult> {
  return loadAsk().askLater(loadLookups().getTranslations, args, options);
}
