/** What a read shows of one subject, in short: a role, or a digest of an object. `null` means that it does not exist. */
export type Trace = string | null;

/** The recent writes of a run and of earlier ones: an answer may be older than them. */
export interface RecentWrites<Item> {
  /** What an answer shows of an item, in short: equal texts are equal items. */
  readonly trace: (item: Item) => string;
  readonly note: (key: string, before: Trace, after: Trace) => void;
  /** Whether the answer shows what was there before a recent write. */
  readonly isOld: (key: string, shown: Trace) => boolean;
  /** First keys of the items that a recent write has created or changed. */
  readonly written: () => Iterable<string>;
  /** Waits before a question is asked again for the nth time. */
  readonly pause: (times: number, name: string) => Promise<void>;
  readonly isBusy: () => boolean;
}

/**
 * Lays own writes over reads: the result of a write counts instead of an answer that is older. The overlay outlives the cache, to
 * recognize such answers. Keys are the first keys of items.
 */
export class Overlay<Item> {
  private readonly lastShown = new Map<string, Trace>();
  private readonly results = new Map<string, Item | undefined>();
  /** Items whose last answer was older than an own write. */
  private readonly overruled = new Set<string>();
  /** Items whose last answer was older than a write of unknown result: they must be asked for again. */
  readonly outdated = new Set<string>();

  constructor(private readonly writes: RecentWrites<Item> | undefined) {}

  /** What counts: the answer, or the result of an own write if the answer is older. If that is unknown, the item becomes `outdated`. */
  judge(key: string, answer: Item | undefined): Item | undefined {
    if (!this.writes) return answer;
    const shown = answer === undefined ? null : this.writes.trace(answer);
    this.outdated.delete(key);
    if (!this.writes.isOld(key, shown)) {
      this.overruled.delete(key);
      this.lastShown.set(key, shown);
      return answer;
    }
    this.overruled.add(key);
    if (!this.results.has(key)) this.outdated.add(key);
    return this.results.get(key);
  }

  /** Whether a cached answer is older than a recent write, which the state of a resource may have shown after the answer. */
  isOverdue(key: string, item: Item): boolean {
    return this.writes?.isOld(key, this.writes.trace(item)) === true && this.results.get(key) !== item;
  }

  write(key: string, result: Item | undefined): void {
    const after = result && this.writes ? this.writes.trace(result) : null;
    this.expect(key, after);
    this.lastShown.set(key, after);
    this.results.set(key, result);
  }

  /** Records a write whose answer does not prove its result. */
  expect(key: string, after: Trace): void {
    this.writes?.note(key, this.lastShown.get(key) ?? null, after);
    this.results.delete(key);
    this.outdated.delete(key);
  }

  /** First keys of the items that a list may lack because it is older than their creation. */
  written(): Iterable<string> {
    return new Set([...this.overruled, ...(this.writes?.written() ?? [])]);
  }

  hasResult(key: string): boolean {
    return this.results.get(key) !== undefined;
  }

  /** Whether the last answers show the results of own writes. */
  showsWrites(keys: readonly string[]): boolean {
    return !keys.some((key) => this.overruled.has(key));
  }
}
