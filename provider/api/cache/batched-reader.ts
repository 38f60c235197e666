import { type ApiError, DocsError, ignoreNotFound, isNotFound } from "../http/errors";
import { Gathering } from "./gathering";
import { Listing, type ListSource } from "./listing";
import { Overlay, type RecentWrites, type Trace } from "./overlay";

export interface ItemSource<Item> extends ListSource<Item> {
  /**
   * Reads one item by its key, `undefined` if there is none; omitted if the API can only list. A 404 does not prove that the
   * item is gone, because a wrong organization answers 404 as well; the list decides.
   */
  readonly single?: (key: string) => Promise<Item | undefined>;
  /** A 404 for an item whose removal is being confirmed proves it, without the list. */
  readonly provesRemoval?: true;
  /** Whether the key is a second name, such as an e-mail. Ids are read first: their items may have this name. */
  readonly isOtherKey?: (key: string) => boolean;
  /**
   * Reads one item without the list, to confirm that an item missing from the list is gone; defaults to `single`. A list
   * can miss an existing item: paging by offset does so if another item is deleted between two pages.
   */
  readonly confirm?: (key: string) => Promise<Item | undefined>;
  /** Keys that find the item. The first one is unique to the item. */
  readonly keys: (item: Item) => readonly string[];
  /** Returns the error for a key that several items share, given the first key of each. */
  readonly ambiguous?: (key: string, items: readonly string[]) => Error;
  readonly writes?: RecentWrites<Item>;
}

type Answer<Item> = { readonly item: Item | undefined } | { readonly error: unknown };

/** Reads that arrive within this many milliseconds are decided together. */
const gatherTime = 5;
/** Single reads that are allowed in addition to one for each page that was read. */
const freeSingles = 2;
/** The same for the first batch. */
const singlesAtOnce = 3;
const pageSize = 1000;
/** If more items are missing than this, a second list confirms them instead of single reads. */
export const mostConfirmed = 100;

/**
 * A cached collection of the service. Reads that arrive together are decided together: a few become single reads, many
 * become pages of the list, and only one batch is in flight at a time. In any order of arrival, the number of requests is at
 * most twice the optimum plus two; the optimum is one request per key or all pages, whichever is less.
 */
export class BatchedReader<Item> {
  private items = new Map<string, Item>();
  /** Keys that certainly have no item. */
  private absent = new Set<string>();
  /** Keys of items that existed before: their absence from the list must be confirmed by a single read or a second list. */
  private doubted = new Set<string>();
  /** Keys that several items share, with the first keys of these items. */
  private shared = new Map<string, readonly string[]>();
  /** Keys whose single read answered 404. */
  private missing = new Map<string, ApiError>();
  private list: Listing<Item>;
  private listedTwice = false;
  /** The list was read again: the cache may have items that only the first list had. */
  private isMerged = false;
  /** The first keys of the items in the list. */
  private readonly inList = new Set<string>();
  private singles = 0;
  private confirmations = 0;
  /** All requested keys, cached ones included: they predict how many more will be requested. */
  private askedKeys = new Set<string>();
  private oldestTime = 0;
  /** Counts own writes and drops: an answer requested before one of them is older and must not overwrite it. */
  private clock = 0;
  /** The clock when the list was begun, at the last drop, and at the last own write of each key. */
  private listedAt = 0;
  private droppedAt = 0;
  private writtenAt = new Map<string, number>();
  private waiting = new Map<string, ((answer: Answer<Item>) => void)[]>();
  private flight: Promise<void> | undefined;
  private readonly overlay: Overlay<Item>;
  private askedAgain = 0;
  /** Items whose removal is to be confirmed. */
  private readonly removed = new Set<string>();
  private readonly removals: Gathering;

  constructor(private readonly source: ItemSource<Item>) {
    const { writes } = source;
    this.list = new Listing(source);
    this.overlay = new Overlay(writes);
    const isBusy = () => writes?.isBusy() ?? false;
    this.removals = new Gathering(isBusy, () => this.beginSecondList());
  }

  /** Returns the item, or `undefined` if the service has none; at most `maxAge` milliseconds old (default: any age). */
  async read(key: string, maxAge = Number.POSITIVE_INFINITY): Promise<Item | undefined> {
    this.expire(maxAge);
    this.askedKeys.add(key);
    const item = this.knows(key) ? this.items.get(key) : await this.waitFor(key);
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

  cached(key: string): Item | undefined {
    return this.items.get(key);
  }

  /** Returns all items, at most `maxAge` milliseconds old. */
  async all(maxAge = Number.POSITIVE_INFINITY): Promise<Item[]> {
    this.expire(maxAge);
    for (;;) {
      const outdated = this.outdatedItems();
      if (this.list.complete && outdated.length === 0) break;
      if (this.flight) await this.flight;
      else await this.runAlone(this.list.complete ? this.askAgain(outdated) : this.readPage());
    }
    return [...new Set(this.items.values())];
  }

  /** Caches the answer of an own write. */
  put(item: Item): void {
    for (const key of this.recordWrite(item, item)) {
      this.cacheItem(key, item);
      this.missing.delete(key);
    }
  }

  /** Records that an own write removed the item. */
  remove(item: Item): void {
    for (const key of this.recordWrite(item, undefined)) {
      this.items.delete(key);
      this.absent.add(key);
    }
  }

  /** Records an own write with its result, and returns the keys of the item. */
  private recordWrite(item: Item, result: Item | undefined): readonly string[] {
    this.noteOldestTime();
    this.clock++;
    this.overlay.write(this.idOf(item), result);
    const keys = this.source.keys(item);
    for (const key of keys) this.writtenAt.set(key, this.clock);
    return keys;
  }

  private cacheItem(key: string, item: Item): void {
    this.noteSharedKey(key, item);
    this.items.set(key, item);
    this.absent.delete(key);
  }

  /**
   * Confirms a removal that its answer did not prove. Waits for other such removals, so that one list can answer all of them; returns
   * the item if it is still there after the settle time.
   */
  async confirmRemoval(key: string): Promise<Item | undefined> {
    this.expect(key, null);
    this.removed.add(key);
    await this.removals.join();
    this.forget(key);
    return this.read(key);
  }

  /** Records a write whose answer does not prove it: the next reads wait until they show it, or the settle time is over. */
  expect(key: string, after: Trace): void {
    this.overlay.expect(key, after);
    this.writtenAt.set(key, ++this.clock);
    this.forget(key);
  }

  /**
   * Makes the next reads read the list again: each waiting removal then reads its item. All removals of this batch have arrived by
   * now, because the engine begins further deletions only when those in flight have ended.
   */
  private async beginSecondList(): Promise<void> {
    while (this.flight) await this.flight.catch(() => undefined);
    this.isMerged = true;
    this.list = new Listing(this.source);
  }

  /**
   * Reads an item now and alone. If the answer is older than an own write, the result of the write counts; if that is unknown, the
   * read is repeated.
   */
  async reread(key: string): Promise<Item | undefined> {
    const { single, writes, name } = this.source;
    for (let times = 0; ; times++) {
      const askedAt = this.clock;
      const item = await single?.(key).catch(ignoreNotFound);
      // A write came during the read, so the answer may be older than it.
      if (!this.isNews(key, askedAt)) continue;
      this.forget(key);
      this.storeSingle(key, item, askedAt);
      if (!this.overlay.outdated.has(key)) return this.items.get(key);
      await writes?.pause(times, name);
    }
  }

  /** Whether the whole list was read after the last own write. */
  isCurrent(): boolean {
    return this.list.complete && this.listedAt === this.clock;
  }

  /** Whether the newest list has the cached item, or an own write made it: after a second list, the cache may have items of the first one. */
  isListed(key: string): boolean {
    return !this.isMerged || this.inList.has(key) || this.overlay.hasResult(key);
  }

  showsWrites(keys: readonly string[]): boolean {
    return this.overlay.showsWrites(keys);
  }

  /** Empties the cache, because a write failed or its answer was lost. */
  drop(): void {
    this.droppedAt = ++this.clock;
    this.writtenAt = new Map();
    this.items = new Map();
    this.absent = new Set();
    this.doubted = new Set([...this.doubted].filter((key) => this.waiting.has(key)));
    this.shared = new Map();
    this.missing = new Map();
    this.list = new Listing(this.source);
    this.listedTwice = false;
    this.isMerged = false;
    this.singles = 0;
    this.confirmations = 0;
    this.askedKeys = new Set(this.waiting.keys());
    this.overlay.outdated.clear();
  }

  private expire(maxAge: number): void {
    if (!this.isEmpty() && Date.now() - this.oldestTime > maxAge) this.drop();
  }

  private noteOldestTime(): void {
    if (this.isEmpty()) this.oldestTime = Date.now();
  }

  private isEmpty(): boolean {
    return this.list.pagesAsked + this.singles + this.items.size + this.absent.size === 0;
  }

  /** Whether the answer is older than a write, so that the key must be asked for again. */
  private isOutdated(key: string): boolean {
    const item = this.items.get(key);
    return this.overlay.outdated.has(key) || (item !== undefined && this.overlay.isOverdue(this.idOf(item), item));
  }

  private outdatedItems(): string[] {
    return [...new Set([...this.overlay.outdated, ...this.overlay.written()])].filter((key) => this.isOutdated(key));
  }

  private knows(key: string): boolean {
    if (this.isOutdated(key)) return false;
    if (this.items.has(key) || this.absent.has(key)) return true;
    return this.list.complete && (!this.doubted.has(key) || this.missing.has(key) || this.listedTwice);
  }

  private waitFor(key: string): Promise<Item | undefined> {
    return new Promise((resolve, reject) => {
      const tell = (answer: Answer<Item>) => ("error" in answer ? reject(answer.error) : resolve(answer.item));
      this.waiting.set(key, [...(this.waiting.get(key) ?? []), tell]);
      if (!this.flight) void this.runAlone(this.answerWaiting());
    });
  }

  /** Only one batch of reads is in flight at a time. */
  private runAlone(reading: Promise<void>): Promise<void> {
    this.flight = reading.finally(() => {
      this.flight = undefined;
      if (this.waiting.size > 0) void this.runAlone(this.answerWaiting());
    });
    return this.flight;
  }

  /** Answers all waiting reads, including those that arrive in the meantime. */
  private async answerWaiting(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, gatherTime));
    while (this.waiting.size > 0) {
      try {
        await this.step();
        this.answerContradicted();
        this.answerKnown();
      } catch (error) {
        for (const key of [...this.waiting.keys()]) this.answer(key, { error });
      }
    }
  }

  private async step(): Promise<void> {
    const unanswered = [...this.waiting.keys()].filter((key) => !this.knows(key));
    if (unanswered.length === 0) return;
    this.noteOldestTime();
    const neverAnswered = unanswered.filter((key) => !this.isOutdated(key));
    if (neverAnswered.length === 0) return this.askAgain(unanswered);
    if (this.list.complete) return this.confirmMissing(neverAnswered);
    const { single } = this.source;
    if (single && this.singlesAreBetter(neverAnswered)) await this.readSingles(neverAnswered, single);
    else await this.readPage();
  }

  /** The list is complete, but items that existed before are missing from it. */
  private async confirmMissing(keys: readonly string[]): Promise<void> {
    const { single, confirm = single } = this.source;
    this.confirmations += keys.length;
    if (!confirm || this.confirmations > mostConfirmed) await this.listAgain();
    else await this.readEach(keys, confirm, (key) => void this.absent.add(key));
  }

  /** Reads the list again and merges it into the first one. */
  private async listAgain(): Promise<void> {
    const askedAt = this.clock;
    this.isMerged = true;
    this.list = new Listing(this.source);
    while (!this.list.complete) await this.readPage();
    // After a drop in the meantime, this list is the first one.
    this.listedTwice = askedAt >= this.droppedAt;
  }

  private singlesAreBetter(unknown: readonly string[]): boolean {
    // After a 404 for one of them, only the list can tell whether it is gone.
    if (unknown.some((key) => this.missing.has(key))) return false;
    const { pagesAsked, total } = this.list;
    if (pagesAsked > 0 && (unknown.length > this.pagesLeft() || this.allPagesAreCheap())) return false;
    const afterwards = this.singles + unknown.length;
    const free = this.singles === 0 ? singlesAtOnce : freeSingles;
    return afterwards <= pagesAsked + free || (total !== undefined && afterwards <= total / pageSize);
  }

  /**
   * Whether to read the whole list: the bound of the class allows it, and with so many keys asked, the rest of the list is probably
   * needed.
   */
  private allPagesAreCheap(): boolean {
    if (this.list.total === undefined) return false;
    const pages = Math.ceil(this.list.total / pageSize);
    return this.singles + pages <= 2 * Math.min(this.askedKeys.size, pages) + 2;
  }

  /** Pages left of a partly read list, as far as its `count` tells. */
  private pagesLeft(): number {
    const { pagesAsked, total } = this.list;
    return total === undefined ? Number.POSITIVE_INFINITY : Math.ceil(total / pageSize) - pagesAsked;
  }

  private async readSingles(keys: readonly string[], single: (key: string) => Promise<Item | undefined>) {
    const { isOtherKey = () => false, provesRemoval } = this.source;
    const firstKeys = keys.filter((key) => !isOtherKey(key));
    const otherKeys = keys.filter((key) => isOtherKey(key));
    for (const group of [firstKeys, otherKeys]) {
      // Items of the first group may also have answered keys of the second.
      const unread = group.filter((key) => !this.items.has(key));
      this.singles += unread.length;
      await this.readEach(unread, single, (key, error) => {
        if (provesRemoval && this.removed.has(key)) this.absent.add(key);
        else this.missing.set(key, error);
      });
    }
  }

  /** Reads each item alone. A read that fails with anything but a 404 fails the waiting reads of this item only. */
  private async readEach(
    keys: readonly string[],
    read: (key: string) => Promise<Item | undefined>,
    noteNotFound: (key: string, error: ApiError) => void,
  ): Promise<void> {
    const askedAt = this.clock;
    const fail = (key: string, error: unknown) => {
      if (isNotFound(error)) this.storeAbsence(key, askedAt, () => noteNotFound(key, error));
      else this.answer(key, { error });
    };
    const readOne = async (key: string) => this.storeSingle(key, await read(key), askedAt);
    await Promise.all(keys.map((key) => readOne(key).catch((error) => fail(key, error))));
  }

  private async readPage(): Promise<void> {
    this.noteOldestTime();
    const { list, clock: askedAt } = this;
    if (!list.isBegun) {
      this.listedAt = this.clock;
      this.inList.clear();
    }
    const items = await list.readPage().catch((error) => this.failList(list, error));
    if (askedAt < this.droppedAt) return;
    for (const item of items) {
      this.inList.add(this.idOf(item));
      this.store(item, askedAt, this.source.keys(item));
    }
    if (list.complete) this.noteUnlisted(askedAt);
  }

  /** If a later page cannot be read, its page id may have expired: the next read starts with the first page. */
  private failList(list: Listing<Item>, error: unknown): never {
    if (list.isBegun) this.drop();
    else if (isNotFound(error) && this.missing.size > 0) throw unprovenAbsence(this.source.name, error);
    throw error;
  }

  /** Records the answer to a read of one item. The requested key may be spelled differently than the item's own keys. */
  private storeSingle(key: string, item: Item | undefined, askedAt: number): void {
    if (item === undefined) this.storeAbsence(key, askedAt);
    else this.store(item, askedAt, [...this.source.keys(item), key]);
  }

  private store(answer: Item, askedAt: number, keys: readonly string[]): void {
    const id = this.idOf(answer);
    const item = this.overlay.judge(id, answer);
    if (item === undefined) {
      // It was removed by an own write, unless the answer is too old to say.
      if (!this.overlay.outdated.has(id) && this.isNews(id, askedAt)) this.absent.add(id);
      return;
    }
    for (const key of keys) if (this.isNews(key, askedAt)) this.cacheItem(key, item);
  }

  /** Records that an answer has no such item, unless it is older than a write that made it. */
  private storeAbsence(key: string, askedAt: number, record: () => void = () => this.absent.add(key)): void {
    if (!this.isNews(key, askedAt)) return;
    const item = this.overlay.judge(key, undefined);
    if (item !== undefined) this.items.set(key, item);
    else if (!this.overlay.outdated.has(key)) record();
  }

  /**
   * Lets the overlay judge items that a write has made and a complete list lacks: the list may be older than the write. Notes no
   * absence, which the list alone does not prove.
   */
  private noteUnlisted(askedAt: number): void {
    for (const key of this.overlay.written())
      if (!this.inList.has(key)) this.storeAbsence(key, askedAt, () => undefined);
  }

  /** Asks again for items whose answers were older than a write. Only the first attempt has no pause, if it can read single items. */
  private async askAgain(keys: readonly string[]): Promise<void> {
    const { single, writes, name } = this.source;
    const isSingle = single !== undefined && keys.length <= mostConfirmed;
    if (this.askedAgain > 0 || !isSingle) await writes?.pause(this.askedAgain, name);
    this.askedAgain++;
    for (const key of keys) this.forget(key);
    if (isSingle) await this.readSingles(keys, single);
    else await this.listAgain();
    if (this.overlay.outdated.size === 0) this.askedAgain = 0;
  }

  private forget(key: string): void {
    this.overlay.outdated.delete(key);
    this.items.delete(key);
    this.absent.delete(key);
    this.missing.delete(key);
  }

  private idOf(item: Item): string {
    return this.source.keys(item)[0] ?? "";
  }

  /** Remembers a key that two items share: it does not identify either of them. */
  private noteSharedKey(key: string, item: Item): void {
    const before = this.items.get(key);
    if (before === undefined || !this.source.ambiguous) return;
    const ids = [this.idOf(before), this.idOf(item)];
    if (ids[0] !== ids[1]) this.shared.set(key, [...new Set([...(this.shared.get(key) ?? []), ...ids])]);
  }

  /** Whether the answer is newer than the last own write of the key, and requested after the last drop. */
  private isNews(key: string, askedAt: number): boolean {
    return askedAt >= this.droppedAt && askedAt >= (this.writtenAt.get(key) ?? 0);
  }

  /** An item that answers 404 but is in the list is neither known to exist nor known to be gone. */
  private answerContradicted(): void {
    const contradicted = [...this.missing].filter(([key]) => this.waiting.has(key) && this.items.has(key));
    for (const [key, error] of contradicted) {
      error.message += ` The list of ${this.source.name} still contains it, so it is not treated as deleted; try again.`;
      this.answer(key, { error });
    }
    // Other waiting reads are answered first; a retry of these keys then reaches the service.
    if (contradicted.length === 0) return;
    this.answerKnown();
    this.drop();
  }

  private answerKnown(): void {
    // The item is part of the answer: a write may drop the cache before the waiting read resumes.
    for (const key of [...this.waiting.keys()]) if (this.knows(key)) this.answer(key, { item: this.items.get(key) });
  }

  private answer(key: string, answer: Answer<Item>): void {
    const waiting = this.waiting.get(key) ?? [];
    this.waiting.delete(key);
    for (const tell of waiting) tell(answer);
  }
}

/** The error if the list that would prove an item gone answers 404 itself. */
export function unprovenAbsence(name: string, cause: ApiError): DocsError {
  return new DocsError(
    `the service also answers 404 to ${name}, so nothing is treated as deleted; check that DOCS_BASE_URL or ` +
      "docs:baseUrl, the organization and the token belong together",
    { cause },
  );
}
