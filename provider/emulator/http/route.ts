import type { z } from "zod";
import type { Endpoints, RowName } from "../../api/endpoints";
import type { content } from "../../api/groups/content";
import type { Endpoint, EventOf, PathParameters } from "../../api/schema/endpoint";
import type { Service } from "../store/service";
import type { Organization } from "../store/state";
import type { Complete } from "./complete";
import type { unserved } from "./ledger";

/** One request for a row, parsed with the schemas of the row. */
export interface RouteCall<E extends Endpoint = Endpoint> {
  readonly row: RowName;
  readonly path: { readonly [Name in PathParameters<E>]: string };
  readonly query: E["query"] extends z.ZodType ? z.output<E["query"]> : unknown;
  readonly body: E["body"] extends z.ZodType ? z.output<E["body"]> : unknown;
  /** The organization that the path names, or that holds the space that the path names. */
  readonly organization: Organization;
  readonly service: Service;
  /** Headers of the answer, for a route to add to. */
  readonly headers: Record<string, string>;
}

/** What a DELETE did: deleted something, found nothing, or (newer services) only asked the administrators. */
export type Deleted = boolean | "requested";

/** Content and structure have a variant for each kind of page, reference and node; no resource declares their properties. */
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

/** Serves a row. What is wrong with the request is thrown (errors.ts). */
export type Route<E extends Endpoint> = (call: RouteCall<E>) => Result<E>;

/** A route for each row of the table that the ledger does not excuse. */
export type Routes = { readonly [Name in Exclude<RowName, keyof typeof unserved>]: Route<Endpoints[Name]> };
