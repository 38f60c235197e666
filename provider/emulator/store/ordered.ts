/** Records in an order that is kept between requests instead of sorting for each one. */
export class Ordered<R extends { readonly id: string }> {
  private readonly list: R[] = [];
  private grown = false;

  /** Records are ordered by `text`, those with equal texts by id. */
  constructor(
    readonly text: (record: R) => string,
    /** Whether the text of a record can change, because tests may set its property directly. */
    private readonly mayChange: boolean,
  ) {}

  add(record: R): void {
    this.list.push(record);
    this.grown = true;
  }

  remove(record: R): void {
    const index = this.list.indexOf(record);
    if (index >= 0) this.list.splice(index, 1);
  }

  /** All records, ascending. Checking the order is much cheaper than sorting. */
  read(): readonly R[] {
    if ((this.grown || this.mayChange) && !this.isInOrder()) this.list.sort((a, b) => this.compare(a, b));
    this.grown = false;
    return this.list;
  }

  private isInOrder(): boolean {
    let [before, text]: [R | undefined, string] = [undefined, ""];
    for (const record of this.list) {
      const next = this.text(record);
      if (before && (next < text || (next === text && record.id < before.id))) return false;
      before = record;
      text = next;
    }
    return true;
  }

  private compare(a: R, b: R): number {
    const [one, other] = [this.text(a), this.text(b)];
    if (one === other) return a.id < b.id ? -1 : 1;
    return one < other ? -1 : 1;
  }
}
