import { z } from "zod";
import { endpoints, type RowName } from "../../api/endpoints";
import { type Endpoint, isRead, methodOf } from "../../api/schema/endpoint";
import { inOneLine, mistakesIn } from "../../text/mistakes";
import { changeRequestRoutes } from "../change-requests/routes";
import { contentLinkRoutes } from "../content/links";
import { contentRoutes } from "../content/routes";
import { type Answer, bug, checkInput, requireExisting } from "../http/errors";
import type { Deleted, PathObjects, RouteCall, Routes } from "../http/route";
import { refuseWithoutRights } from "../members/caller";
import { memberRoutes, teamRoutes } from "../members/routes";
import { samlRoutes } from "../saml/routes";
import { siteRoutes } from "../sites/routes";
import { siteSearchRoutes } from "../sites/search-routes";
import { siteStructureRoutes } from "../sites/structure-routes";
import { indexOf } from "../spaces/record";
import { contentOf, findChangeRequest } from "../spaces/revisions";
import type { Service } from "../store/service";
import type { OrganizationRecord } from "../store/state";
import { translationRoutes } from "../translations/routes";

export interface Sent {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
}

export interface StreamAnswer extends Omit<Answer, "body"> {
  readonly events: AsyncIterable<unknown>;
}

/** Serves one request: parses it with the row's schemas, calls the route, and checks the answer against the row. */
export function exchange(name: RowName, sent: Sent, present: Service): Answer | StreamAnswer {
  const row: Endpoint = endpoints[name];
  const isReading = isRead(row);
  if (!isReading) present.past.keepBeforeChange();
  // A read that lags sees a former state; who may do what is always decided by the present one.
  const service = isReading ? { ...present, ...present.past.shownTo(name) } : present;
  const organization = organizationOf(sent.path, service);
  refuseWithoutRights(row, sent.path, organizationOf(sent.path, present), present);
  const headers: Record<string, string> = {};
  const route = routes[name] as (call: RouteCall) => unknown;
  const query = queryOf(row, sent.query);
  // Rows without a body ignore one, because some HTTP clients always send `{}`.
  const body = row.body && checkInput(row.body, sent.body);
  const objects = objectsIn(sent.path, row, organization);
  const result = route({ ...objects, row: name, path: sent.path, organization, query, body, service, headers });
  const { events, reply, status = 200 } = row;
  if (events) return { status, headers, events: checkedEvents(name, events, result as AsyncIterable<unknown>) };
  if (reply) return { status, headers, body: checkedReply(name, reply, result) };
  return { status: methodOf(row) === "DELETE" ? deleteStatus(result as Deleted, service) : status, headers };
}

function organizationOf(path: Sent["path"], { state }: Service): OrganizationRecord {
  const { organizationId, spaceId = "" } = path;
  if (organizationId !== undefined)
    return requireExisting(state.organizations.get(organizationId), "organization", organizationId);
  const all = [...state.organizations.values()];
  return requireExisting(
    all.find(({ spaces }) => spaces.has(spaceId)),
    "space",
    spaceId,
  );
}

/** Finds an object by its id in the organization, or in the objects of earlier parameters. */
type Find<Found> = (id: string, organization: OrganizationRecord, earlier: PathObjects) => Found | undefined;

const finders: { readonly [Name in keyof PathObjects]: Find<PathObjects[Name]> } = {
  site: (id, { sites }) => sites.get(id),
  member: (id, { members }) => members.get(id),
  team: (id, { teams }) => teams.get(id),
  samlProvider: (id, { saml }) => saml.get(id),
  translation: (id, { translations }) => translations.get(id),
  space: (id, { spaces }) => spaces.get(id),
  changeRequest: (id, _, { space }) => findChangeRequest(space, id),
  file: (id, _, earlier) => indexOf(contentOf(earlier)).files.get(id),
  page: (id, _, earlier) => indexOf(contentOf(earlier)).pages.get(id),
  reusableContent: (id, _, earlier) => indexOf(contentOf(earlier)).reusableContents.get(id),
};

/** Finds the objects that the path names; a DELETE does not need its last one. */
function objectsIn(path: Sent["path"], row: Endpoint, organization: OrganizationRecord): PathObjects {
  const parameters = Object.entries(path);
  if (methodOf(row) === "DELETE") parameters.pop();
  const objects: Record<string, unknown> = {};
  for (const [parameter, id] of parameters) {
    const name = parameter === "userId" ? "member" : parameter.replace(/Id$/, "");
    const find: Find<unknown> | undefined = finders[name as keyof PathObjects];
    if (find) objects[name] = requireExisting(find(id, organization, objects as never), inWords(name), id);
  }
  return objects as never;
}

const inWords = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function checkedReply(name: RowName, schema: z.ZodType, reply: unknown): unknown {
  const wrong = mistakesIn(schema, reply);
  if (wrong.length > 0) throw bug(`the answer of ${name} does not fit its row: ${inOneLine(wrong)}`);
  return reply;
}

async function* checkedEvents(name: RowName, schema: z.ZodType, events: AsyncIterable<unknown>) {
  for await (const event of events) yield checkedReply(name, schema, event);
}

/** Status of a DELETE: 205 if something was deleted (or the reading `deleteStatus`), 204 if not, 202 if it was only requested. */
function deleteStatus(deleted: Deleted, { readings }: Service): number {
  if (deleted === "requested") return 202;
  return deleted ? Number(readings.deleteStatus) : 204;
}

/** Parses query parameters with the types of the row: numbers, booleans and lists instead of text. */
function queryOf(row: Endpoint, sent: Record<string, unknown>): Record<string, unknown> {
  const schema: z.ZodObject = row.query ?? z.strictObject({});
  const values = Object.entries(sent).map(([name, text]) => [name, convert(schema.shape[name], text)]);
  return checkInput(schema, Object.fromEntries(values)) as Record<string, unknown>;
}

/** Converts a text to what the schema accepts, otherwise to what is at least of the right type. */
function convert(schema: unknown, sent: unknown): unknown {
  // An unknown parameter has no schema; "constructor" finds a function instead. The check of the query refuses both.
  if (!(schema instanceof z.ZodType)) return sent;
  const list: unknown[] = Array.isArray(sent) ? sent : [sent];
  const values = [sent, literalOf(sent), list, list.map(literalOf)];
  const issuesOf = (value: unknown) => schema.safeParse(value).error?.issues ?? [];
  const isOfType = (value: unknown) => issuesOf(value).every(({ code }) => code !== "invalid_type");
  return values.find((value) => issuesOf(value).length === 0) ?? values.find(isOfType) ?? sent;
}

function literalOf(sent: unknown): unknown {
  if (sent === "true" || sent === "false") return sent === "true";
  return typeof sent === "string" && /^-?\d+(\.\d+)?$/.test(sent) ? Number(sent) : sent;
}

/** A route for each row. A missing one breaks compilation. */
export const routes: Routes = {
  ...siteRoutes,
  ...siteStructureRoutes,
  ...siteSearchRoutes,
  ...changeRequestRoutes,
  ...contentRoutes,
  ...contentLinkRoutes,
  ...memberRoutes,
  ...samlRoutes,
  ...teamRoutes,
  ...translationRoutes,
};
