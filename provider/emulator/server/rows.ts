import type { IncomingMessage, ServerResponse } from "node:http";
import { parse } from "node:querystring";
import { setTimeout as sleep } from "node:timers/promises";
import { endpoints, type RowName } from "../../api/endpoints";
import { methodOf, pathOf, placeholder } from "../../api/schema/endpoint";
import { type Answer, badRequest, errorAnswer, nothingAt, Refusal } from "../http/errors";
import type { MemberRecord } from "../members/record";
import type { Service } from "../store/service";
import { readJson } from "./body";
import { exchange, type StreamAnswer } from "./exchange";
import type { Fault, Faults } from "./faults";
import type { LoggedRequest, RequestLog } from "./log";
import { resetConnection, send, sendDamaged, sendEvents } from "./sending";

export interface RowOptions {
  readonly service: Service;
  readonly token: string;
  readonly faults: Faults;
  readonly log: RequestLog;
  /** Adds a member to the organization that was named at the start. */
  readonly join: (newcomer: unknown) => MemberRecord;
  readonly latency: number;
  readonly rate: RateLimit | undefined;
  /** Aborts waiting for latency and delays. */
  readonly closing: AbortSignal;
}

interface PlacedRow {
  readonly row: RowName;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Finds the row of a request; throws a 404 for an unknown path, and a 405 with the allowed methods for another method. */
export function findRow(method: string, path: string): PlacedRow {
  for (const { pattern, rows } of paths) {
    const match = pattern.exec(path);
    if (!match) continue;
    const row = rows.get(method);
    if (row !== undefined) return { row, parameters: decodeAll(match.groups ?? {}) };
    const allowed = [...rows.keys()];
    const text = `${method} is not possible on ${path}; use ${allowed.join(" or ")}`;
    throw new Refusal(405, text, { allow: allowed.join(", ") });
  }
  throw nothingAt(method, path);
}

/** Paths with fewer parameters first: `/sites/published` is not the site "published". */
function tablePaths() {
  const paths = new Map<string, Map<string, RowName>>();
  for (const [name, row] of Object.entries(endpoints)) {
    const rows = paths.get(pathOf(row)) ?? new Map<string, RowName>();
    paths.set(pathOf(row), rows.set(methodOf(row), name as RowName));
  }
  return [...paths]
    .sort(([one], [other]) => countParameters(one) - countParameters(other))
    .map(([path, rows]) => ({ pattern: new RegExp(`^${path.replace(placeholder, "(?<$1>[^/]+)")}$`), rows }));
}

const countParameters = (path: string): number => path.match(placeholder)?.length ?? 0;

const paths = tablePaths();

function decodeAll(groups: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    // decodeURIComponent has no other error, and its text names no place.
    throw badRequest("the path is not percent-encoded UTF-8");
  }
}

/** Serves a row over HTTP: adds log, token, rate, faults and latency to the exchange. */
export async function serveRow(
  place: PlacedRow,
  request: IncomingMessage,
  response: ServerResponse,
  options: RowOptions,
) {
  const entry = options.log.add(loggedRequest(place.row, request, options.service));
  try {
    authenticate(request, options.token);
    const seconds = options.rate?.take() ?? 0;
    if (seconds > 0) throw new Refusal(429, `too many requests; wait ${seconds} s`, { "retry-after": String(seconds) });
    entry.body = await readJson(request);
  } catch (error) {
    const answer = errorAnswer(error);
    entry.status = answer.status;
    return send(response, answer, options.service);
  }
  return serve(entry, place, response, options);
}

async function serve(
  entry: LoggedRequest,
  place: PlacedRow,
  response: ServerResponse,
  options: RowOptions,
): Promise<void> {
  const { service, latency, closing } = options;
  const fault = options.faults.take(entry.row);
  const ask = () => answerOf(entry, place, service);
  const answer = fault ? faultyAnswer(fault, ask) : ask();
  const pause = latency + (fault?.delay ?? 0);
  // Rejects only when the emulator closes.
  if (pause > 0) await sleep(pause, undefined, { signal: closing }).catch(() => undefined);
  // A stream makes its changes only while it is read.
  if (fault?.reset === "after" && "events" in answer) for await (const _ of answer.events);
  if (fault?.reset || closing.aborted) return resetConnection(response);
  entry.status = answer.status;
  if (fault?.damage) return sendDamaged(response, answer, service, fault.damage);
  if ("events" in answer) return sendEvents(response, answer, service);
  return send(response, answer, service);
}

type AnyAnswer = Answer | StreamAnswer;

function faultyAnswer({ status, headers = {}, body, reset }: Fault, ask: () => AnyAnswer): AnyAnswer {
  if (status === undefined && reset !== "before") return ask();
  // The answer to a reset is never sent.
  const usual = errorAnswer(new Refusal(status ?? 500, "a fault that was asked for"));
  return { ...usual, headers, body: body === undefined ? usual.body : body };
}

function answerOf({ row, query, body }: LoggedRequest, { parameters }: PlacedRow, service: Service): AnyAnswer {
  try {
    return exchange(row, { path: parameters, query, body }, service);
  } catch (error) {
    return errorAnswer(error);
  }
}

function loggedRequest(row: RowName, request: IncomingMessage, service: Service): LoggedRequest {
  const { method = "", url = "" } = request;
  const [path = ""] = url.split("?", 1);
  const query = parse(url.slice(path.length + 1));
  return { row, method, path, query, body: undefined, status: 0, at: service.now().toISOString() };
}

function authenticate({ headers }: IncomingMessage, token: string): void {
  const [, sent] = /^Bearer +(.+)$/i.exec(headers.authorization ?? "") ?? [];
  if (sent === token) return;
  const text = sent === undefined ? 'the Authorization header is not "Bearer <token>"' : "the token is unknown";
  throw new Refusal(401, text, { "www-authenticate": "Bearer" });
}

/**
 * Lets `rate` requests per second pass in the long run. Those of one second may come at once, so that a client that waits the
 * whole seconds of `Retry-After` still gets the full rate.
 */
export class RateLimit {
  /** The earliest time at which one more request would be within the rate. */
  private next = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly rate: number,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** Returns 0 if the request may pass, otherwise the whole seconds to wait. */
  take(): number {
    const now = this.clock();
    const interval = 1000 / this.rate;
    this.next = Math.max(this.next, now - Math.max(0, 1000 - interval));
    if (this.next > now) return Math.ceil((this.next - now) / 1000);
    this.next += interval;
    return 0;
  }
}
