import { isDeepStrictEqual } from "node:util";
import { shownValue } from "../../text/mistakes";
import { DocsError } from "./errors";

export interface Page<Item> {
  readonly items: Item[];
  readonly next?: { readonly page?: string | undefined } | null | undefined;
  readonly count?: number | undefined;
}

/** Bounds of one list, far above real lists: a page has at most 1,000 items, and 1,000 members take half a MiB. */
const mostPages = 20_000;
const mostItems = 500_000;
/** Consecutive pages without a new item. A service that filters after paging returns a few such pages. */
const mostFruitless = 100;

/** Follows the pages of one list, and throws if the list has no end. */
export class Paging {
  private readonly followed = new Set<string>();
  private pages = 0;
  private items = 0;
  private fruitless = 0;
  private last: readonly unknown[] = [];

  /** `attempted` completes the sentence "could not". */
  constructor(private readonly attempted: string) {}

  /** Returns the id of the next page, `undefined` after the last. */
  after(page: Page<unknown>): string | undefined {
    const next = page.next?.page;
    if (!next) return undefined;
    this.count(page);
    const reason = this.followed.has(next) ? `the service returned page ${shownValue(next)} twice` : this.excess();
    if (reason !== undefined)
      throw new DocsError(
        `could not ${this.attempted}: ${reason} (pagination loop); check the service and any cache or gateway in front of it, ` +
          "and try again",
      );
    this.followed.add(next);
    return next;
  }

  private count(page: Page<unknown>): void {
    this.pages++;
    this.items += page.items.length;
    const isNew = page.items.length > 0 && !isDeepStrictEqual(page.items, this.last);
    this.fruitless = isNew ? 0 : this.fruitless + 1;
    this.last = page.items;
  }

  private excess(): string | undefined {
    if (this.fruitless >= mostFruitless)
      return `${mostFruitless} consecutive pages had no new item, and another page follows`;
    if (this.pages >= mostPages) return `a page follows after ${mostPages} pages`;
    if (this.items >= mostItems) return `a page follows after ${this.items} items`;
    return undefined;
  }
}

/**
 * A list of the service. Awaiting it reads one page (the one that the call asked for). Iterating over it yields all items from
 * that page on; further pages are read as they are needed.
 */
export class List<Item, First extends Page<Item> = Page<Item>> implements PromiseLike<First>, AsyncIterable<Item> {
  constructor(
    private readonly attempted: string,
    private readonly read: (page?: string) => Promise<First>,
  ) {}

  then<A = First, B = never>(
    onPage?: ((page: First) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.read().then(onPage, onError);
  }

  async *pages(): AsyncGenerator<First> {
    const paging = new Paging(this.attempted);
    let page = await this.read();
    for (;;) {
      yield page;
      const next = paging.after(page);
      if (next === undefined) return;
      page = await this.read(next);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for await (const page of this.pages()) yield* page.items;
  }

  /** Reads all items, from the requested page on, into one array. */
  async all(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const page of this.pages()) for (const item of page.items) items.push(item);
    return items;
  }
}
