import { z } from "zod";
import { endpoints, type RowName } from "../../api/endpoints";
import { type Endpoint, isRead, methodOf } from "../../api/schema/endpoint";
import { inOneLine, mistakesIn } from "../../text/mistakes";
import { type Answer, bug, checked, existing, notFound } from "../http/errors";
import type { Deleted, RouteCall } from "../http/route";
import { refuseWithoutRights } from "../members/rights";
import type { Service } from "../store/service";
import type { Organization } from "../store/state";
import { routes } from "./routes";

/** A request for a row, as it was sent. */
export interface Sent {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
}

export interface StreamAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly events: AsyncIterable<unknown>;
}

/** Serves one request: parses it with the row's schemas, calls the route, and checks the answer against the row. */
export function exchange(name: RowName, sent: Sent, present: Service): Answer | StreamAnswer {
  const row: Endpoint = endpoints[name];
  const reads = isRead(row);
  if (!reads) present.past.keep();
  const service = reads ? { ...present, ...present.past.shownTo(name) } : present;
  const organization = organizationOf(sent.path, service);
  refuseWithoutRights(row, sent.path, organizationOf(sent.path, present), present);
  const headers: Record<string, string> = {};
  const route = routes[name] as (call: RouteCall) => unknown;
  const result = route({
    row: name,
    path: sent.path,
    organization,
    query: queryOf(row, sent.query),
    body: bodyOf(row, sent.body),
    service,
    headers,
  });
  if (row.events) {
    return { status: 200, headers, events: checkedEvents(name, row, result as AsyncIterable<unknown>) };
  }
  if (row.reply) return { status: row.status ?? 200, headers, body: checkedReply(name, row, result) };
  if (methodOf(row) === "DELETE") return { status: deleteStatus(result as Deleted, service), headers };
  return { status: row.status ?? 200, headers };
}

function organizationOf(path: Sent["path"], { state }: Service): Organization {
  const { organizationId, spaceId } = path;
  if (organizationId !== undefined) {
    return existing(state.organizations.get(organizationId), "organization", organizationId);
  }
  for (const organization of state.organizations.values()) {
    if (spaceId !== undefined && organization.spaces.has(spaceId)) return organization;
  }
  throw notFound("space", spaceId ?? "");
}

function checkedReply(name: RowName, row: Endpoint, result: unknown): unknown {
  const wrong = row.reply ? mistakesIn(row.reply, result) : [];
  if (wrong.length > 0) throw bug(`the answer of ${name} does not fit its row: ${inOneLine(wrong)}`);
  return result;
}

async function* checkedEvents(name: RowName, row: Endpoint, events: AsyncIterable<unknown>) {
  for await (const event of events) {
    const wrong = row.events ? mistakesIn(row.events, event) : [];
    if (wrong.length > 0) throw bug(`an event of ${name} does not fit its row: ${inOneLine(wrong)}`);
    yield event;
  }
}

/** Status of a DELETE: 205 if something was deleted (or the reading `deleteStatus`), 204 if not, 202 if it was only requested. */
function deleteStatus(deleted: Deleted, { readings }: Service): number {
  if (deleted === "requested") return 202;
  return deleted ? Number(readings.deleteStatus) : 204;
}

const noParameters = z.strictObject({});

/** Parses query parameters with the types of the row: numbers, booleans and lists instead of text. */
function queryOf(row: Endpoint, sent: Record<string, unknown>): Record<string, unknown> {
  const schema: z.ZodObject = row.query ?? noParameters;
  const values = Object.entries(sent).map(([name, text]) => [name, coerce(schema.shape[name] as z.ZodType, text)]);
  return checked(schema, Object.fromEntries(values)) as Record<string, unknown>;
}

/** Checks the body with the schema of the row. Rows without a body ignore one, because some HTTP clients always send `{}`. */
function bodyOf(row: Endpoint, sent: unknown): unknown {
  return row.body ? checked(row.body, sent) : undefined;
}

/** Converts a text to the type of the schema; a text that does not fit stays, so that the schema refuses it. */
function coerce(schema: z.ZodType | undefined, sent: unknown): unknown {
  const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
  if (inner instanceof z.ZodArray) return [sent].flat().map((one) => coerce(inner.element as z.ZodType, one));
  if (inner instanceof z.ZodUnion) return coerceToOne(inner.options as z.ZodType[], sent);
  if (typeof sent !== "string") return sent;
  if (inner instanceof z.ZodNumber) return /^-?\d+(\.\d+)?$/.test(sent) ? Number(sent) : sent;
  if (inner instanceof z.ZodBoolean) return sent === "true" ? true : sent === "false" ? false : sent;
  if (inner instanceof z.ZodLiteral) return [...inner.values].find((value) => String(value) === sent) ?? sent;
  return sent;
}

function coerceToOne(alternatives: readonly z.ZodType[], sent: unknown): unknown {
  const values = alternatives.map((schema) => ({ schema, value: coerce(schema, sent) }));
  const fitting = values.find(({ schema, value }) => schema.safeParse(value).success);
  return fitting ? fitting.value : sent;
}
