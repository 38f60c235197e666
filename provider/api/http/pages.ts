import { shown } from "../../text/mistakes";
import { DocsError } from "./errors";

export interface Page<Item> {
  readonly items: Item[];
  readonly next?: { readonly page?: string | undefined } | null | undefined;
  readonly count?: number | undefined;
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
    const seen = new Set<string>();
    let page = await this.read();
    for (;;) {
      yield page;
      const next = page.next?.page;
      if (!next) return;
      if (seen.has(next)) {
        throw new DocsError(
          `could not ${this.what}: the service named page ${shown(next)} twice, so the list has no end`,
        );
      }
      seen.add(next);
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
