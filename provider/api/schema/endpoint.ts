import type { z } from "zod";
import type { Filter } from "./filters";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a DELETE is known to have done: 205 says deleted, 202 only asked for, a bare 204 leaves it open. */
export interface Deletion {
  readonly deleted: true | "requested" | "unknown";
}

/** No property of the answer says it, so nothing can be compared. */
export const none = null;

/**
 * Which property of the answer repeats which part of the call: a parameter of the path by its name, a property of the body as
 * `body.title`. Several properties are alternatives, and an array on the way stands for each of its elements (`items.space`).
 */
export type Answers = { readonly [place: string]: string | readonly string[] | typeof none };

/**
 * One row of the endpoint table. The client calls it, the emulator serves it, and both take every type, limit and
 * pattern from here.
 */
export interface Endpoint {
  /** Method and path, `{name}` standing for a path parameter: `GET /v1/orgs/{organizationId}/sites`. */
  readonly route: `${Method} /v1/${string}`;
  /** What a call does, for error messages; parameters of the path are filled in: `read site {siteId}`. */
  readonly does: string;
  readonly query?: z.ZodObject;
  /** Body of the request; a schema that accepts `undefined` makes it optional. */
  readonly body?: z.ZodType;
  /** Body of the answer; a row without `reply`, `events` and DELETE answers without one. */
  readonly reply?: z.ZodType;
  /** What the client compares the answer with; an answer about something else is an error (answers.ts). */
  readonly answers?: Answers;
  /** What each filter of a list means, for the client to apply it again; `none` if an item does not show it. */
  readonly filters?: { readonly [name: string]: Filter | typeof none };
  /** Each event of a `text/event-stream` answer. */
  readonly events?: z.ZodType;
  /** Status of the successful answer, 200 when left out; a DELETE answers 205 or 204. */
  readonly status?: 201 | 204;
  /** A POST that may be sent again after a lost answer, because a second one changes nothing more. */
  readonly repeatable?: true;
}

/**
 * Keeps the literal types of a row while it is checked against {@link Endpoint}. A row with an answer says of each parameter
 * of its path what repeats it, and a list of each filter what it means; either may be {@link none}.
 */
export const endpoint = <const E extends Endpoint>(row: E & Compared<E> & Filtered<E>): E => row;

type Compared<E extends Endpoint> = E["reply"] extends z.ZodType
  ? { readonly answers: { readonly [Name in PathParameters<E>]: Answers[string] } }
  : unknown;

type FilterNames<E extends Endpoint> =
  E["query"] extends z.ZodObject<infer Shape> ? Exclude<keyof Shape, "page" | "limit"> : never;
type Filtered<E extends Endpoint> =
  IsList<E> extends true
    ? [FilterNames<E>] extends [never]
      ? unknown
      : { readonly filters: { readonly [Name in FilterNames<E>]: Filter | typeof none } }
    : unknown;

type MethodOf<E extends Endpoint> = E["route"] extends `${infer M} ${string}` ? M : never;
type Placeholders<P> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never;

export type PathParameters<E extends Endpoint> = Placeholders<E["route"]>;

/** A change request is addressed by its id or by its number in the space; everything else by its id. */
type PathValue<Name> = Name extends "changeRequestId" ? string | number : string;
type Path<E extends Endpoint> = { readonly [Name in PathParameters<E>]: PathValue<Name> };
type Query<E extends Endpoint> = E["query"] extends z.ZodType ? { readonly query?: z.input<E["query"]> } : unknown;
type Body<E extends Endpoint> = E["body"] extends z.ZodType
  ? undefined extends z.input<E["body"]>
    ? { readonly body?: z.input<E["body"]> }
    : { readonly body: z.input<E["body"]> }
  : unknown;

/** What a call of the row takes: the parameters of its path, `query` and `body`. */
export type Call<E extends Endpoint> = Path<E> & Query<E> & Body<E>;

/** The item type of a row that answers with a page of a list. */
export type ItemOf<E extends Endpoint> = E["reply"] extends z.ZodType
  ? z.output<E["reply"]> extends { items: (infer Item)[]; next?: unknown }
    ? Item
    : never
  : never;

export type IsList<E extends Endpoint> =
  E["query"] extends z.ZodObject<{ page: z.ZodType; limit: z.ZodType }> ? true : false;

/** The answer of the row. */
export type Reply<E extends Endpoint> = E["reply"] extends z.ZodType
  ? z.output<E["reply"]>
  : MethodOf<E> extends "DELETE"
    ? Deletion
    : undefined;

export type EventOf<E extends Endpoint> = E["events"] extends z.ZodType ? z.output<E["events"]> : never;

export function methodOf(row: Endpoint): Method {
  return row.route.slice(0, row.route.indexOf(" ")) as Method;
}

export function pathOf(row: Endpoint): string {
  return row.route.slice(row.route.indexOf(" ") + 1);
}

export const placeholder = /\{(\w+)\}/g;

/** Lists are the rows that take `page` and `limit`. */
export function isList(row: Endpoint): boolean {
  return row.query !== undefined && "page" in row.query.shape && "limit" in row.query.shape;
}
