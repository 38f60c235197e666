import { z } from "zod";
import { cut } from "../text/masking";
import { inOneLine, mistakesIn, shownValue } from "../text/mistakes";
import { escaped } from "../text/visible";
import { type Endpoints, endpoints, type RowName } from "./endpoints";
import { idPattern, useAnId } from "./groups/shared";
import { ConnectionError, DocsError, MismatchError, notTheApi } from "./http/errors";
import { eventsOf } from "./http/events";
import { List, type Page } from "./http/pages";
import { Transport, type TransportOptions } from "./http/transport";
import { mismatchOf } from "./schema/answers";
import {
  type Call,
  type Deletion,
  type Endpoint,
  type EventOf,
  type IsList,
  type ItemOf,
  isList,
  isRead,
  methodOf,
  pathOf,
  placeholder,
  type Reply,
} from "./schema/endpoint";
import { tolerant, tolerantReply } from "./schema/tolerant";

export type ClientOptions = TransportOptions;

export interface CallOptions {
  /** Aborts the call, its retries and its stream. */
  readonly signal?: AbortSignal;
}

type Result<E extends Endpoint> = E["events"] extends z.ZodType
  ? AsyncIterable<EventOf<E>>
  : IsList<E> extends true
    ? List<ItemOf<E>, PageOf<E>>
    : Promise<Reply<E>>;

type FurtherProperties<E extends Endpoint> = Omit<Reply<E>, keyof Page<unknown>>;

/** A page of the row: its items, and the further properties of the answer. For an answer without these, editors show `Page`. */
type PageOf<E extends Endpoint> = keyof FurtherProperties<E> extends never
  ? Page<ItemOf<E>>
  : Page<ItemOf<E>> & FurtherProperties<E>;

type Operations = {
  readonly [Name in RowName]: (call: Call<Endpoints[Name]>, options?: CallOptions) => Result<Endpoints[Name]>;
};

/** One function per row of the endpoint table. */
export interface Client extends Operations {
  /** Time of the service, from the `Date` header of its last answer. */
  now(): Date;
  /** Closes the idle connections; further calls fail. */
  close(): Promise<void>;
}

interface AnyCall {
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
  readonly [parameter: string]: unknown;
}

/** Creates a typed client for the whole API; it does not need Pulumi. */
export function createClient(options: ClientOptions): Client {
  const transport = new Transport(options);
  const operations = Object.entries(endpoints).map(([name, row]) => [name, operation(transport, row)]);
  return Object.assign(Object.fromEntries(operations), {
    now: () => transport.now(),
    close: () => transport.close(),
  }) as Client;
}

function operation(transport: Transport, row: Endpoint) {
  return (call: AnyCall = {}, options: CallOptions = {}) => {
    if (row.events) return stream(transport, row, row.events, call, options);
    if (isList(row))
      return new List(describeCall(row, call), (page) => {
        const query = page === undefined ? call.query : { ...call.query, page };
        return send(transport, row, { ...call, query }, options) as Promise<Page<unknown>>;
      });
    return send(transport, row, call, options);
  };
}

const mostMistakes = 10;

async function send(transport: Transport, row: Endpoint, call: AnyCall, options: CallOptions): Promise<unknown> {
  const { status, body } = await transport.json(requestOf(row, call, options));
  if (!row.reply) return methodOf(row) === "DELETE" ? deletionOf(status) : undefined;
  const wrong = mistakesIn(tolerantReply(row.reply), body, { most: mostMistakes });
  if (body !== undefined && wrong.length === 0) {
    refuseMismatch(row, call, body);
    return applyFilters(row, call, body);
  }
  const reason = body === undefined ? "with an empty body" : `with an unusable body: ${inOneLine(wrong)}`;
  const answered = `the service answered ${status} ${reason}${notTheApi}`;
  throw new ConnectionError(describeCall(row, call), answered, { unclear: !isRead(row) });
}

/** Refuses an answer about another object than the requested one: it must never feed the next write. */
function refuseMismatch(row: Endpoint, call: AnyCall, body: unknown): void {
  const mismatch = mismatchOf(row, call, body);
  if (mismatch === undefined) return;
  const reason =
    `the service answered about another object (${mismatch}), so the answer was discarded; ` +
    "check any cache or gateway in front of the service, and try again";
  throw new MismatchError(describeCall(row, call), reason, { unclear: !isRead(row) });
}

/** Applies the filters of the call again. If that removes items, `count` is dropped: it counts the unfiltered list. */
function applyFilters({ filters = {} }: Endpoint, { query = {} }: AnyCall, body: unknown): unknown {
  const usedFilters = Object.entries(filters).filter(([name]) => query[name] !== undefined);
  if (usedFilters.length === 0) return body;
  const { count, ...page } = body as Page<unknown>;
  const passes = (item: unknown) => usedFilters.every(([name, filter]) => !filter || filter(item, query[name]));
  const items = page.items.filter(passes);
  return items.length === page.items.length ? body : { ...page, items };
}

/** Only 205 and 202 say what happened: a 204 may also mean that there was nothing to delete. */
function deletionOf(status: number): Deletion {
  if (status === 205) return { deleted: true };
  return { deleted: status === 202 ? "requested" : "unknown" };
}

async function* stream(transport: Transport, row: Endpoint, schema: z.ZodType, call: AnyCall, options: CallOptions) {
  const request = requestOf(row, call, options);
  const answer = await transport.stream({ ...request, accept: "text/event-stream" });
  yield* eventsOf(answer, request.attempted, tolerant(schema), request.signal);
}

function requestOf(row: Endpoint, call: AnyCall, options: CallOptions) {
  const method = methodOf(row);
  const attempted = describeCall(row, call);
  refuseMistakes(row, call, attempted);
  return {
    method,
    path: filledPath(row, call, attempted) + queryString(call.query ?? {}),
    attempted,
    body: call.body,
    readsOnly: isRead(row),
    repeatable: method !== "POST" || row.repeatable === true,
    signal: options.signal,
  };
}

/** The operation with its object, which completes the sentence "could not". */
function describeCall(row: Endpoint, call: AnyCall): string {
  return row.does.replace(placeholder, (_, name: string) => escaped(cut(String(call[name]), longestId, "...")));
}

/** Characters of an id in a message; ids come from the service or a program and may be of any length. */
const longestId = 300;

/** Refuses a request that the service would refuse, before anything is sent. */
function refuseMistakes(row: Endpoint, call: AnyCall, attempted: string): void {
  const unknown = Object.keys(call).filter(
    (name) => !["query", "body"].includes(name) && !row.route.includes(`{${name}}`),
  );
  const mistakes = [
    ...unknown.map((name) => ({ path: [name], text: `there is no such parameter; ${placeOf(row, name)}` })),
    ...(row.query ? mistakesIn(row.query, call.query ?? {}) : []),
    ...(row.body ? mistakesIn(row.body, call.body) : []),
  ];
  if (mistakes.length > 0) throw new DocsError(`could not ${attempted}: ${inOneLine(mistakes)}`);
}

/** Suggests the place of a property that was passed beside `query` and `body`. */
function placeOf({ query, body: given }: Endpoint, name: string): string {
  const body = given instanceof z.ZodOptional ? given.unwrap() : given;
  if (query && Object.hasOwn(query.shape, name)) return `did you mean query.${name}?`;
  if (body instanceof z.ZodObject && Object.hasOwn(body.shape, name)) return `did you mean body.${name}?`;
  return "use one of the path, query or body";
}

/** Whether the value can stand in a URL. An address with the segment "." or ".." is another address, and half a surrogate pair has no encoding. */
function isUsable(name: string, value: string): boolean {
  // A page is addressed by its path, which contains slashes.
  if (name === "pagePath") return !["", ".", ".."].includes(value) && !/\p{Surrogate}/u.test(value);
  return idPattern.test(value);
}

function filledPath(row: Endpoint, call: AnyCall, attempted: string): string {
  return pathOf(row).replace(placeholder, (_, name: string) => {
    if (call[name] === undefined) throw new DocsError(`could not ${attempted}: ${name} is missing; use an id`);
    const value = String(call[name]);
    if (!isUsable(name, value))
      throw new DocsError(`could not ${attempted}: ${name} is ${shownValue(value)}; ${useAnId}`);
    return encodeURIComponent(value);
  });
}

function queryString(query: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined) parameters.append(name, String(one));
  }
  return parameters.size > 0 ? `?${parameters}` : "";
}
