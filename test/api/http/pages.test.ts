import { describe, expect, it } from "vitest";
import { BatchedReader } from "../../../provider/api/cache/batched-reader";
import { List, type Page } from "../../../provider/api/http/pages";

/** Lists that name a new page for ever: each ends with an error, and what is read until then has a bound. */

interface Thing {
  readonly id: string;
}
type Endless = (nth: number) => Page<Thing>;

const page = (nth: number, items: Thing[]): Page<Thing> => ({ items, next: { page: `page_${nth}` } });
const things = (nth: number, count: number) => Array.from({ length: count }, (_, index) => ({ id: `${nth}_${index}` }));

const lists: [name: string, answer: Endless, reason: RegExp, pagesRead: number][] = [
  ["empty pages", (nth) => page(nth, []), /100 consecutive pages had no new item/, 100],
  ["the same item on each page", (nth) => page(nth, [{ id: "one" }]), /100 consecutive pages had no new item/, 101],
  ["a new item on each page", (nth) => page(nth, things(nth, 1)), /after 20000 pages/, 20_000],
  ["full pages", (nth) => page(nth, things(nth, 1000)), /after 500000 items/, 500],
];

describe.each(lists)("a list without an end: %s", (_, answer, reason, pagesRead) => {
  let read = 0;
  const next = async () => answer(++read);

  it("ends for a caller that iterates", async () => {
    read = 0;
    const list = new List("list the things", next);
    const ended = async () => {
      for await (const _item of list);
    };
    const error: Error = await ended().catch((error) => error);
    expect(error.message).toMatch(reason);
    expect(error.message).toMatch(/^could not list .* \(pagination loop\);/);
    expect(read).toBe(pagesRead);
  });

  it("ends for resources", async () => {
    read = 0;
    const snapshot = new BatchedReader<Thing>({ name: "the things", page: next, keys: ({ id }) => [id] });
    const error: Error = await snapshot.read("missing").catch((error) => error);
    expect(error.message).toMatch(reason);
    expect(error.message).toMatch(/^could not read the things/);
    expect(read).toBe(pagesRead);
  });
});

it("a list with some empty pages is read completely", async () => {
  let read = 0;
  const next = async (): Promise<Page<Thing>> => {
    read++;
    if (read > 990) return { items: [{ id: "last" }] };
    return page(read, read % 99 === 0 ? [{ id: `${read}` }] : []);
  };
  expect(await new List("list the things", next).all()).toHaveLength(11);
});

it("the next reader of an endless list starts again", async () => {
  let read = 0;
  const endless = async () => page(++read, []);
  const snapshot = new BatchedReader<Thing>({ name: "the things", page: endless, keys: ({ id }) => [id] });
  for (const reads of [100, 200]) {
    await expect(snapshot.all()).rejects.toThrow("pagination loop");
    expect(read).toBe(reads);
  }
});
