import { masked } from "../../text/masking";

/** Everything that goes wrong in a way a user can understand: a sentence that says what, on which object, and what now. */
export class DocsError extends Error {
  override name = "DocsError";

  /** Every message of ours passes here, so that no token gets out. What is shortened before was masked before (masking.ts). */
  constructor(message: string, options?: ErrorOptions) {
    super(masked(message), options);
  }
}

/** The service answered, and not with success. */
export class ApiError extends DocsError {
  override name = "ApiError";
  /** What the service said in the error body, or the beginning of another body. */
  readonly serviceMessage: string;

  constructor(
    /** What was attempted, with its object: `read site site_1`. */
    readonly attempted: string,
    readonly status: number,
    serviceMessage: string,
    /** True for a request that may have been carried out although it failed. */
    readonly unclear = false,
  ) {
    super(
      `could not ${attempted}: the service answered ${status}${serviceMessage && ` "${serviceMessage}"`}${hint(status)}`,
    );
    this.serviceMessage = masked(serviceMessage);
  }
}

/** No usable answer came: the connection failed, the deadline passed, or the body was not what the API promises. */
export class ConnectionError extends DocsError {
  override name = "ConnectionError";

  constructor(
    readonly attempted: string,
    reason: string,
    readonly unclear: boolean,
    options?: { readonly cause?: unknown },
  ) {
    super(`could not ${attempted}: ${reason}`, options);
  }
}

/**
 * The service answered about another object than the one that was asked for: a cache or a gateway mixed up its answers, or
 * the request met something else. Nothing of such an answer is used.
 */
export class MismatchError extends ConnectionError {
  override name = "MismatchError";
}

/** The same error for one of those who share it, such as the changes of one call: what is added for one tells nothing of the others. */
export function ownError<E extends Error>(error: E): E {
  const own = Object.create(Object.getPrototypeOf(error), Object.getOwnPropertyDescriptors(error));
  return Object.defineProperty(own, "stack", { value: error.stack, writable: true, configurable: true });
}

export const isNotFound = (error: unknown): error is ApiError => hasStatus(error, 404);
export const isUnauthorized = (error: unknown): error is ApiError => hasStatus(error, 401);
export const isForbidden = (error: unknown): error is ApiError => hasStatus(error, 403);
/** The connection failed or the deadline passed, so that the address may be wrong. */
export const isUnanswered = (error: unknown): error is ConnectionError =>
  error instanceof ConnectionError && error.cause !== undefined;
export const isRefused = (error: unknown): error is ApiError => hasStatus(error, 400);

/** The service refused what was asked for, which may be one thing of many: it is wrong, not there, or in conflict. */
export const isAboutContent = (error: unknown): error is ApiError =>
  error instanceof ApiError && [400, 404, 409, 412, 422].includes(error.status);

/** A write whose answer was lost: it may have been carried out, and whoever repeats it must look first. */
export function mayHaveHappened(error: unknown): boolean {
  return (error instanceof ApiError || error instanceof ConnectionError) && error.unclear;
}

/**
 * A gateway or a time limit gave up, not the service, or the answer belongs to something else: what was asked for may still be
 * on its way.
 */
export function mayStillHappen(error: unknown): boolean {
  if (error instanceof MismatchError) return error.unclear;
  if (error instanceof ApiError) return error.unclear && [502, 504].includes(error.status);
  return error instanceof ConnectionError && error.unclear && /TIMEOUT/.test(error.message);
}

function hasStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}

function hint(status: number): string {
  if (status === 401) return ". The token is unknown, expired or revoked; use a valid one.";
  if (status === 403) return ". The token's owner lacks the permission; use the token of an administrator.";
  if (status === 404) return ". Check the ids, and that base URL and organization belong together.";
  return "";
}
