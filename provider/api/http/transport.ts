import { setTimeout as sleep } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { cut, hideToken, opening } from "../../text/masking";
import type { Method } from "../schema/endpoint";
import { isLoopback, usableUrl } from "./base-url";
import { beginningOf, parseJson, TooLarge, textOf } from "./body";
import { Ending, OperationClock } from "./deadline";
import { ApiError, ConnectionError, DocsError } from "./errors";
import { Limiter, OutOfPatience, Patience } from "./limiter";
import { retryAfterOf } from "./retry-after";
import { WatchedStream } from "./watched-stream";

export interface TransportOptions {
  /** Address of the service, without `/v1`; https, or http on a loopback host. */
  readonly baseUrl: string;
  readonly token: string;
  /** Milliseconds until an operation gives up, its repetitions included and waiting for the service's limits not. */
  readonly deadline?: number;
  /** Milliseconds that a stream of events may take from one event to the next; the deadline only covers its beginning. */
  readonly idle?: number;
  /** Most bytes of one answer, or of one event of a stream: 32 MiB if left out, a page of 1,000 members has half a MiB. */
  readonly maxBody?: number;
  /**
   * Milliseconds that one operation waits in all for the limits of the service: 15 minutes if left out. Services count by the
   * minute or the quarter of an hour, and a job that is silent for longer is usually ended from outside.
   */
  readonly maxWaiting?: number;
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

const defaults = { deadline: 60_000, idle: 120_000, maxBody: 32 * 2 ** 20, maxWaiting: 900_000 };
const mostAttempts = 5;
/** With the pauses that the service asks for, this is minutes of nothing but 429. */
const mostLimited = 100;
const firstBackoff = 200;
const longestBackoff = 5_000;
const defaultRetryAfter = 1_000;
const mostRedirects = 5;
const longestMessage = 500;
/** Of a body that is not the API's own error. */
const longestOther = 200;
/** The connection was never there, so that nothing can have been carried out. */
const neverSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);
/** What to look at if nobody was there to answer. */
const unansweredHints: Readonly<Record<string, string>> = {
  ECONNREFUSED: "; nothing listens at this address: is the service running?",
  ENOTFOUND: "; there is no host of this name: check the base URL",
};
/** An answer that breaks a limit of ours does so again. */
const lasting = new Set(["UND_ERR_HEADERS_OVERFLOW", "UND_ERR_RES_EXCEEDED_MAX_SIZE"]);

/** Carries requests over HTTP: keep-alive, deadlines, repetitions, limits. The only file that knows undici. */
export class Transport {
  readonly baseUrl: URL;
  private readonly limits: typeof defaults;
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
    hideToken(options.token);
    this.limits = limitsOf(options);
    this.limiter = options.limiter ?? new Limiter();
  }

  /** The time of the service, as the `Date` of its last answer told. */
  now(): Date {
    return new Date(Date.now() + this.clockSkew);
  }

  /** Sends the request and gives the whole JSON answer (`undefined` for an empty body). */
  json(request: Request): Promise<{ status: number; body: unknown; characters: number }> {
    return this.send(request, async ({ status, body }, ending) => {
      const text = await textOf(body, this.limits.maxBody);
      ending.done();
      return { status, body: text === "" ? undefined : this.parsed(text, request), characters: text.length };
    });
  }

  /** Sends the request and gives the body as it comes; repetitions end with the head of the answer. */
  stream(request: Request): Promise<WatchedStream> {
    const { idle, maxBody: mostBytes } = this.limits;
    return this.send(request, async ({ body }, ending) => {
      ending.rest();
      return new WatchedStream(body, ending, { idle, mostBytes });
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    await (await this.dispatcher)?.close();
  }

  private async send<T>(request: Request, read: Read<T>): Promise<T> {
    if (this.closed) throw new DocsError(`could not ${request.attempted}: this client was closed`);
    const clock = new OperationClock(this.limits.deadline);
    const patience = new Patience(this.limits.maxWaiting);
    for (let attempt = 1, limited = 0; ; ) {
      try {
        const attempt = (begun: number) => clock.timed(() => this.attempt(request, clock, read, begun));
        return await this.limiter.run(attempt, request.signal, patience);
      } catch (error) {
        request.signal?.throwIfAborted();
        const pause =
          error instanceof Limited ? this.pauseAfterLimit(++limited) : this.pauseBefore(attempt++, request, error);
        if (pause === undefined || clock.left() < pause) throw this.final(error, request, clock);
        await clock.timed(() => sleep(pause, undefined, request.signal && { signal: request.signal }));
      }
    }
  }

  private async attempt<T>(request: Request, clock: OperationClock, read: Read<T>, begun: number): Promise<T> {
    const ending = new Ending(request.signal);
    ending.after(clock.left());
    try {
      const answer = await this.dispatch(request, clock, ending.signal);
      if (answer.status === 429) {
        await beginningOf(answer.body);
        // Before the place is given back, so that nobody else is let in first.
        this.limiter.limited(retryAfterOf(answer.headers["retry-after"], this.now()) ?? defaultRetryAfter, begun);
        throw new Limited();
      }
      this.limiter.accepted();
      if (answer.status >= 300) throw await this.refusal(answer, request);
      return await read(answer, ending);
    } catch (error) {
      ending.done();
      throw error;
    }
  }

  private async dispatch(request: Request, clock: OperationClock, signal: AbortSignal): Promise<Answer> {
    const { request: send } = await import("undici");
    this.dispatcher ??= createDispatcher(this.baseUrl);
    let url = new URL(this.baseUrl.origin + this.baseUrl.pathname.replace(/\/$/, "") + request.path);
    for (let redirects = 0; ; redirects++) {
      const response = await send(url, {
        method: request.method,
        headers: this.headers(request),
        body: request.body === undefined ? null : JSON.stringify(request.body),
        dispatcher: await this.dispatcher,
        // These are limits of silence, which an answer that trickles never meets; the signal's is the one that counts.
        headersTimeout: Math.max(1, clock.left()),
        bodyTimeout: request.accept === undefined ? Math.max(1, clock.left()) : 0,
        signal,
      });
      this.observe(response.headers);
      const location = redirectOf(response);
      if (location === undefined) {
        return { status: response.statusCode, headers: response.headers, body: response.body };
      }
      await beginningOf(response.body);
      url = this.sameOrigin(location, url, request, redirects);
    }
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
      `could not ${request.attempted}: ${from.origin} redirects to ${shortened(to ? to.origin + to.pathname : location)}, ` +
        "which is not followed; check the base URL",
    );
  }

  private async refusal(answer: Answer, request: Request): Promise<ApiError> {
    const message = shortened(messageOf(await beginningOf(answer.body)));
    const unclear = request.method !== "GET" && answer.status >= 500;
    return new ApiError(request.attempted, answer.status, message, unclear);
  }

  private parsed(text: string, request: Request): unknown {
    const json = parseJson(text);
    if ("value" in json) return json.value;
    const beginning = cut(opening(text).replace(/\s+/g, " "), 80);
    const reason = `the service answered with something that is ${json.problem} ("${beginning}")`;
    throw new ConnectionError(request.attempted, reason, request.method !== "GET");
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
    const code = codeOf(error);
    const sent = !neverSent.has(code ?? "");
    const transient = error instanceof ApiError ? error.status >= 500 : code !== undefined && !lasting.has(code);
    if (!transient || (sent && !request.repeatable) || attempt >= mostAttempts) return undefined;
    return Math.min(longestBackoff, firstBackoff * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2);
  }

  /** The error that the caller gets, with the cause of the last attempt. */
  private final(error: unknown, request: Request, clock: OperationClock): unknown {
    if (error instanceof DocsError) return error;
    const { attempted, method } = request;
    if (error instanceof Limited || error instanceof OutOfPatience) {
      return new ConnectionError(attempted, this.limitedReason(error), false);
    }
    if (error instanceof TooLarge) return new ConnectionError(attempted, this.tooLarge(), method !== "GET");
    const code = codeOf(error);
    if (code === undefined) return error;
    const late = clock.left() <= 0 ? ` within ${this.limits.deadline / 1000} s` : "";
    const unclear = method !== "GET" && !neverSent.has(code);
    const reason = `no answer from ${this.baseUrl.origin}${late} (${reasonOf(error)})${unansweredHints[code] ?? ""}`;
    return new ConnectionError(attempted, reason, unclear, { cause: error });
  }

  private limitedReason(error: Error): string {
    const limited = "the service kept answering 429 (too many requests)";
    if (error instanceof Limited) return limited;
    const seconds = this.limits.maxWaiting / 1000;
    return `${limited}, and the ${seconds} s that one operation waits for its limits are over; try again later`;
  }

  private tooLarge(): string {
    const { maxBody } = this.limits;
    return `the answer has more than ${maxBody} bytes, which is the limit for one answer (option maxBody of the client)`;
  }
}

class Limited extends Error {}

type Read<T> = (answer: Answer, ending: Ending) => Promise<T>;

function limitsOf(options: TransportOptions): typeof defaults {
  const limits = { ...defaults };
  for (const name of Object.keys(defaults) as (keyof typeof defaults)[]) {
    const value = options[name] ?? limits[name];
    const unit = name === "maxBody" ? "bytes" : "milliseconds";
    if (!(value > 0)) throw new DocsError(`the option ${name} is ${value}; use ${unit}, more than 0`);
    limits[name] = value;
  }
  return limits;
}

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

/** What a service says, fit for a message: short, without control characters, and without the token that it may repeat. */
const shortened = (text: string): string =>
  cut(
    opening(text)
      .replace(/\p{Cc}+/gu, " ")
      .trim(),
    longestMessage,
  );

/** The message of the error body; of any other body (a proxy's page, say) its beginning. */
function messageOf(text: string): string {
  const json = parseJson(text);
  const { error } = (("value" in json && json.value) || {}) as { error?: { message?: unknown } };
  if (typeof error?.message === "string") return error.message;
  const plain = opening(text).replace(/<[^>]*>/g, " ");
  return cut(plain.replace(/\s+/g, " ").trim(), longestOther);
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
  if (!message) return String(code);
  return code === undefined || message.includes(code) ? message : `${message}, ${code}`;
}
