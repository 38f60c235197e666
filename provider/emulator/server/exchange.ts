import { endpoints, type RowName } from "../../api/endpoints";
import { type Endpoint, isRead, methodOf } from "../../api/schema/endpoint";
import { inOneLine, mistakesIn } from "../../text/mistakes";
import { type Answer, bug, notFound, Refusal } from "../http/errors";
import { unserved } from "../http/ledger";
import { bodyOf, queryOf } from "../http/request";
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
  const route = routeOf(name);
  const result = route({
    row: name,
    path: sent.path,
    organization,
    query: queryOf(row, sent.query),
    body: bodyOf(row, sent.body),
    service,
    headers,
  });
  if (!reads) service.changed?.();
  if (row.events) {
    return { status: 200, headers, events: checkedEvents(name, row, result as AsyncIterable<unknown>) };
  }
  if (row.reply) return { status: row.status ?? 200, headers, body: checkedReply(name, row, result) };
  if (methodOf(row) === "DELETE") return { status: deleteStatus(result as Deleted, service), headers };
  return { status: row.status ?? 200, headers };
}

type AnyRoute = (call: RouteCall) => unknown;

function routeOf(name: RowName): AnyRoute {
  const reason = (unserved as Partial<Record<RowName, string>>)[name];
  if (reason !== undefined) throw new Refusal(501, `the emulator does not serve ${name}: ${reason}`);
  return (routes as unknown as Record<RowName, AnyRoute>)[name];
}

function organizationOf(path: Sent["path"], { state }: Service): Organization {
  const { organizationId, spaceId } = path;
  if (organizationId !== undefined) {
    const organization = state.organizations.get(organizationId);
    if (organization) return organization;
    throw notFound("organization", organizationId);
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
