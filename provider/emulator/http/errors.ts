/** Answers that are no success. They are thrown where they arise and rendered here, in the one body shape of the service. */

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** What the body says; `undefined` for none. */
  readonly body?: unknown;
}

export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** 404 for what the path names: `there is no site "site_1"`. */
export const notFound = (kind: string, id: string) => new Refusal(404, `there is no ${kind} "${id}"`);

export const nothingAt = (method: string, path: string) => new Refusal(404, `there is nothing at ${method} ${path}`);

export const badRequest = (text: string) => new Refusal(400, text);

export const conflict = (text: string) => new Refusal(409, text);

export const unauthorized = (text: string) => new Refusal(401, text, { "www-authenticate": "Bearer" });

export const forbidden = (text: string) => new Refusal(403, text);

export const methodNotAllowed = (method: string, path: string, allowed: readonly string[]) =>
  new Refusal(405, `${method} is not possible on ${path}; use ${allowed.join(" or ")}`, { allow: allowed.join(", ") });

export const tooManyRequests = (seconds: number) =>
  new Refusal(429, `too many requests; wait ${seconds} s`, { "retry-after": String(seconds) });

/** A mistake of the emulator itself; it must never go out as if it were the service's answer. */
export const bug = (text: string) => new Refusal(500, `the emulator has a bug: ${text}`);

/** The answer that an error stands for. */
export function answerTo(error: unknown): Answer {
  const { status, message, headers } = refusalOf(error);
  return { status, headers, body: { error: { code: status, message } } };
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  // Fastify's own errors carry the status that HTTP has for them: 413 for a long body, 415 for another media type.
  const { statusCode, message } = error as { statusCode?: number; message?: string };
  if (statusCode !== undefined && statusCode < 500) return new Refusal(statusCode, message ?? "");
  return bug(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
