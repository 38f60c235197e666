import { masked } from "../../text/masking";

/** An error for users: the message says what failed, on which object, and what to do. Tokens in it are masked. */
export class DocsError extends Error {
  override name = "DocsError";

  /** Masks tokens. A text that is shortened must be masked before, because half a token cannot be found (see masking.ts). */
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(masked(message), options);
  }
}

export class ApiError extends DocsError {
  override name = "ApiError";
  /** Message of the error body, or the beginning of any other body. */
  readonly serviceMessage: string;

  constructor(
    /** The operation with its object: `read site site_1`. */
    readonly attempted: string,
    readonly status: number,
    serviceMessage: string,
    /** True if the request may have been applied although it failed. */
    readonly unclear = false,
  ) {
    super(
      `could not ${attempted}: the service answered ${status}${serviceMessage && ` "${serviceMessage}"`}${hint(status)}`,
    );
    this.serviceMessage = masked(serviceMessage);
  }
}

/** There was no usable answer: the connection failed, the deadline passed, or the body does not fit the API. */
export class ConnectionError extends DocsError {
  override name = "ConnectionError";

  /** True if the request may have been applied although it failed. */
  readonly unclear: boolean;

  constructor(
    readonly attempted: string,
    reason: string,
    { unclear = false, cause }: { readonly unclear?: boolean; readonly cause?: unknown } = {},
  ) {
    super(`could not ${attempted}: ${reason}`, cause === undefined ? {} : { cause });
    this.unclear = unclear;
  }
}

/** The proxy of the environment failed, so nothing was sent to the service. */
export class ProxyFailure extends Error {
  readonly code: string;

  /** `status` is 0 without an answer. Only after 500 or more is a request tried again: the proxy may reach the service later. */
  constructor(message: string, status: number, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = status >= 500 ? "PROXY_GATEWAY" : "PROXY_UNUSABLE";
  }
}

/**
 * The service answered about another object than the requested one, for example because a cache or a gateway mixed up its
 * answers. The answer is discarded.
 */
export class MismatchError extends ConnectionError {
  override name = "MismatchError";
}

/** Copies an error that several changes of one call share, so that details added for one do not appear in the others. */
export function copyError<E extends Error>(error: E): E {
  const copy = Object.create(Object.getPrototypeOf(error), Object.getOwnPropertyDescriptors(error));
  return Object.defineProperty(copy, "stack", { value: error.stack, writable: true, configurable: true });
}

export const isNotFound = (error: unknown): error is ApiError => hasStatus(error, 404);
/** For the `catch` of a read: what does not exist is no failure. */
export function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
export const isUnauthorized = (error: unknown): error is ApiError => hasStatus(error, 401);
export const isForbidden = (error: unknown): error is ApiError => hasStatus(error, 403);
/** Whether the connection failed or the deadline passed; an error about an unusable answer has no cause. */
export const isUnanswered = (error: unknown): error is ConnectionError =>
  error instanceof ConnectionError && error.cause !== undefined;
/** Whether the connection failed because the address of the service may be wrong. A failure of the proxy says nothing about it. */
export const mayHaveWrongAddress = (error: unknown): error is ConnectionError =>
  isUnanswered(error) && !(error.cause instanceof ProxyFailure);
export const isRefused = (error: unknown): error is ApiError => hasStatus(error, 400);

/** Whether the service refused the content of the request, possibly one change of many: invalid, missing or in conflict. */
export const isAboutContent = (error: unknown): error is ApiError =>
  error instanceof ApiError && [400, 404, 409, 412, 422].includes(error.status);

/** Whether a failed write may have been applied, because its answer was lost. Read the object before repeating the write. */
export function mayHaveHappened(error: unknown): boolean {
  return (error instanceof ApiError || error instanceof ConnectionError) && error.unclear;
}

/**
 * Whether the service may still be working on a failed write: a gateway or a time limit ended the request, or the answer was
 * about another object.
 */
export function mayStillHappen(error: unknown): boolean {
  if (error instanceof MismatchError) return error.unclear;
  if (error instanceof ApiError) return error.unclear && [502, 504].includes(error.status);
  // The message of a time limit contains its code, such as UND_ERR_HEADERS_TIMEOUT.
  return error instanceof ConnectionError && error.unclear && /TIMEOUT/.test(error.message);
}

function hasStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}

/** Hints for failures that may pass. */
export const tryAgain = {
  later: "; the service has a problem, so try again later",
  network: "; try again, and check the network if it happens again",
};

/** Removes such a hint from the message of a request that must not simply be tried again. */
export function withoutTryAgain(message: string): string {
  const hint = Object.values(tryAgain).find((one) => message.endsWith(one)) ?? "";
  return message.slice(0, message.length - hint.length);
}

/** Hint for answers that no version of the service gives. */
export const notTheApi = "; check the base URL, and whether a proxy or a sign-in page answers in place of the service";

function hint(status: number): string {
  if (status === 401) return ". The token is unknown, expired or revoked; use a valid one.";
  if (status === 403) return ". The token's owner lacks the permission; use the token of an administrator.";
  if (status === 404) return ". Check the ids, and that base URL and organization belong together.";
  if (status >= 500) return tryAgain.later;
  return "";
}
