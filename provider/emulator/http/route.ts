import type { z } from "zod";
import type { Endpoints, RowName } from "../../api/endpoints";
import type { content } from "../../api/groups/content";
import type { Endpoint, EventOf, PathParameters } from "../../api/schema/endpoint";
import type { Service } from "../store/service";
import type { Organization } from "../store/state";
import type { Complete } from "./complete";

/** One request for a row, parsed with the schemas of the row. */
export interface RouteCall<E extends Endpoint = Endpoint> {
  readonly row: RowName;
  readonly path: { readonly [Name in PathParameters<E>]: string };
  readonly query: E["query"] extends z.ZodType ? z.output<E["query"]> : unknown;
  readonly body: E["body"] extends z.ZodType ? z.output<E["body"]> : unknown;
  /** The organization in the path, or the one that contains the space in the path. */
  readonly organization: Organization;
  readonly service: Service;
  /** Headers of the answer, to which a route may add. */
  readonly headers: Record<string, string>;
}

/** The organization, and those parameters of the path that a function needs. */
export interface PathCall<Name extends string> {
  readonly organization: Organization;
  readonly path: { readonly [One in Name]: string };
}

/** Result of a DELETE: true (deleted), false (not found) or `"requested"` (newer versions ask the administrators). */
export type Deleted = boolean | "requested";

/** Rows exempt from `Complete`: their unions have a variant per kind of page, reference or node, and no resource uses them. */
type ContentRow = keyof typeof content | "searchSite" | "sortSiteStructure";

/** The items of a page, or the whole answer. */
type Answered<Reply> = Reply extends { items: (infer Item)[]; next?: unknown }
  ? Omit<Reply, "items"> & { items: Complete<Item>[] }
  : Complete<Reply>;

type Result<E extends Endpoint> = E["events"] extends z.ZodType
  ? AsyncIterable<EventOf<E>>
  : E["reply"] extends z.ZodType
    ? E extends Endpoints[ContentRow]
      ? z.input<E["reply"]>
      : Answered<z.input<E["reply"]>>
    : E["route"] extends `DELETE ${string}`
      ? Deleted
      : undefined;

/** Serves a row; throws a Refusal for an invalid request (errors.ts). */
export type Route<E extends Endpoint> = (call: RouteCall<E>) => Result<E>;

/** A route for each row of the table. */
export type Routes = { readonly [Name in RowName]: Route<Endpoints[Name]> };
