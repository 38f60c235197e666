import type { Dispatcher } from "undici";
import { cut, hideToken, maskedOpening } from "../../text/masking";
import type { Method } from "../schema/endpoint";
import { usableUrl } from "./base-url";
import { bytesOf, parseJson, readBeginning, TooLarge } from "./body";
import { Ending, OperationClock } from "./deadline";
import { createDispatcher } from "./dispatcher";
import { ApiError, ConnectionError, DocsError, notTheApi, ProxyFailure } from "./errors";
import { WatchedStream } from "./events";
import { codeOf, compressionOf, hintOf, lastingCodes, messageOf, neverSent, reasonOf, safeExcerpt } from "./failure";
import { Limiter, OutOfPatience, Stopped } from "./limiter";
import { type LogRequest, logAttempt } from "./request-log";
import { problemOfToken } from "./token";

export interface TransportOptions {
  /** Address of the service without `/v1`. Must be https; http is allowed for loopback hosts only. */
  readonly baseUrl: string;
  /** API token, sent as `Authorization: Bearer`. */
  readonly token: string;
  /** Milliseconds until an operation fails, 60,000 by default. Retries count, waiting for the service's limits does not. */
  readonly deadline?: number;
  /** Milliseconds between two events of a stream, 120,000 by default; `deadline` only covers the start of a stream. */
  readonly idle?: number;
  /** Maximum bytes of one answer or of one event of a stream, 32 MiB by default. A page of 1,000 members has half a MiB. */
  readonly maxBody?: number;
  /**
   * Total milliseconds that one operation waits for the limits of the service, 900,000 (15 minutes) by default; it fails at once
   * if the service asks for more. Services usually limit per minute or per 15 minutes, and CI systems end silent jobs.
   */
  readonly maxWaiting?: number;
  /** Limiter to share between clients, because the service limits a caller, not a client. A new one by default. */
  readonly limiter?: Limiter;
  /** Receives a line for each attempt of a request: method, path, status, milliseconds and number of the attempt. */
  readonly log?: LogRequest;
  /** Refuses every request that may change something, before it is sent. */
  readonly readOnly?: boolean;
}

export interface Request {
  readonly method: Method;
  /** Path and query, starting with `/v1`. */
  readonly path: string;
  /** The operation in error messages; completes the sentence "could not". */
  readonly attempted: string;
  readonly body?: unknown;
  readonly accept?: string;
  readonly repeatable: boolean;
  readonly readsOnly: boolean;
  readonly signal?: AbortSignal | undefined;
}

type HttpAnswer = Dispatcher.ResponseData;

const defaults = { deadline: 60_000, idle: 120_000, maxBody: 32 * 2 ** 20, maxWaiting: 900_000 };
const mostAttempts = 5;
/** 429s after which a request fails; the pauses that they ask for take minutes. */
const mostLimited = 100;
const firstBackoff = 200;
const longestBackoff = 5_000;
const defaultRetryAfter = 1_000;

export class Transport {
  readonly baseUrl: URL;
  private readonly limits: typeof defaults;
  private readonly limiter: Limiter;
  private connection: ReturnType<typeof connectionTo> | undefined;
  private clockSkew = 0;
  private closed = false;

  constructor(private readonly options: TransportOptions) {
    this.baseUrl = usableUrl(options.baseUrl);
    const problem = problemOfToken(options.token);
    if (problem !== undefined) throw new DocsError(problem);
    hideToken(options.token);
    this.limits = limitsOf(options);
    this.limiter = options.limiter ?? new Limiter();
  }

  /** Time of the service, from the `Date` header of its last answer. */
  now(): Date {
    return new Date(Date.now() + this.clockSkew);
  }

  /** Sends the request and returns the whole JSON answer (`undefined` for an empty body). */
  json(request: Request): Promise<{ status: number; body: unknown }> {
    return this.send(request, async ({ statusCode: status, headers, body }, ending) => {
      const text = new TextDecoder().decode(await bytesOf(body, this.limits.maxBody));
      ending.stopTimer();
      return { status, body: text === "" ? undefined : this.parsed(text, request, headers) };
    });
  }

  /** Sends the request and returns the body as a stream. There are no retries once the head of the answer has arrived. */
  stream(request: Request): Promise<WatchedStream> {
    const { idle, maxBody: mostBytes } = this.limits;
    return this.send(request, async ({ headers, body }, ending) => {
      const compression = compressionOf(headers);
      if (compression)
        throw new ConnectionError(request.attempted, `the service answered ${compression}`, { unclear: true });
      ending.stopTimer();
      return new WatchedStream(body, ending, { idle, mostBytes });
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    const connection = await this.connection?.catch(() => undefined);
    await connection?.dispatcher.close();
  }

  private async send<T>(request: Request, read: Read<T>): Promise<T> {
    if (this.closed) throw new DocsError(`could not ${request.attempted}: this client was closed`);
    if (this.options.readOnly && !request.readsOnly)
      throw new DocsError(
        `could not ${request.attempted}: only reads are allowed in this run (DOCS_READ_ONLY), so nothing was sent`,
      );
    const clock = new OperationClock(this.limits.deadline);
    const patience = { left: this.limits.maxWaiting };
    let last: unknown;
    let attempt = 1;
    let limited = 0;
    while (true) {
      try {
        const attemptNumber = attempt + limited;
        const task = (requestNumber: number) =>
          clock.timed(() => this.attempt(request, clock, read, { requestNumber, attemptNumber }));
        return await this.limiter.run(task, request.signal, patience);
      } catch (error) {
        request.signal?.throwIfAborted();
        if (error instanceof Stopped) throw this.finalError(causeOfStop(error, last), request, clock);
        last = error;
        if (error instanceof Limited) limited += 1;
        // The limiter itself waits after a 429, which does not count as one of the attempts.
        const limiterWaits = error instanceof Limited && limited < mostLimited;
        const pause = limiterWaits ? 0 : this.pauseBefore(attempt, request, error);
        if (!limiterWaits) attempt += 1;
        if (pause === undefined || clock.left() < pause) throw this.finalError(error, request, clock);
        await clock.timed(() => this.limiter.sleep(pause, request.signal));
      }
    }
  }

  private async attempt<T>(
    request: Request,
    clock: OperationClock,
    read: Read<T>,
    { requestNumber, attemptNumber }: { readonly requestNumber: number; readonly attemptNumber: number },
  ): Promise<T> {
    const ending = new Ending(request.signal);
    ending.abortAfter(clock.left());
    try {
      const dispatch = () => this.dispatch(request, clock, ending.signal);
      const answer = await logAttempt(this.options.log, request, attemptNumber, dispatch);
      if (answer.statusCode === 429) {
        await readBeginning(answer.body);
        // The limiter must know of the 429 before this request leaves it: otherwise, another request starts in between.
        const retryAfter = retryAfterOf(answer.headers["retry-after"], this.now()) ?? defaultRetryAfter;
        this.limiter.limited(retryAfter, requestNumber);
        throw new Limited();
      }
      this.limiter.accepted();
      if (answer.statusCode >= 300) throw await this.refusal(answer, request);
      return await read(answer, ending);
    } catch (error) {
      ending.stopTimer();
      throw error;
    }
  }

  private async dispatch(request: Request, clock: OperationClock, signal: AbortSignal): Promise<HttpAnswer> {
    this.connection ??= connectionTo(this.baseUrl, this.limits.deadline);
    const { send, dispatcher } = await this.connection;
    const isStream = request.accept === "text/event-stream";
    const url = new URL(this.baseUrl.origin + this.baseUrl.pathname.replace(/\/$/, "") + request.path);
    const response = await send(url, {
      method: request.method,
      headers: this.headers(request),
      body: request.body === undefined ? null : JSON.stringify(request.body),
      dispatcher,
      // These only limit the time without data, so a trickling answer never reaches them; the signal enforces the deadline.
      headersTimeout: Math.max(1, clock.left()),
      bodyTimeout: isStream ? 0 : Math.max(1, clock.left()),
      signal,
    });
    this.setClockSkew(response.headers);
    const location = redirectOf(response);
    if (location === undefined) return response;
    await readBeginning(response.body);
    throw redirectError(location, url, request);
  }

  private headers(request: Request): Record<string, string> {
    return {
      authorization: `Bearer ${this.options.token}`,
      accept: request.accept ?? "application/json",
      "user-agent": "pulumi-docs-org",
      ...(request.body !== undefined && { "content-type": "application/json" }),
    };
  }

  private async refusal(answer: HttpAnswer, request: Request): Promise<ApiError> {
    const text = await readBeginning(answer.body);
    const message = compressionOf(answer.headers) ?? safeExcerpt(messageOf(text));
    const unclear = !request.readsOnly && answer.statusCode >= 500;
    return new ApiError(request.attempted, answer.statusCode, message, unclear);
  }

  private parsed(text: string, request: Request, headers: HttpAnswer["headers"]): unknown {
    const json = parseJson(text);
    if ("value" in json) return json.value;
    const beginning = compressionOf(headers) ?? `"${cut(maskedOpening(text).replace(/\s+/g, " "), 80)}"`;
    const reason = `the body of the answer is ${json.problem} (${beginning})${notTheApi}`;
    throw new ConnectionError(request.attempted, reason, { unclear: !request.readsOnly });
  }

  private setClockSkew(headers: HttpAnswer["headers"]): void {
    const date = Date.parse(String(headers.date));
    if (!Number.isNaN(date)) this.clockSkew = date - Date.now();
  }

  /** Milliseconds until the next attempt; `undefined` if the request must not be repeated. */
  private pauseBefore(attempt: number, request: Request, error: unknown): number | undefined {
    const code = codeOf(error);
    const mayBeSent = !neverSent.has(code ?? "");
    const mayPass = error instanceof ApiError ? error.status >= 500 : code !== undefined && !lastingCodes.has(code);
    if (!mayPass || (mayBeSent && !request.repeatable) || attempt >= mostAttempts) return undefined;
    // Clients that failed at the same time must not come back at the same time.
    const randomShare = 0.75 + Math.random() / 2;
    return Math.min(longestBackoff, firstBackoff * 2 ** (attempt - 1)) * randomShare;
  }

  /** The error for the caller, with the cause of the last attempt. */
  private finalError(error: unknown, request: Request, clock: OperationClock): unknown {
    if (error instanceof DocsError) return error;
    const { attempted, readsOnly } = request;
    if (error instanceof Stopped)
      return new ConnectionError(attempted, "the command was cancelled before the request was sent");
    if (error instanceof Limited || error instanceof OutOfPatience)
      return new ConnectionError(attempted, this.limitedReason(error));
    if (error instanceof ProxyFailure) return new ConnectionError(attempted, error.message, { cause: error });
    if (error instanceof TooLarge) {
      const reason = `the answer has more than ${this.limits.maxBody} bytes, the limit for one answer (client option maxBody)`;
      return new ConnectionError(attempted, reason, { unclear: !readsOnly });
    }
    const code = codeOf(error);
    if (code === undefined) return error;
    // A timer may fire a moment before its time.
    const late = clock.left() <= 0 || code === "TIMEOUT" ? ` within ${this.limits.deadline / 1000} s` : "";
    const unclear = !readsOnly && !neverSent.has(code);
    const reason = `no answer from ${this.baseUrl.origin}${late} (${reasonOf(error)})${hintOf(code)}`;
    return new ConnectionError(attempted, reason, { unclear, cause: error });
  }

  private limitedReason(error: Error): string {
    if (!(error instanceof OutOfPatience)) return "the service kept answering 429 (too many requests); try again later";
    const pause = Math.ceil(error.pause / 1000);
    const most = Math.ceil(this.limits.maxWaiting / 1000);
    return `the service answered 429 (too many requests) and asks for a pause of ${pause} s; an operation waits at most ${most} s for limits, so try again later`;
  }
}

class Limited extends Error {}

/** An earlier attempt may have changed something: report its error rather than the stop. A 429 changed nothing. */
const causeOfStop = (stop: Stopped, last: unknown): unknown => (last instanceof Limited ? stop : (last ?? stop));

type Read<T> = (answer: HttpAnswer, ending: Ending) => Promise<T>;

async function connectionTo(url: URL, deadline: number) {
  const { request: send } = await import("undici");
  return { send, dispatcher: await createDispatcher(url, deadline) };
}

function limitsOf(options: TransportOptions): typeof defaults {
  const limits = { ...defaults };
  for (const name of Object.keys(defaults) as (keyof typeof defaults)[]) {
    const value = options[name] ?? limits[name];
    const unit = name === "maxBody" ? "bytes" : "milliseconds";
    if (!(value > 0)) throw new DocsError(`the option ${name} is ${value}; use a number of ${unit} above 0`);
    limits[name] = value;
  }
  return limits;
}

function redirectOf(response: HttpAnswer): string | undefined {
  const { location } = response.headers;
  return response.statusCode >= 300 && response.statusCode < 400 && typeof location === "string" ? location : undefined;
}

/** No redirection is followed: another origin must not get the token, a write might get lost, and a read might be of another organization. */
function redirectError(location: string, from: URL, { attempted }: Request): DocsError {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  return new DocsError(
    `could not ${attempted}: ${from.origin} redirects to ${safeExcerpt(to ? to.origin + to.pathname : location)}, ` +
      "which the client does not follow; check the base URL",
  );
}

/** Returns the milliseconds of a `Retry-After` header, which is a number of seconds or a date (RFC 9110, 10.2.3). */
function retryAfterOf(header: string | string[] | undefined, now: Date): number | undefined {
  if (typeof header !== "string") return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return seconds < 0 ? undefined : seconds * 1000;
  const milliseconds = Date.parse(header) - now.getTime();
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}
