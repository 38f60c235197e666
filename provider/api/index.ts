/** The typed client, without Pulumi. */

export { type CallOptions, type Client, type ClientOptions, createClient } from "./client";
export { type Endpoints, endpoints, type RowName } from "./endpoints";
export type { ChangeRequest } from "./groups/change-requests";
export type { Member } from "./groups/members";
export type { SamlProvider } from "./groups/saml";
export type { Block, RichText, Role, User } from "./groups/shared";
export type { PublishedSite, Site } from "./groups/sites";
export type { Space } from "./groups/spaces";
export type { TeamMember } from "./groups/teams";
export type { Translation } from "./groups/translations";
export {
  ApiError,
  ConnectionError,
  DocsError,
  isForbidden,
  isNotFound,
  isRefused,
  isUnauthorized,
  MismatchError,
  mayHaveHappened,
} from "./http/errors";
export { Limiter } from "./http/limiter";
export type { List, Page } from "./http/pages";
export type { Call, Deletion, Endpoint, Reply } from "./schema/endpoint";
