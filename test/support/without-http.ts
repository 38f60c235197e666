import { Server } from "node:http";
import type { AddressInfo } from "node:net";
import "../../provider/api/client";
import { createDispatcher } from "../../provider/api/http/dispatcher";
import { Transport } from "../../provider/api/http/transport";

/**
 * HTTP takes two fifths of the time of a test without the engine. Requests for an emulator of this process therefore reach its server
 * without a connection, except those that a test answers itself, and all of the tests of the client and of the emulator.
 */

export interface SentRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly body: string | null;
}

/** The server of an emulator, and what is to be done before and after it serves a request. */
export interface DirectServer {
  readonly server: Server;
  readonly begin?: () => void;
  readonly end?: () => void;
}

/** Servers of tests: who serves a request without HTTP, if anybody does. */
export const servedDirectly = new WeakMap<Server, (request: SentRequest) => DirectServer | undefined>();

interface Connecting {
  readonly baseUrl: URL;
  connection: Promise<object> | undefined;
  dispatch(...request: readonly unknown[]): Promise<unknown>;
}

const transport = Transport.prototype as unknown as Connecting;
const { dispatch } = transport;

/** Is chosen for each test file, because files share the modules of a worker. */
export function useHttp(isUsed: boolean): void {
  transport.dispatch = isUsed ? dispatch : dispatchDirectly;
}

function dispatchDirectly(this: Connecting, ...request: readonly unknown[]): Promise<unknown> {
  this.connection ??= connectionTo(this.baseUrl);
  return dispatch.call(this, ...request);
}

async function connectionTo(baseUrl: URL) {
  const { request: sendByHttp } = await import("undici");
  return {
    dispatcher: await createDispatcher(baseUrl),
    send: (url: URL, options: Options & Parameters<typeof sendByHttp>[1]) =>
      sendDirectly(url, options) ?? sendByHttp(url, options),
  };
}

/** What the transport sends with a request. */
interface Options {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  readonly signal: AbortSignal;
}

function sendDirectly(to: URL, { method, headers, body, signal }: Options): Promise<unknown> | undefined {
  const server = serverAt(to.origin);
  if (!server || headers.accept === "text/event-stream") return undefined;
  const request = { method, url: to.pathname + to.search, body };
  const find = servedDirectly.get(server);
  const direct = find ? find(request) : { server };
  return direct && exchange(direct, request, { ...headers, host: to.host }, signal);
}

const known = new Map<string, WeakRef<Server>>();

/** The server of this process that listens at the address. */
export function serverAt(origin: string): Server | undefined {
  const last = known.get(origin)?.deref();
  if (last?.listening) return last;
  const handles = (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles();
  const found = handles.find((one): one is Server => one instanceof Server && urlOf(one) === origin);
  if (found) known.set(origin, new WeakRef(found));
  return found;
}

/** Nothing that listens has this address, if it has ended or is a pipe. */
export const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo | null)?.port}`;

async function exchange(
  { server, begin, end }: DirectServer,
  { method, url, body }: SentRequest,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<unknown> {
  // Other requests are sent and answered meanwhile, as with HTTP.
  await nextTurn();
  signal.throwIfAborted();
  begin?.();
  const answer = await new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    const incoming = Object.assign(body === null ? [] : [Buffer.from(body)], { method, url, headers });
    server.emit("request", incoming, new DirectResponse(resolve, reject));
  }).finally(end);
  await nextTurn();
  return answer;
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** What an emulator writes its answer to. */
class DirectResponse {
  statusCode = 200;
  readonly socket = { resetAndDestroy: () => this.fail(Object.assign(new Error("reset"), { code: "ECONNRESET" })) };
  private readonly headers: Record<string, string> = {};

  constructor(
    private readonly settle: (answer: unknown) => void,
    private readonly fail: (error: Error) => void,
  ) {}

  setHeader(name: string, value: string): void {
    this.headers[name] = value;
  }

  end(text = ""): void {
    this.settle({ statusCode: this.statusCode, headers: this.headers, body: text === "" ? [] : [Buffer.from(text)] });
  }

  write(): never {
    throw new Error("an answer in parts needs HTTP: see useHttp");
  }
}
