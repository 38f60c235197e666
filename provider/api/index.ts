/** The typed client by itself, without anything of Pulumi. */

export type { ChangeRequest } from "./change-requests";
export { type CallOptions, type Client, type ClientOptions, createClient } from "./client";
export type { Call, Deletion, Endpoint, Reply } from "./endpoint";
export { type Endpoints, endpoints, type RowName } from "./endpoints";
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
} from "./errors";
export { Limiter } from "./limiter";
export type { Member } from "./members";
export type { List, Page } from "./pages";
export type { SamlProvider } from "./saml";
export type { Block, RichText, Role, User } from "./shared";
export type { PublishedSite, Site } from "./sites";
export type { Space } from "./spaces";
export type { TeamMember } from "./teams";
export type { Translation } from "./translations";
