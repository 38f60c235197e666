/** The typed client by itself, without anything of Pulumi. */
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
  mayHaveHappened,
} from "./errors";
export { Limiter } from "./limiter";
export type { List, Page } from "./pages";
