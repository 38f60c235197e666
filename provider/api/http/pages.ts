import { isDeepStrictEqual } from "node:util";
import { shown } from "../../text/mistakes";
import { DocsError } from "./errors";

export interface Page<Item> {
  readonly items: Item[];
  readonly next?: { readonly page?: string | undefined } | null | undefined;
  readonly count?: number | undefined;
}

/** Bounds of one list. A page has up to 1,000 items, and one of 1,000 members has half a MiB: no list is this long. */
const mostPages = 20_000;
const mostItems = 500_000;
const mostCharacters = 2 ** 28;
/** Pages in a row without a new item: a service that filters after it has cut the pages answers some. */
const mostFruitless = 100;

/** The length of the text of a page, as long as somebody has the page. */
const lengths = new WeakMap<object, number>();

/** Remembers how long the text of a page was, which {@link Paging} counts. */
export function noteLength<P extends object>(page: P, characters: number): P {
  lengths.set(page, characters);
  return page;
}

/** Follows the pages of one list, and refuses a list that goes on for ever. */
export class Paging {
  private readonly named = new Set<string>();
  private pages = 0;
  private items = 0;
  private characters = 0;
  private fruitless = 0;
  private last: readonly unknown[] = [];

  /** `attempted` completes the sentence "could not". */
  constructor(private readonly attempted: string) {}

  /** The page after this one, `undefined` after the last. */
  after(page: Page<unknown>): string | undefined {
    const next = page.next?.page;
    if (!next) return undefined;
    this.count(page);
    const reason = this.named.has(next) ? `the service named page ${shown(next)} twice` : this.excess();
    if (reason !== undefined) throw this.endless(reason);
    this.named.add(next);
    return next;
  }

  private count(page: Page<unknown>): void {
    this.pages++;
    this.items += page.items.length;
    this.characters += lengths.get(page) ?? 0;
    const isNew = page.items.length > 0 && !isDeepStrictEqual(page.items, this.last);
    this.fruitless = isNew ? 0 : this.fruitless + 1;
    this.last = page.items;
  }

  private excess(): string | undefined {
    if (this.fruitless >= mostFruitless)
      return `${mostFruitless} pages in a row had no new item, and another page follows`;
    if (this.pages >= mostPages) return `a page follows after ${mostPages} pages`;
    if (this.items >= mostItems) return `a page follows after ${this.items} items`;
    if (this.characters >= mostCharacters) return `a page follows after ${this.characters} characters`;
    return undefined;
  }

  private endless(reason: string): DocsError {
    return new DocsError(
      `could not ${this.attempted}: ${reason}, so the list has no end; check the service and what stands in front of it, ` +
        "and try again",
    );
  }
}

/**
 * A list of the service. Awaiting it reads one page (the one that the call asked for); iterating over it reads all items
 * from there on, page by page, as they are needed.
 */
export class List<Item, First extends Page<Item> = Page<Item>> implements PromiseLike<First>, AsyncIterable<Item> {
  constructor(
    private readonly what: string,
    private readonly read: (page?: string) => Promise<First>,
  ) {}

  then<A = First, B = never>(
    onPage?: ((page: First) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.read().then(onPage, onError);
  }

  async *pages(): AsyncGenerator<First> {
    const paging = new Paging(this.what);
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

  /** All items from the asked page on, in one array. */
  async all(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const page of this.pages()) for (const item of page.items) items.push(item);
    return items;
  }
}
