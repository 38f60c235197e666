import type { z } from "zod";
import type { Filter } from "./filters";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Result of a DELETE: `true` for 205, `"requested"` for 202 (not deleted yet), `"unknown"` for 204. */
export interface Deletion {
  readonly deleted: true | "requested" | "unknown";
}

/** No property of the answer repeats this part of the call, so it cannot be compared. */
export const none = null;

/**
 * Which property of the answer repeats which part of the call. A key is a parameter of the path, or a property of the body
 * such as `body.title`. Several properties are alternatives; a path through an array means each element (`items.space`).
 */
export type Answers = { readonly [place: string]: string | readonly string[] | typeof none };

/**
 * One row of the endpoint table. The client calls it and the emulator serves it; both take every type, limit and
 * pattern from here.
 */
export interface Endpoint {
  /** Method and path with parameters in braces: `GET /v1/orgs/{organizationId}/sites`. */
  readonly route: `${Method} /v1/${string}`;
  /** The operation in error messages, with parameters of the path: `read site {siteId}` completes "could not". */
  readonly does: string;
  readonly query?: z.ZodObject;
  /** Body of the request; a schema that accepts `undefined` makes it optional. */
  readonly body?: z.ZodType;
  /** Body of the answer. A row with neither `reply` nor `events` has an empty answer, or is a DELETE. */
  readonly reply?: z.ZodType;
  /** Parts of the call that the answer must repeat; otherwise the client throws a MismatchError (answers.ts). */
  readonly answers?: Answers;
  /** Predicate of each filter of a list, which the client applies again; `none` if items do not show the value. */
  readonly filters?: { readonly [name: string]: Filter | typeof none };
  readonly events?: z.ZodType;
  /** Status of a successful answer, 200 by default; a DELETE answers 205, 204 or 202. */
  readonly status?: 201 | 204;
  /** True for a POST that may be repeated after a lost answer, because a second one changes nothing more. */
  readonly repeatable?: true;
  /** True for a POST that changes nothing, such as a search. */
  readonly readsOnly?: true;
}

/**
 * Checks a row against {@link Endpoint} and keeps its literal types. A row with a reply must state in `answers` what repeats
 * each parameter of its path, and a list must state in `filters` what each filter means; either may be {@link none}.
 */
export const endpoint = <const E extends Endpoint>(row: E & Compared<E> & Filtered<E>): E => row;

type Compared<E extends Endpoint> = E["reply"] extends z.ZodType
  ? { readonly answers: { readonly [Name in PathParameters<E>]: Answers[string] } }
  : unknown;

type FilterNames<E extends Endpoint> =
  E["query"] extends z.ZodObject<infer Shape> ? Exclude<keyof Shape, "page" | "limit"> : never;
type FiltersOf<Names extends PropertyKey> = [Names] extends [never]
  ? unknown
  : { readonly filters: { readonly [Name in Names]: Filter | typeof none } };
type Filtered<E extends Endpoint> = IsList<E> extends true ? FiltersOf<FilterNames<E>> : unknown;

type MethodOf<E extends Endpoint> = E["route"] extends `${infer M} ${string}` ? M : never;
type Placeholders<P> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never;

export type PathParameters<E extends Endpoint> = Placeholders<E["route"]>;

/** A change request is addressed by its id or by its number in the space; everything else by its id. */
type PathValue<Name> = Name extends "changeRequestId" ? string | number : string;
type Path<E extends Endpoint> = { readonly [Name in PathParameters<E>]: PathValue<Name> };
type Query<E extends Endpoint> = E["query"] extends z.ZodType ? { readonly query?: z.input<E["query"]> } : unknown;
type BodyOf<Input> = undefined extends Input ? { readonly body?: Input } : { readonly body: Input };
type Body<E extends Endpoint> = E["body"] extends z.ZodType ? BodyOf<z.input<E["body"]>> : unknown;

export type Call<E extends Endpoint> = Path<E> & Query<E> & Body<E>;

/** The item type of a row that answers with a page of a list. */
export type ItemOf<E extends Endpoint> = Reply<E> extends { items: (infer Item)[]; next?: unknown } ? Item : never;

export type IsList<E extends Endpoint> =
  E["query"] extends z.ZodObject<{ page: z.ZodType; limit: z.ZodType }> ? true : false;

type EmptyReply<E extends Endpoint> = MethodOf<E> extends "DELETE" ? Deletion : undefined;
export type Reply<E extends Endpoint> = E["reply"] extends z.ZodType ? z.output<E["reply"]> : EmptyReply<E>;

export type EventOf<E extends Endpoint> = E["events"] extends z.ZodType ? z.output<E["events"]> : never;

export function methodOf(row: Endpoint): Method {
  return row.route.slice(0, row.route.indexOf(" ")) as Method;
}

export const isRead = (row: Endpoint): boolean => methodOf(row) === "GET" || row.readsOnly === true;

export function pathOf(row: Endpoint): string {
  return row.route.slice(row.route.indexOf(" ") + 1);
}

export const placeholder = /\{(\w+)\}/g;

/** Lists are the rows that take `page` and `limit`. */
export function isList(row: Endpoint): boolean {
  return row.query !== undefined && "page" in row.query.shape && "limit" in row.query.shape;
}
