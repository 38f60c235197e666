import { type ApiError, DocsError, isNotFound } from "../http/errors";
import { type Page, Paging } from "../http/pages";

export interface Source<Item> {
  /** What it is, in a message: `the sites of organization org_1`. */
  readonly name: string;
  /** Reads a page of the list; the first one when no page is named. */
  readonly page: (page?: string) => PromiseLike<Page<Item>>;
  /**
   * Reads one item by its key, `undefined` where there is none; left out where the API can only list. A 404 is no proof: it
   * comes from a wrong organization as well, so the list decides.
   */
  readonly single?: (key: string) => Promise<Item | undefined>;
  /**
   * Reads one item in another way than the list, to confirm that an item is gone that the list omits; `single` if it is
   * left out. A list may omit an item that is there: paging by offset does so if another item goes between two pages.
   */
  readonly confirm?: (key: string) => Promise<Item | undefined>;
  /** The keys that an item is asked for by; the first one is its own, no other item has it. */
  readonly keys: (item: Item) => readonly string[];
  /** The error if two items have the same key, given the first keys of both. */
  readonly ambiguous?: (key: string, items: readonly string[]) => Error;
}

type Answer<Item> = { readonly item: Item | undefined } | { readonly error: unknown };

/** Reads that arrive within this many milliseconds are one decision. */
const gathering = 5;
/** Singles that are allowed before a list was begun; and where all that was asked so far arrived at once. */
const freeSingles = 2;
const singlesAtOnce = 3;
const pageSize = 1000;
/** More missing items than this are confirmed by a second list instead of single reads. */
const mostConfirmed = 100;

/**
 * A collection of the service as this process knows it. Reads that arrive together are decided together: few stay single,
 * many become pages of the list, one flight at a time. Whatever arrives in whatever order, the requests stay within twice
 * the best choice plus two, where the best choice is the smaller of one request a key and all pages.
 */
export class Snapshot<Item> {
  private items = new Map<string, Item>();
  private absent = new Set<string>();
  /** Keys that the list may omit although they are there, until a single read or a second list confirms it. */
  private doubted = new Set<string>();
  /** Keys that several items have, with the first keys of these items. */
  private shared = new Map<string, readonly string[]>();
  private confirmations = 0;
  private listedTwice = false;
  /** Keys that a 404 was answered for. */
  private missing = new Map<string, ApiError>();
  private next: string | undefined;
  private paging: Paging;
  private pages = 0;
  private singles = 0;
  /** Keys that anybody asked for, those that were known already included: they tell how many more will be. */
  private asked = new Set<string>();
  private complete = false;
  private total: number | undefined;
  private begun = 0;
  /** Counts our own writes and what was dropped: an answer that was on its way meanwhile is older than they are. */
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

  /** The item, or `undefined` where the service has none; not older than `maxAge` milliseconds where that is named. */
  async read(key: string, maxAge = Number.POSITIVE_INFINITY): Promise<Item | undefined> {
    this.expire(maxAge);
    this.asked.add(key);
    const item = this.knows(key) ? this.items.get(key) : await this.arrival(key);
    const sharing = this.shared.get(key);
    if (sharing && this.source.ambiguous) throw this.source.ambiguous(key, sharing);
    return item;
  }

  /**
   * As `read`, for an item that was there before: the list alone is no proof that it is gone. A single read confirms it,
   * or a second list if more than 100 are missing.
   */
  async find(key: string, maxAge = Number.POSITIVE_INFINITY): Promise<Item | undefined> {
    this.expire(maxAge);
    if (!this.items.has(key) && !this.absent.has(key) && !this.missing.has(key)) this.doubted.add(key);
    return this.read(key, maxAge);
  }

  /** What this process knows by now, without asking. */
  known(key: string): Item | undefined {
    return this.items.get(key);
  }

  /** All items. */
  async all(maxAge = Number.POSITIVE_INFINITY): Promise<Item[]> {
    this.expire(maxAge);
    while (!this.complete) {
      if (this.flight) await this.flight;
      else await this.take(this.readPage());
    }
    return [...new Set(this.items.values())];
  }

  /** Takes in what a write of ours answered. */
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

  /** Takes in that a write of ours removed it. */
  remove(item: Item): void {
    this.begin();
    this.clock++;
    for (const key of this.source.keys(item)) {
      this.written.set(key, this.clock);
      this.items.delete(key);
      this.absent.add(key);
    }
  }

  /** Forgets everything: a write failed, or its answer was lost. */
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

  /** Whether what it knows is partly what we wrote, and not what the service has answered since. */
  hasWrites(): boolean {
    return this.written.size > 0;
  }

  private expire(maxAge: number): void {
    if (!this.isEmpty() && this.now() - this.begun > maxAge) this.drop();
  }

  /** What is known is as old as the first of it. */
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

  /** Everything that is read goes through one flight at a time. */
  private take(reading: Promise<void>): Promise<void> {
    this.flight = reading.finally(() => {
      this.flight = undefined;
      if (this.waiting.size > 0) void this.take(this.fly());
    });
    return this.flight;
  }

  /** Serves everybody who waits, those that arrive meanwhile included. */
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

  /** The list is complete and omits items that were there before. */
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

  /** Adds what a second list has to what the first one had. */
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

  /** Whether the whole list stays within the bound already: where that many were asked for, more will be. */
  private allPagesAreCheap(): boolean {
    if (this.total === undefined) return false;
    const pages = Math.ceil(this.total / pageSize);
    return this.singles + pages <= 2 * Math.min(this.asked.size, pages) + 2;
  }

  /** Of a list that was begun, as far as its count tells. */
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
      // The key may be another spelling than the service's own.
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
    // A count that is not more than the page may be the page's own.
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

  /** A page that can not be read may be named by a list that is not there any more: the next reader starts anew. */
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

  /** Two items of one answer with the same key cannot be told apart by it. */
  private noteSharedKey(key: string, item: Item): void {
    const before = this.items.get(key);
    if (before === undefined || !this.source.ambiguous) return;
    const ids = [before, item].map((one) => this.source.keys(one)[0] ?? key);
    if (ids[0] !== ids[1]) this.shared.set(key, [...new Set([...(this.shared.get(key) ?? []), ...ids])]);
  }

  /** Whether an answer tells more of the key than what we did since it was asked for. */
  private isNews(key: string, asked: number): boolean {
    return asked >= this.dropped && asked >= (this.written.get(key) ?? 0);
  }

  /** What answers 404 and stands in the list all the same is neither there nor gone. */
  private settleContradicted(): void {
    const both = [...this.missing].filter(([key]) => this.waiting.has(key) && this.items.has(key));
    for (const [key, error] of both) {
      error.message += ` The list of ${this.source.name} holds it all the same, so it is not taken for gone; try again.`;
      this.settle((waiting) => waiting === key, { error });
    }
    // Whoever asks again asks the service; those who wait for others have their answers before that.
    if (both.length === 0) return;
    this.settle((key) => this.knows(key));
    this.drop();
  }

  private settle(known: (key: string) => boolean, failed?: Answer<Item>): void {
    for (const [key, waiting] of [...this.waiting]) {
      if (!known(key)) continue;
      this.waiting.delete(key);
      // The value goes with the answer: before anybody is awake again, a write may have dropped everything.
      for (const tell of waiting) tell(failed ?? { item: this.items.get(key) });
    }
  }
}

/** The list that would prove it answers 404 itself. */
export function unproven(name: string, cause: ApiError): DocsError {
  return new DocsError(
    `the service knows nothing of ${name} either, so nothing is taken for gone; check that DOCS_BASE_URL or ` +
      "docs:baseUrl, the organization and the token belong together",
    { cause },
  );
}
