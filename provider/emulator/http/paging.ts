import type { RowName } from "../../api/endpoints";
import type { Service } from "../store/service";
import { badRequest } from "./errors";

/** Sort key of an item: numbers and strings that are compared one after the other. */
export type Key = readonly (string | number)[];

export interface ListCall {
  readonly row: RowName;
  readonly query: { readonly page?: string | undefined; readonly limit?: number | undefined };
  readonly service: Pick<Service, "readings">;
}

export interface ListedRecords<Record, Item> {
  /** All records that pass the filters, in ascending order of their keys. */
  readonly records: readonly Record[];
  readonly key: (record: Record, index: number) => Key;
  readonly order?: "asc" | "desc";
  /** Name of the sort key, for a list with several: a page id of one sorting is invalid in another. */
  readonly sort?: string;
  /** Creates the item of the answer; only called for records on the page. */
  readonly item: (record: Record) => Item;
}

export const bySequence = ({ sequence }: { readonly sequence: number }): Key => [sequence];

/** Key of objects in a content, which have no other key. The index is stable, because contents are immutable. */
export const byIndex = (_: unknown, index: number): Key => [index];

/** The API document shows a maximum for `limit`, but no default. */
const defaultLimit = 100;

/**
 * Answers one page of a list. A page id contains the key of the last item of the previous page, not an offset, so no item is
 * skipped or repeated while others are added or deleted.
 */
export function pageOf<Record, Item>(call: ListCall, { records, key, order, sort, item }: ListedRecords<Record, Item>) {
  const { limit = defaultLimit, page } = call.query;
  const { readings } = call.service;
  const list = [call.row, sort, order].filter((part) => part !== undefined).join(" ");
  const ordered = order === "desc" ? [...records].reverse() : records;
  const from = page === undefined ? 0 : firstAfter(keyIn(page, list), ordered.map(key), order);
  const onPage = ordered.slice(from, from + limit);
  const last = onPage.at(-1);
  const hasMore = last !== undefined && from + limit < ordered.length;
  const next = hasMore ? { next: { page: pageId(list, key(last, from + limit - 1)) } } : lastNext[readings.lastPage];
  const counts = { total: { count: ordered.length }, page: { count: onPage.length }, absent: {} };
  return { items: onPage.map(item), ...next, ...counts[readings.count] };
}

/** The possible forms of `next` on the last page. */
const lastNext = { absent: {}, null: { next: null }, empty: { next: {} } };

function pageId(list: string, key: Key): string {
  return Buffer.from(JSON.stringify([list, ...key])).toString("base64url");
}

function keyIn(page: string, list: string): Key {
  try {
    const [, ...key] = JSON.parse(Buffer.from(page, "base64url").toString());
    // Encoded again with the name of this list, an id of another list differs, and so does one with padding.
    if (pageId(list, key) === page) return key;
  } catch {
    // It is not JSON, or no array.
  }
  throw badRequest(`page: "${page}" is not a page of this list; use next.page of an answer`);
}

function firstAfter(key: Key, keys: readonly Key[], order?: "asc" | "desc"): number {
  const direction = order === "desc" ? -1 : 1;
  const position = keys.findIndex((one) => comparePageKeys(one, key) * direction > 0);
  return position < 0 ? keys.length : position;
}

export function comparePageKeys(a: Key, b: Key): number {
  for (let index = 0; index < a.length; index++) {
    const [one, other] = [a[index] as string | number, b[index]];
    // A page id made by hand may have a key with fewer parts, which is the lower one.
    if (other === undefined || one > other) return 1;
    if (one < other) return -1;
  }
  return 0;
}
