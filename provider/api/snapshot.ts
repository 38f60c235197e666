import { DocsError } from "./errors";
import type { Page } from "./pages";

export interface Source<Item> {
  /** Reads a page of the list; the first one when no page is named. */
  readonly page: (page?: string) => PromiseLike<Page<Item>>;
  /** Reads one item by its key, `undefined` where there is none; left out where the API can only list. */
  readonly single?: (key: string) => Promise<Item | undefined>;
  /** The keys that an item is asked for by. */
  readonly keys: (item: Item) => readonly string[];
}

/** Reads that arrive within this many milliseconds are one decision. */
const gathering = 5;
/** Singles that are allowed before a list was begun. */
const freeSingles = 2;
const pageSize = 1000;

/**
 * A collection of the service as this process knows it. Reads that arrive together are decided together: few stay single,
 * many become pages of the list, one flight at a time. Whatever arrives in whatever order, the requests stay within twice
 * the best choice plus two, where the best choice is the smaller of one request a key and all pages.
 */
export class Snapshot<Item> {
  private items = new Map<string, Item>();
  private absent = new Set<string>();
  private next: string | undefined;
  /** Pages that were named so far, for a list without an end names one twice. */
  private readonly named = new Set<string>();
  private pages = 0;
  private singles = 0;
  private complete = false;
  private total: number | undefined;
  private begun = 0;
  /** Counts our own writes and what was dropped: an answer that was on its way meanwhile is older than they are. */
  private clock = 0;
  private dropped = 0;
  private written = new Map<string, number>();
  private waiting = new Map<string, ((failed?: { readonly error: unknown }) => void)[]>();
  private flight: Promise<void> | undefined;

  constructor(
    private readonly source: Source<Item>,
    private readonly now: () => number = Date.now,
  ) {}

  /** The item, or `undefined` where the service has none; not older than `maxAge` milliseconds where that is named. */
  async read(key: string, maxAge = Number.POSITIVE_INFINITY): Promise<Item | undefined> {
    this.expire(maxAge);
    if (!this.knows(key)) await this.arrival(key);
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
    this.clock++;
    for (const key of this.source.keys(item)) {
      this.written.set(key, this.clock);
      this.items.set(key, item);
      this.absent.delete(key);
    }
  }

  /** Takes in that a write of ours removed it. */
  remove(item: Item): void {
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
    this.items = new Map();
    this.absent = new Set();
    this.next = undefined;
    this.named.clear();
    this.pages = this.singles = 0;
    this.complete = false;
    this.total = undefined;
  }

  private expire(maxAge: number): void {
    const empty = this.pages + this.singles === 0;
    if (!empty && this.now() - this.begun > maxAge) this.drop();
  }

  private knows(key: string): boolean {
    return this.complete || this.items.has(key) || this.absent.has(key);
  }

  private arrival(key: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const told = (failed?: { readonly error: unknown }) => (failed ? reject(failed.error) : resolve());
      this.waiting.set(key, [...(this.waiting.get(key) ?? []), told]);
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
        this.settle((key) => this.knows(key));
      } catch (error) {
        this.settle(() => true, { error });
      }
    }
  }

  private async step(): Promise<void> {
    const unknown = [...this.waiting.keys()].filter((key) => !this.knows(key));
    if (unknown.length === 0) return;
    if (this.pages + this.singles === 0) this.begun = this.now();
    const { single } = this.source;
    if (single && this.singlesAreBetter(unknown.length)) await this.readSingles(unknown, single);
    else await this.readPage();
  }

  private singlesAreBetter(unknown: number): boolean {
    const afterwards = this.singles + unknown;
    return afterwards <= this.pages + freeSingles || (this.total !== undefined && afterwards <= this.total / pageSize);
  }

  private async readSingles(
    keys: readonly string[],
    single: (key: string) => Promise<Item | undefined>,
  ): Promise<void> {
    this.singles += keys.length;
    const asked = this.clock;
    await Promise.all(
      keys.map(async (key) => {
        const item = await single(key);
        // The key may be another spelling than the service's own.
        if (item !== undefined) this.store(item, asked, [...this.source.keys(item), key]);
        else if (this.isNews(key, asked)) this.absent.add(key);
      }),
    );
  }

  private async readPage(): Promise<void> {
    if (this.pages + this.singles === 0) this.begun = this.now();
    const asked = this.clock;
    this.pages++;
    const { items, next, count } = await this.pageOrStart();
    if (asked < this.dropped) return;
    for (const item of items) this.store(item, asked, this.source.keys(item));
    this.next = next?.page || undefined;
    this.complete = this.next === undefined;
    if (this.next !== undefined && this.named.has(this.next)) {
      const page = this.next;
      this.drop();
      throw new DocsError(`the service named page "${page}" twice, so the list has no end`);
    }
    this.named.add(this.next ?? "");
    // A count that is not more than the page may be the page's own.
    if (count !== undefined && count > items.length) this.total = count;
  }

  /** A page that can not be read may be named by a list that is not there any more: the next reader starts anew. */
  private async pageOrStart(): Promise<Page<Item>> {
    try {
      return await this.source.page(this.next);
    } catch (error) {
      if (this.next !== undefined) this.drop();
      throw error;
    }
  }

  private store(item: Item, asked: number, keys: readonly string[]): void {
    for (const key of keys) {
      if (!this.isNews(key, asked)) continue;
      this.items.set(key, item);
      this.absent.delete(key);
    }
  }

  /** Whether an answer tells more of the key than what we did since it was asked for. */
  private isNews(key: string, asked: number): boolean {
    return asked >= this.dropped && asked >= (this.written.get(key) ?? 0);
  }

  private settle(known: (key: string) => boolean, failed?: { readonly error: unknown }): void {
    for (const [key, told] of [...this.waiting]) {
      if (!known(key)) continue;
      this.waiting.delete(key);
      for (const tell of told) tell(failed);
    }
  }
}
