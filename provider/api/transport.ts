import { setTimeout as sleep } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { isLoopback, usableUrl } from "./base-url";
import type { Method } from "./endpoint";
import { ApiError, ConnectionError, DocsError } from "./errors";
import { Limiter } from "./limiter";

export interface TransportOptions {
  /** Address of the service, without `/v1`; https, or http on a loopback host. */
  readonly baseUrl: string;
  readonly token: string;
  /** Milliseconds until an operation gives up, its repetitions included and waiting for the service's limits not. */
  readonly deadline?: number;
  /** Shared between clients, since the service limits a caller and not a client. */
  readonly limiter?: Limiter;
}

export interface Request {
  readonly method: Method;
  /** Path with its query, from `/v1` on. */
  readonly path: string;
  /** What the request does, for error messages. */
  readonly attempted: string;
  readonly body?: unknown;
  readonly accept?: string;
  readonly repeatable: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData["headers"];
  readonly body: Dispatcher.ResponseData["body"];
}

const defaultDeadline = 60_000;
const mostAttempts = 5;
/** With the pauses that the service asks for, this is minutes of nothing but 429. */
const mostLimited = 100;
const longestPause = 300_000;
const firstBackoff = 200;
const longestBackoff = 5_000;
const defaultRetryAfter = 1_000;
const mostRedirects = 5;
const longestMessage = 500;
/** The connection was never there, so that nothing can have been carried out. */
const neverSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Carries requests over HTTP: keep-alive, deadlines, repetitions, limits. The only file that knows undici. */
export class Transport {
  readonly baseUrl: URL;
  private readonly deadline: number;
  private readonly limiter: Limiter;
  private dispatcher: Promise<Dispatcher> | undefined;
  private clockSkew = 0;
  private closed = false;

  constructor(private readonly options: TransportOptions) {
    this.baseUrl = usableUrl(options.baseUrl);
    if (!options.token) throw new DocsError("there is no token; every request needs one");
    if (!/^[\x21-\x7e]+$/.test(options.token)) {
      throw new DocsError("the token has spaces, line breaks or other characters that no token has; set it again");
    }
    this.deadline = options.deadline ?? defaultDeadline;
    if (!(this.deadline > 0)) throw new DocsError(`the deadline is ${this.deadline}; use milliseconds, more than 0`);
    this.limiter = options.limiter ?? new Limiter();
  }

  /** The time of the service, as the `Date` of its last answer told. */
  now(): Date {
    return new Date(Date.now() + this.clockSkew);
  }

  /** Sends the request and gives the whole JSON answer (`undefined` for an empty body). */
  json(request: Request): Promise<{ status: number; body: unknown }> {
    return this.send(request, async (answer) => {
      const text = await answer.body.text();
      return { status: answer.status, body: text === "" ? undefined : this.parsed(text, request) };
    });
  }

  /** Sends the request and gives the body as it comes; repetitions end with the head of the answer. */
  stream(request: Request): Promise<Answer> {
    return this.send(request, async (answer) => answer);
  }

  async close(): Promise<void> {
    this.closed = true;
    await (await this.dispatcher)?.close();
  }

  private async send<T>(request: Request, read: (answer: Answer) => Promise<T>): Promise<T> {
    if (this.closed) throw new DocsError(`could not ${request.attempted}: this client was closed`);
    const clock = new OperationClock(this.deadline);
    for (let attempt = 1, limited = 0; ; ) {
      try {
        const attempt = (begun: number) => clock.timed(() => this.attempt(request, clock, read, begun));
        return await this.limiter.run(attempt, request.signal);
      } catch (error) {
        request.signal?.throwIfAborted();
        const pause =
          error instanceof Limited ? this.pauseAfterLimit(++limited) : this.pauseBefore(attempt++, request, error);
        if (pause === undefined || clock.left() < pause) throw this.final(error, request, clock);
        await clock.timed(() => sleep(pause, undefined, request.signal && { signal: request.signal }));
      }
    }
  }

  private async attempt<T>(
    request: Request,
    clock: OperationClock,
    read: (answer: Answer) => Promise<T>,
    begun: number,
  ): Promise<T> {
    const answer = await this.dispatch(request, clock);
    if (answer.status === 429) {
      await answer.body.dump();
      // Before the place is given back, so that nobody else is let in first.
      this.limiter.limited(retryAfterOf(answer.headers["retry-after"], this.now()) ?? defaultRetryAfter, begun);
      throw new Limited();
    }
    this.limiter.accepted();
    if (answer.status >= 300) throw await this.refusal(answer, request);
    return read(answer);
  }

  private async dispatch(request: Request, clock: OperationClock): Promise<Answer> {
    const { request: send } = await import("undici");
    this.dispatcher ??= createDispatcher(this.baseUrl);
    let url = new URL(this.baseUrl.origin + this.baseUrl.pathname.replace(/\/$/, "") + request.path);
    for (let redirects = 0; ; redirects++) {
      const left = Math.max(1, clock.left());
      const response = await send(url, {
        method: request.method,
        headers: this.headers(request),
        body: request.body === undefined ? null : JSON.stringify(request.body),
        dispatcher: await this.dispatcher,
        headersTimeout: left,
        bodyTimeout: left,
        signal: this.ending(request, left),
      });
      this.observe(response.headers);
      const location = redirectOf(response);
      if (location === undefined) {
        return { status: response.statusCode, headers: response.headers, body: response.body };
      }
      await response.body.dump();
      url = this.sameOrigin(location, url, request, redirects);
    }
  }

  /** The time limits of undici are those of silence: an answer that trickles would never meet them. */
  private ending(request: Request, left: number): AbortSignal {
    const outside = request.signal ? [request.signal] : [];
    const streamed = request.accept !== undefined;
    return AbortSignal.any(streamed ? outside : [...outside, AbortSignal.timeout(Math.ceil(left))]);
  }

  private headers(request: Request): Record<string, string> {
    return {
      authorization: `Bearer ${this.options.token}`,
      accept: request.accept ?? "application/json",
      "user-agent": "pulumi-docs-org",
      ...(request.body !== undefined && { "content-type": "application/json" }),
    };
  }

  /** Only a read on the same origin follows a redirect: elsewhere the token has no business, and a write may get lost. */
  private sameOrigin(location: string, from: URL, request: Request, redirects: number): URL {
    const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
    const followed = to?.origin === from.origin && request.method === "GET" && redirects < mostRedirects;
    if (to && followed) return to;
    throw new DocsError(
      `could not ${request.attempted}: ${from.origin} redirects to ${this.safe(to ? to.origin + to.pathname : location)}, ` +
        "which is not followed; check the base URL",
    );
  }

  private async refusal(answer: Answer, request: Request): Promise<ApiError> {
    const message = this.safe(messageOf(await answer.body.text()));
    const unclear = request.method !== "GET" && answer.status >= 500;
    return new ApiError(request.attempted, answer.status, message, unclear);
  }

  private parsed(text: string, request: Request): unknown {
    try {
      return JSON.parse(text);
    } catch {
      const beginning = this.safe(text.replace(/\s+/g, " ").slice(0, 80));
      const reason = `the service answered with something that is not JSON ("${beginning}")`;
      throw new ConnectionError(request.attempted, reason, request.method !== "GET");
    }
  }

  /** What a service says, fit for a message: short, without control characters, and never with the token that it may echo. */
  private safe(text: string): string {
    const { token } = this.options;
    const hidden = text.replaceAll(token, "[token]").replaceAll(encodeURIComponent(token), "[token]");
    return hidden
      .replace(/\p{Cc}+/gu, " ")
      .trim()
      .slice(0, longestMessage);
  }

  private observe(headers: Dispatcher.ResponseData["headers"]): void {
    const date = Date.parse(String(headers.date));
    if (!Number.isNaN(date)) this.clockSkew = date - Date.now();
  }

  /** The limiter does the waiting. */
  private pauseAfterLimit(times: number): number | undefined {
    return times < mostLimited ? 0 : undefined;
  }

  /** Milliseconds until the next attempt; `undefined` where there must be none. */
  private pauseBefore(attempt: number, request: Request, error: unknown): number | undefined {
    const sent = !neverSent.has(codeOf(error) ?? "");
    const transient = error instanceof ApiError ? error.status >= 500 : codeOf(error) !== undefined;
    if (!transient || (sent && !request.repeatable) || attempt >= mostAttempts) return undefined;
    return Math.min(longestBackoff, firstBackoff * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2);
  }

  /** The error that the caller gets, with the cause of the last attempt. */
  private final(error: unknown, request: Request, clock: OperationClock): unknown {
    if (error instanceof DocsError) return error;
    if (error instanceof Limited) {
      return new ConnectionError(request.attempted, "the service kept answering 429 (too many requests)", false);
    }
    const code = codeOf(error);
    if (code === undefined) return error;
    const late = clock.left() <= 0 ? ` within ${this.deadline / 1000} s` : "";
    const unclear = request.method !== "GET" && !neverSent.has(code);
    const reason = `no answer from ${this.baseUrl.origin}${late} (${reasonOf(error)})`;
    return new ConnectionError(request.attempted, reason, unclear, { cause: error });
  }
}

/** Counts the time that an operation itself takes; waiting for the service's limits is not its fault. */
class OperationClock {
  private spent = 0;
  private since: number | undefined;

  constructor(private readonly deadline: number) {}

  left(): number {
    return this.deadline - this.spent - (this.since === undefined ? 0 : performance.now() - this.since);
  }

  async timed<T>(task: () => Promise<T>): Promise<T> {
    this.since = performance.now();
    try {
      return await task();
    } finally {
      this.spent += performance.now() - this.since;
      this.since = undefined;
    }
  }
}

class Limited extends Error {}

async function createDispatcher(baseUrl: URL): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent } = await import("undici");
  const options = { keepAliveTimeout: 10_000, connect: { timeout: 10_000 }, pipelining: 1 };
  const proxied = ["https_proxy", "HTTPS_PROXY"].some((name) => process.env[name]) && !isLoopback(baseUrl.hostname);
  return proxied ? new EnvHttpProxyAgent(options) : new Agent(options);
}

function redirectOf(response: Dispatcher.ResponseData): string | undefined {
  const { location } = response.headers;
  return response.statusCode >= 300 && response.statusCode < 400 && typeof location === "string" ? location : undefined;
}

/** The message of the error body; of any other body (a proxy's page, say) its beginning. */
function messageOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } };
    if (typeof error?.message === "string") return error.message;
  } catch {
    // Not JSON: the text itself is what there is to show.
  }
  return text
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 200);
}

/** Seconds or a date, as the HTTP standard has it. */
function retryAfterOf(header: string | string[] | undefined, now: Date): number | undefined {
  if (typeof header !== "string") return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return seconds < 0 ? undefined : Math.min(seconds * 1000, longestPause);
  const milliseconds = Date.parse(header) - now.getTime();
  return Number.isNaN(milliseconds) ? undefined : Math.min(Math.max(0, milliseconds), longestPause);
}

/** The code of a fault of the connection; `undefined` for every other error. */
function codeOf(error: unknown): string | undefined {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  if (typeof code === "string") return code;
  if (name === "TimeoutError") return "TIMEOUT";
  const cause = (error as { cause?: unknown } | null)?.cause;
  return cause === undefined ? undefined : codeOf(cause);
}

function reasonOf(error: unknown): string {
  const { message } = error as Error;
  const code = codeOf(error);
  return message && message !== code ? `${message}, ${code}` : String(code);
}
