import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { request as httpRequest } from "undici";
import type { z } from "zod";
import type { Endpoints, RowName } from "../../provider/api/endpoints";
import { findRow } from "../../provider/emulator/server/rows";
import { type DirectServer, type SentRequest, servedDirectly, serverAt, urlOf } from "./without-http";

/**
 * A proxy in front of an emulator that answers wrongly on behalf of a test. Clients get `url` as their base URL; the
 * emulator may be in this process or in another one. Rows without a hook pass through unchanged.
 *
 * ```ts
 * const lying = await LyingService.start(emulator.url);
 * onTestFinished(() => lying.close()); // fails if a hook has thrown
 *
 * // The request is changed before it is forwarded. A hook that returns nothing forwards it.
 * lying.on("listMembers", ({ request }) => request.query.delete("role"));
 * // An answer without forwarding: success is claimed, nothing happens.
 * lying.on("removeMember", () => ({ status: 204 }));
 * // The answer is changed after forwarding. `body` has the type of the row's reply.
 * lying.on("updateMember", async ({ forward }) => {
 *   const answer = await forward();
 *   answer.body.id = "user_fay";
 *   answer.headers.date = new Date(Date.now() + 7_200_000).toUTCString();
 *   return answer;
 * });
 * // A change from outside between request and answer; `await sleep(500)` here would be a delay.
 * lying.on("updateMember", async ({ forward }) => {
 *   demote(emulator.state, "user_bob");
 *   return forward();
 * });
 * // Broken connections: before the request is applied, after it, and in the middle of the answer.
 * lying.on("createSite", () => cut);
 * lying.on("createSite", ({ forward }) => forward().then(() => cut));
 * lying.on("getSite", async ({ forward }) => ({ ...(await forward()), manner: "cut" }));
 * // Bodies that trickle (a byte each 200 ms), stop without an end, or never end.
 * lying.on("getSite", async ({ forward }) => ({ ...(await forward()), manner: { every: 200 } }));
 * lying.on("getSite", async ({ forward }) => ({ ...(await forward()), manner: "stall" })); // or "endless"
 *
 * const remove = lying.on("getSite", hook, 2); // twice, then no longer; without a number always
 * remove(); // earlier
 * expect(lying.writes()).toEqual([]); // no write was sent; `requests("getSite")` and `requests()` have all of them
 * ```
 * The most recently added hook that still applies gets the request; the others do not.
 */
export class LyingService {
  private readonly hooks: { row: RowName; hook: Hook<RowName>; left: number }[] = [];
  private readonly recorded: RecordedRequest[] = [];
  private readonly errors: unknown[] = [];
  private readonly server = createServer((request, response) => {
    this.serve(request, response).catch((error) => {
      // Cut, so that the client cannot go on; `close` says why.
      this.errors.push(error);
      response.destroy();
    });
  });

  /** Is called after each request that was forwarded, before its answer is sent; for a read without a hook, before the read. */
  afterForward: (request: RecordedRequest) => void = () => {};

  private constructor(private readonly target: string) {
    servedDirectly.set(this.server, (request) => this.direct(request));
  }

  static async start(target: string): Promise<LyingService> {
    const lying = new LyingService(target);
    await new Promise<void>((resolve) => lying.server.listen(0, "127.0.0.1", resolve));
    return lying;
  }

  get url(): string {
    return urlOf(this.server);
  }

  /** Calls the hook for requests of the row, `times` times or without a limit. Returns a function that removes the hook. */
  on<R extends RowName>(row: R, hook: Hook<R>, times = Number.POSITIVE_INFINITY): () => void {
    const added = { row, hook: hook as unknown as Hook<RowName>, left: times };
    this.hooks.push(added);
    return () => {
      added.left = 0;
    };
  }

  /** Requests as clients sent them, in order: those of one row, or all. */
  requests(row?: RowName): readonly RecordedRequest[] {
    return this.recorded.filter((one) => row === undefined || one.row === row);
  }

  /** Requests that would change something, whether or not they were forwarded. */
  writes(): readonly RecordedRequest[] {
    return this.recorded.filter(({ method, row }) => method !== "GET" && !readingPosts.has(row));
  }

  /** Forgets the recorded requests; hooks stay. */
  forget(): void {
    this.recorded.length = 0;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
    if (this.errors.length > 0) throw this.errors[0];
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(incoming.url ?? "/", this.url);
    const { method = "GET", headers } = incoming;
    const row = rowAt(method, path);
    const text = await textIn(incoming).catch(() => undefined);
    // The client disconnected while it was sending.
    if (text === undefined) return;
    const recorded: RecordedRequest = {
      row,
      method,
      path,
      query: Object.fromEntries(query),
      body: parsed(text),
      forwarded: false,
    };
    this.recorded.push(recorded);
    const request = { method, path, query, headers: { ...headers }, body: parsed(text) } as Request<RowName>;
    let forwarded: Promise<LyingAnswer<RowName>> | undefined;
    const forward = () => {
      recorded.forwarded = true;
      forwarded ??= forwardTo(this.target, request).finally(() => this.afterForward(recorded));
      return forwarded;
    };
    const nth = this.requests(row).length;
    const closed = endOf(incoming.socket);
    const lie = row && (await this.takeHook(row)?.({ row, request, nth, forward, closed }));
    const outcome = lie || (await forward());
    if ("cut" in outcome) incoming.socket.resetAndDestroy();
    else await send(response, outcome);
  }

  /** The emulator in this process, for a request without a hook. */
  private direct({ method, url, body }: SentRequest): DirectServer | undefined {
    const { pathname: path, searchParams } = new URL(url, this.target);
    const row = rowAt(method, path);
    const server = serverAt(this.target);
    if (!server || this.hookOf(row)) return undefined;
    const query = Object.fromEntries(searchParams);
    const recorded = { row, method, path, query, body: parsed(body ?? ""), forwarded: true };
    const note = () => this.afterForward(recorded);
    const record = () => void this.recorded.push(recorded);
    if (method !== "GET") return { server, begin: record, end: note };
    return {
      server,
      begin: () => {
        record();
        note();
      },
    };
  }

  private hookOf(row: RowName | undefined) {
    return this.hooks.findLast((one) => one.row === row && one.left > 0);
  }

  private takeHook(row: RowName): Hook<RowName> | undefined {
    const found = this.hookOf(row);
    if (found) found.left--;
    return found?.hook;
  }
}

/** One listener for each connection, which serves many requests. */
const ends = new WeakMap<Socket, Promise<void>>();

function endOf(socket: Socket): Promise<void> {
  const end = ends.get(socket) ?? new Promise<void>((resolve) => socket.once("close", () => resolve()));
  ends.set(socket, end);
  return end;
}

/** The connection is reset without an answer. */
export const cutConnection = { cut: true } as const;

/** How the body is sent: half of it and then the end or nothing, endless blanks after it, or one byte per `every` milliseconds. */
export type Manner = "cut" | "stall" | "endless" | { readonly every: number };

export interface Lie {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown;
  readonly manner?: Manner;
}

export interface LyingAnswer<R extends RowName> {
  status: number;
  /** Names are in lower case; a missing `date` is not added. */
  headers: Record<string, string>;
  /** With the type that it has after a success; the body of an error has another one. */
  body: Endpoints[R] extends { reply: infer S extends z.ZodType } ? z.output<S> : undefined;
}

export interface Request<R extends RowName> {
  method: string;
  path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  body: Endpoints[R] extends { body: infer S extends z.ZodType } ? z.input<S> : undefined;
}

export interface Exchange<R extends RowName> {
  readonly row: R;
  readonly request: Request<R>;
  /** 1 for the first request of the row since the start or the last `forget`. */
  readonly nth: number;
  /** Forwards the request with the changes so far. A second call returns the same answer. */
  readonly forward: () => Promise<LyingAnswer<R>>;
  /** Is resolved when the client has closed the connection, or has ended. */
  readonly closed: Promise<void>;
}

type Outcome = Lie | typeof cutConnection;
// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only changes the request returns nothing
export type Hook<R extends RowName> = (exchange: Exchange<R>) => Promise<Outcome | void> | Outcome | void;

export interface RecordedRequest {
  /** `undefined` for paths that are not in the table. */
  readonly row: RowName | undefined;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Whether the emulator got it. */
  forwarded: boolean;
}

/** POST requests that change nothing. */
const readingPosts = new Set<RowName | undefined>(["searchSite", "streamAiResponse"]);

function rowAt(method: string, path: string): RowName | undefined {
  try {
    return findRow(method, path).row;
  } catch {
    return undefined;
  }
}

async function textIn(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

const textOf = (body: unknown): string => (typeof body === "string" ? body : (JSON.stringify(body) ?? ""));

async function forwardTo(target: string, { method, path, query, headers, body }: Request<RowName>) {
  const text = textOf(body);
  const url = new URL(query.size > 0 ? `${path}?${query}` : path, target);
  const length = text === "" ? {} : { "content-length": Buffer.byteLength(text) };
  const { host, connection, "transfer-encoding": _, "content-length": __, ...rest } = headers;
  const answer = await httpRequest(url, {
    method: method as "GET",
    headers: { ...rest, ...length } as Record<string, string>,
    body: text,
  });
  const received = Object.entries(answer.headers).filter(([name]) => !ofTheConnection.has(name));
  const answered = { status: answer.statusCode, headers: Object.fromEntries(received) };
  return { ...answered, body: parsed(await answer.body.text()) } as LyingAnswer<RowName>;
}

const ofTheConnection = new Set(["connection", "keep-alive", "transfer-encoding", "content-length"]);

async function send(response: ServerResponse, { status, headers = {}, body, manner }: Lie): Promise<void> {
  const text = textOf(body);
  response.sendDate = false;
  const type = text === "" ? {} : { "content-type": "application/json; charset=utf-8" };
  const length = manner === "endless" || text === "" ? {} : { "content-length": Buffer.byteLength(text) };
  response.writeHead(status, { ...type, ...headers, ...length });
  if (manner === undefined) response.end(text);
  else if (manner === "endless") await sendWithoutEnd(response, text);
  else if (typeof manner === "object") await trickle(response, Buffer.from(text), manner.every);
  else
    response.write(text.slice(0, Math.ceil(text.length / 2)), () => {
      if (manner === "cut") response.destroy();
    });
}

async function trickle(response: ServerResponse, bytes: Buffer, every: number): Promise<void> {
  for (let at = 0; at < bytes.length && !response.destroyed; at++) {
    response.write(bytes.subarray(at, at + 1));
    await sleep(every);
  }
  response.end();
}

/** As fast as the client reads. */
async function sendWithoutEnd(response: ServerResponse, text: string): Promise<void> {
  const closed = new Promise((resolve) => response.once("close", resolve));
  const blanks = " ".repeat(65_536);
  response.write(text);
  while (!response.destroyed) {
    if (response.write(blanks)) await sleep(0);
    else await Promise.race([closed, new Promise((resolve) => response.once("drain", resolve))]);
  }
}
