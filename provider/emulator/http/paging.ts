import type { RowName } from "../../api/endpoints";
import type { Service } from "../store/service";
import { badRequest } from "./errors";

/** Sort key of an item: numbers and strings that are compared one after the other. */
export type Key = readonly (string | number)[];

interface ListCall {
  readonly row: RowName;
  readonly query: { readonly page?: string | undefined; readonly limit?: number | undefined };
  readonly service: Pick<Service, "readings">;
}

export interface Listing<Record, Item> {
  /** All records that pass the filters, in ascending order of their keys. */
  readonly records: readonly Record[];
  readonly key: (record: Record) => Key;
  /** `desc` lists the records in reverse. */
  readonly order?: "asc" | "desc";
  /** Name of the sort key, for a list with several: a page id of one sorting is invalid in another. */
  readonly sort?: string;
  /** Creates the item of the answer; only called for records on the page. */
  readonly item: (record: Record) => Item;
}

/** The API document shows a maximum for `limit`, but no default. */
const defaultLimit = 100;

/**
 * Answers one page of a list. A page id contains the key of the last item of the previous page, not an offset, so no item is
 * skipped or repeated while others are added or deleted.
 */
export function pageOf<Record, Item>(call: ListCall, listing: Listing<Record, Item>) {
  const { limit = defaultLimit, page } = call.query;
  const { readings } = call.service;
  const { records, key, item } = listing;
  const list = nameOf(call.row, listing);
  const from = page === undefined ? 0 : firstAfter(listing, keyIn(page, list));
  const onPage = slice(listing, from, from + limit);
  const last = onPage.at(-1);
  const more = last !== undefined && from + limit < records.length;
  return {
    items: onPage.map(item),
    ...(more ? { next: { page: pageId(list, key(last)) } } : lastNext[readings.lastPage]),
    ...(readings.count !== "absent" && { count: readings.count === "total" ? records.length : onPage.length }),
  };
}

function nameOf<Record, Item>(row: RowName, { order, sort }: Listing<Record, Item>): string {
  return [row, sort, order].filter((part) => part !== undefined).join(" ");
}

/** Positions count in the order of the list; the whole array is never reversed. */
function slice<Record, Item>({ records, order }: Listing<Record, Item>, from: number, to: number): Record[] {
  if (order !== "desc") return records.slice(from, to);
  return records.slice(Math.max(0, records.length - to), Math.max(0, records.length - from)).reverse();
}

const lastNext = { absent: {}, null: { next: null }, empty: { next: {} } };

function pageId(list: string, key: Key): string {
  return Buffer.from(JSON.stringify([list, ...key])).toString("base64url");
}

function keyIn(page: string, list: string): Key {
  const content = parsed(Buffer.from(page, "base64url").toString());
  const [, ...key] = Array.isArray(content) ? content : [];
  // An id of another list does not encode to itself again.
  if (pageId(list, key) === page) return key;
  throw badRequest(`page: "${page}" is not a page of this list; use next.page of an answer`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Position of the first record after the key. */
function firstAfter<Record, Item>({ records, key: keyOf, order }: Listing<Record, Item>, key: Key): number {
  const recordAt = (position: number) => records[order === "desc" ? records.length - 1 - position : position] as Record;
  const direction = order === "desc" ? -1 : 1;
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compared(keyOf(recordAt(middle)), key) * direction > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function compared(a: Key, b: Key): number {
  for (let index = 0; index < a.length; index++) {
    const [one, other] = [a[index] as string | number, b[index]];
    if (other === undefined || one > other) return 1;
    if (one < other) return -1;
  }
  return 0;
}
