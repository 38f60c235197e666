import { type Page, Paging } from "../http/pages";

export interface ListSource<Item> {
  /** Name of the collection in messages: `the sites of organization org_1`. */
  readonly name: string;
  /** Reads a page of the list; the first one if `page` is omitted. */
  readonly page: (page?: string) => PromiseLike<Page<Item>>;
}

export class Listing<Item> {
  pagesAsked = 0;
  complete = false;
  /** The number of items in the whole list, if its answers tell. */
  total: number | undefined;
  private next: string | undefined;
  private readonly paging: Paging;

  constructor(private readonly source: ListSource<Item>) {
    this.paging = new Paging(`read ${source.name}`);
  }

  /** Whether a page was read and others follow. */
  get isBegun(): boolean {
    return this.next !== undefined;
  }

  async readPage(): Promise<readonly Item[]> {
    this.pagesAsked++;
    const page = await this.source.page(this.next);
    const { items, count } = page;
    this.next = this.paging.after(page);
    this.complete = this.next === undefined;
    // A count that does not exceed the page may be the count of this page only.
    if (count !== undefined && count > items.length) this.total = count;
    return items;
  }
}
