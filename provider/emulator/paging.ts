import { createHash } from "node:crypto";
import type { RowName } from "../api/endpoints";
import { badRequest } from "./errors";
import type { Service } from "./service";

/** Where an item stands in its list: numbers and texts that are compared one after the other. */
export type Key = readonly (string | number)[];

interface ListCall {
  readonly row: RowName;
  readonly query: { readonly page?: string | undefined; readonly limit?: number | undefined };
  readonly service: Pick<Service, "readings">;
}

export interface Listing<Record, Item> {
  /** All records that the filters let through, in ascending order of their keys. */
  readonly records: readonly Record[];
  readonly key: (record: Record) => Key;
  /** Makes the item of the answer; only called for records on the page. */
  readonly item: (record: Record) => Item;
}

/** The document has a maximum for `limit` and no default. */
const defaultLimit = 100;

/**
 * One page of a list. A page id holds the key of the last item before it, not an offset, so nothing is skipped or shown
 * twice while other items come and go.
 */
export function pageOf<Record, Item>(call: ListCall, { records, key, item }: Listing<Record, Item>) {
  const { limit = defaultLimit, page } = call.query;
  const { readings } = call.service;
  const from = page === undefined ? 0 : firstAfter(records, key, keyIn(page, call.row));
  const onPage = records.slice(from, from + limit);
  const last = onPage.at(-1);
  const more = last !== undefined && from + limit < records.length;
  return {
    items: onPage.map(item),
    ...(more ? { next: { page: pageId(call.row, key(last)) } } : lastNext[readings.lastPage]),
    ...(readings.count !== "absent" && { count: readings.count === "total" ? records.length : onPage.length }),
  };
}

const lastNext = { absent: {}, null: { next: null }, empty: { next: {} } };

/** A checksum of eight characters, and behind it the name of the list and the key. */
function pageId(row: RowName, key: Key): string {
  const content = JSON.stringify([row, ...key]);
  const checksum = createHash("sha256").update(content).digest("base64url").slice(0, checksumLength);
  return checksum + Buffer.from(content).toString("base64url");
}

const checksumLength = 8;

function keyIn(page: string, row: RowName): Key {
  const content = parsed(Buffer.from(page.slice(checksumLength), "base64url").toString());
  const [, ...key] = Array.isArray(content) ? content : [];
  // Only an id that this list gave comes out again.
  if (pageId(row, key) === page) return key;
  throw badRequest(`page: "${page}" is not a page of this list; use next.page of an answer`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Index of the first record behind the key. */
function firstAfter<Record>(records: readonly Record[], keyOf: (record: Record) => Key, key: Key): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compared(keyOf(records[middle] as Record), key) > 0) high = middle;
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
