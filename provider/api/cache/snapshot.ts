import { type ApiError, DocsError, isNotFound } from "../http/errors";
import { type Page, Paging } from "../http/pages";

export interface Source<Item> {
  /** Name of the collection in messages: `the sites of organization org_1`. */
  readonly name: string;
  /** Reads a page of the list; the first one if `page` is omitted. */
  readonly page: (page?: string) => PromiseLike<Page<Item>>;
  /**
   * Reads one item by its key, `undefined` if there is none; omitted if the API can only list. A 404 does not prove that the
   * item is gone, because a wrong organization answers 404 as well; the list decides.
   */
  readonly single?: (key: string) => Promise<Item | undefined>;
  /**
   * Reads one item without the list, to confirm that an item missing from the list is gone; defaults to `single`. A list
   * can miss an existing item: paging by offset does so if another item is deleted between two pages.
   */
  readonly confirm?: (key: string) => Promise<Item | undefined>;
  /** Keys that find the item. The first one is unique to the item. */
  readonly keys: (item: Item) => readonly string[];
  /** Returns the error for a key that several items share, given the first key of each. */
  readonly ambiguous?: (key: string, items: readonly string[]) => Error;
}

type Answer<Item> = { readonly item: Item | undefined } | { readonly error: unknown };

/** Reads that arrive within this many milliseconds are decided together. */
const gathering = 5;
/** Single reads that are allowed before any page is read; the second limit applies if all reads so far arrived together. */
const freeSingles = 2;
const singlesAtOnce = 3;
const pageSize = 1000;
/** If more items are missing than this, a second list confirms them instead of single reads. */
const mostConfirmed = 100;

/**
 * A cached collection of the service. Reads that arrive together are decided together: a few become single reads, many
 * become pages of the list, and only one batch is in flight at a time. In any order of arrival, the number of requests is at
 * most twice the optimum plus two; the optimum is one request per key or all pages, whichever is less.
 */
export class Snapshot<Item> {
  private items = new Map<string, Item>();
  private absent = new Set<string>();
  /** Keys of items that existed before: their absence from the list must be confirmed by a single read or a second list. */
  private doubted = new Set<string>();
  /** Keys that several items share, with the first keys of these items. */
  private shared = new Map<string, readonly string[]>();
  private confirmations = 0;
  private listedTwice = false;
  /** Keys whose single read answered 404. */
  private missing = new Map<string, ApiError>();
  private next: string | undefined;
  private paging: Paging;
  private pages = 0;
  private singles = 0;
  /** All requested keys, cached ones included: they predict how many more will be requested. */
  private asked = new Set<string>();
  private complete = false;
  private total: number | undefined;
  private begun = 0;
  /** Counts own writes and drops: an answer requested before one of them is older and must not overwrite it. */
  private clock = 0;
  private dropped = 0;
  private written = new Map<string, number>();
  private waiting = new Map<string, ((answer: Answer<Item>) => void)[]>();
  private flight: Promise<void> | undefined;

  constructor(
    private readonly source: Source<Item>,
    private readonly now: () => number = Date.now,
  ) {
    this.paging = this.firstPage();
  }

  /** Returns the item, or `undefined` if the service has none; at most `maxAge` milliseconds old (default: any age). */
  async read(key: string, maxAge = Number.POSITIVE_INFINITY): Promise<Item | undefined> {
    this.expire(maxAge);
    this.asked.add(key);
    const item = this.knows(key) ? this.items.get(key) : await this.arrival(key);
    const sharing = this.shared.get(key);
    if (sharing && this.source.ambiguous) throw this.source.ambiguous(key, sharing);
    return item;
  }

  /**
   * Like `read`, for an item that existed before: its absence from the list alone does not prove that it is gone. A single
   * read confirms it, or a second list if more than 100 items are missing.
   */
  async find(key: string, maxAge = Number.POSITIVE_INFINITY): Promise<Item | undefined> {
    this.expire(maxAge);
    if (!this.items.has(key) && !this.absent.has(key) && !this.missing.has(key)) this.doubted.add(key);
    return this.read(key, maxAge);
  }

  /** Returns the cached item without a request. */
  known(key: string): Item | undefined {
    return this.items.get(key);
  }

  /** Returns all items, at most `maxAge` milliseconds old. */
  async all(maxAge = Number.POSITIVE_INFINITY): Promise<Item[]> {
    this.expire(maxAge);
    while (!this.complete) {
      if (this.flight) await this.flight;
      else await this.take(this.readPage());
    }
    return [...new Set(this.items.values())];
  }

  /** Caches the answer of an own write. */
  put(item: Item): void {
    this.begin();
    this.clock++;
    for (const key of this.source.keys(item)) {
      this.written.set(key, this.clock);
      this.noteSharedKey(key, item);
      this.items.set(key, item);
      this.absent.delete(key);
      this.missing.delete(key);
    }
  }

  /** Records that an own write removed the item. */
  remove(item: Item): void {
    this.begin();
    this.clock++;
    for (const key of this.source.keys(item)) {
      this.written.set(key, this.clock);
      this.items.delete(key);
      this.absent.add(key);
    }
  }

  /** Empties the cache, because a write failed or its answer was lost. */
  drop(): void {
    this.dropped = ++this.clock;
    this.written = new Map();
    this.items = new Map();
    this.absent = new Set();
    this.doubted = new Set([...this.doubted].filter((key) => this.waiting.has(key)));
    this.shared = new Map();
    this.confirmations = 0;
    this.listedTwice = false;
    this.missing = new Map();
    this.next = undefined;
    this.paging = this.firstPage();
    this.pages = this.singles = 0;
    this.asked = new Set(this.waiting.keys());
    this.complete = false;
    this.total = undefined;
  }

  /** Whether the cache holds results of own writes that no later read has replaced. */
  hasWrites(): boolean {
    return this.written.size > 0;
  }

  private expire(maxAge: number): void {
    if (!this.isEmpty() && this.now() - this.begun > maxAge) this.drop();
  }

  /** The age of the cache is the age of its oldest entry. */
  private begin(): void {
    if (this.isEmpty()) this.begun = this.now();
  }

  private isEmpty(): boolean {
    return this.pages + this.singles + this.items.size + this.absent.size === 0;
  }

  private knows(key: string): boolean {
    if (this.items.has(key) || this.absent.has(key)) return true;
    return this.complete && (!this.doubted.has(key) || this.missing.has(key) || this.listedTwice);
  }

  private arrival(key: string): Promise<Item | undefined> {
    return new Promise((resolve, reject) => {
      const tell = (answer: Answer<Item>) => ("error" in answer ? reject(answer.error) : resolve(answer.item));
      this.waiting.set(key, [...(this.waiting.get(key) ?? []), tell]);
      if (!this.flight) void this.take(this.fly());
    });
  }

  /** Only one batch of reads is in flight at a time. */
  private take(reading: Promise<void>): Promise<void> {
    this.flight = reading.finally(() => {
      this.flight = undefined;
      if (this.waiting.size > 0) void this.take(this.fly());
    });
    return this.flight;
  }

  /** Answers all waiting reads, including those that arrive in the meantime. */
  private async fly(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, gathering));
    while (this.waiting.size > 0) {
      try {
        await this.step();
        this.settleContradicted();
        this.settle((key) => this.knows(key));
      } catch (error) {
        this.settle(() => true, { error });
      }
    }
  }

  private async step(): Promise<void> {
    const unknown = [...this.waiting.keys()].filter((key) => !this.knows(key));
    if (unknown.length === 0) return;
    this.begin();
    if (this.complete) return this.confirmMissing(unknown);
    const { single } = this.source;
    if (single && this.singlesAreBetter(unknown)) await this.readSingles(unknown, single);
    else await this.readPage();
  }

  /** The list is complete, but items that existed before are missing from it. */
  private async confirmMissing(keys: readonly string[]): Promise<void> {
    const { single, confirm = single } = this.source;
    this.confirmations += keys.length;
    if (confirm && this.confirmations <= mostConfirmed) await this.confirmSingly(keys, confirm);
    else await this.listAgain();
  }

  private async confirmSingly(
    keys: readonly string[],
    confirm: (key: string) => Promise<Item | undefined>,
  ): Promise<void> {
    const asked = this.clock;
    const one = async (key: string) => {
      const item = await confirm(key).catch((error) => (isNotFound(error) ? undefined : Promise.reject(error)));
      if (item !== undefined) this.store(item, asked, this.source.keys(item));
      else if (this.isNews(key, asked)) this.absent.add(key);
    };
    const failed = (key: string, error: unknown) => this.settle((waiting) => waiting === key, { error });
    await Promise.all(keys.map((key) => one(key).catch((error) => failed(key, error))));
  }

  /** Reads the list again and merges it into the first one. */
  private async listAgain(): Promise<void> {
    const asked = this.clock;
    this.complete = false;
    this.paging = this.firstPage();
    this.pages = 0;
    while (!this.complete) await this.readPage();
    this.listedTwice = asked >= this.dropped;
  }

  private singlesAreBetter(unknown: readonly string[]): boolean {
    if (unknown.some((key) => this.missing.has(key))) return false;
    if (this.pages > 0 && (unknown.length > this.pagesLeft() || this.allPagesAreCheap())) return false;
    const afterwards = this.singles + unknown.length;
    const free = this.singles === 0 ? singlesAtOnce : freeSingles;
    return afterwards <= this.pages + free || (this.total !== undefined && afterwards <= this.total / pageSize);
  }

  /** Whether the whole list can be read within the bound of the class: after this many requested keys, more are likely to follow. */
  private allPagesAreCheap(): boolean {
    if (this.total === undefined) return false;
    const pages = Math.ceil(this.total / pageSize);
    return this.singles + pages <= 2 * Math.min(this.asked.size, pages) + 2;
  }

  /** Pages left of a partly read list, as far as its `count` tells. */
  private pagesLeft(): number {
    return this.total === undefined ? Number.POSITIVE_INFINITY : Math.ceil(this.total / pageSize) - this.pages;
  }

  private async readSingles(
    keys: readonly string[],
    single: (key: string) => Promise<Item | undefined>,
  ): Promise<void> {
    this.singles += keys.length;
    const asked = this.clock;
    const one = async (key: string) => {
      const item = await single(key);
      // The requested key may be spelled differently than the item's own keys.
      if (item !== undefined) this.store(item, asked, [...this.source.keys(item), key]);
      else if (this.isNews(key, asked)) this.absent.add(key);
    };
    const failed = async (key: string, error: unknown) => {
      if (isNotFound(error)) this.missing.set(key, error);
      else this.settle((waiting) => waiting === key, { error });
    };
    await Promise.all(keys.map((key) => one(key).catch((error) => failed(key, error))));
  }

  private async readPage(): Promise<void> {
    this.begin();
    const asked = this.clock;
    this.pages++;
    const page = await this.pageOrStart();
    if (asked < this.dropped) return;
    const { items, count } = page;
    for (const item of items) this.store(item, asked, this.source.keys(item));
    this.next = this.pageAfter(page);
    this.complete = this.next === undefined;
    // A count that does not exceed the page may be the count of this page only.
    if (count !== undefined && count > items.length) this.total = count;
  }

  private firstPage(): Paging {
    return new Paging(`read ${this.source.name}`);
  }

  private pageAfter(page: Page<Item>): string | undefined {
    try {
      return this.paging.after(page);
    } catch (error) {
      this.drop();
      throw error;
    }
  }

  /** If a later page cannot be read, its page id may have expired: the next read starts with the first page. */
  private async pageOrStart(): Promise<Page<Item>> {
    try {
      return await this.source.page(this.next);
    } catch (error) {
      if (this.next !== undefined) this.drop();
      else if (isNotFound(error) && this.missing.size > 0) throw unproven(this.source.name, error);
      throw error;
    }
  }

  private store(item: Item, asked: number, keys: readonly string[]): void {
    for (const key of keys) {
      if (!this.isNews(key, asked)) continue;
      this.noteSharedKey(key, item);
      this.items.set(key, item);
      this.absent.delete(key);
    }
  }

  /** Remembers a key that two items share: it does not identify either of them. */
  private noteSharedKey(key: string, item: Item): void {
    const before = this.items.get(key);
    if (before === undefined || !this.source.ambiguous) return;
    const ids = [before, item].map((one) => this.source.keys(one)[0] ?? key);
    if (ids[0] !== ids[1]) this.shared.set(key, [...new Set([...(this.shared.get(key) ?? []), ...ids])]);
  }

  /** Whether the answer is newer than the last own write of the key, and requested after the last drop. */
  private isNews(key: string, asked: number): boolean {
    return asked >= this.dropped && asked >= (this.written.get(key) ?? 0);
  }

  /** An item that answers 404 but is in the list is neither known to exist nor known to be gone. */
  private settleContradicted(): void {
    const both = [...this.missing].filter(([key]) => this.waiting.has(key) && this.items.has(key));
    for (const [key, error] of both) {
      error.message += ` The list of ${this.source.name} still contains it, so it is not treated as deleted; try again.`;
      this.settle((waiting) => waiting === key, { error });
    }
    // Other waiting reads are answered first; a retry of these keys then reaches the service.
    if (both.length === 0) return;
    this.settle((key) => this.knows(key));
    this.drop();
  }

  private settle(known: (key: string) => boolean, failed?: Answer<Item>): void {
    for (const [key, waiting] of [...this.waiting]) {
      if (!known(key)) continue;
      this.waiting.delete(key);
      // The value is part of the answer: a write may drop the cache before the waiting read resumes.
      for (const tell of waiting) tell(failed ?? { item: this.items.get(key) });
    }
  }
}

/** The error if the list that would prove an item gone answers 404 itself. */
export function unproven(name: string, cause: ApiError): DocsError {
  return new DocsError(
    `the service also answers 404 to ${name}, so nothing is treated as deleted; check that DOCS_BASE_URL or ` +
      "docs:baseUrl, the organization and the token belong together",
    { cause },
  );
}
