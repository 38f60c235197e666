import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { BatchedReader, type ItemSource } from "../../../provider/api/cache/batched-reader";
import { ApiError } from "../../../provider/api/http/errors";

interface Thing {
  readonly id: string;
}

/** A collection that counts requests. Its pages have the `count` of all things, that of the page, or none. */
function collectionOf(size: number, count: "total" | "page" | "absent", { onlyList = false } = {}) {
  const asked = { pages: 0, singles: 0 };
  const things = Array.from({ length: size }, (_, nth): Thing => ({ id: `id_${nth}` }));
  const source: ItemSource<Thing> = {
    name: "the things",
    page: async (page = "0") => {
      asked.pages++;
      const from = Number(page);
      const items = things.slice(from, from + 1000);
      const more = from + 1000 < size && { next: { page: String(from + 1000) } };
      const counted = { total: size, page: items.length, absent: undefined }[count];
      return { items, ...more, ...(counted !== undefined && { count: counted }) };
    },
    ...(!onlyList && {
      single: async (key: string) => {
        asked.singles++;
        return things.find(({ id }) => id === key);
      },
    }),
    keys: ({ id }) => [id],
  };
  return { source, asked, pages: Math.max(1, Math.ceil(size / 1000)) };
}

afterEach(() => void vi.useRealTimers());

describe("batched reads", () => {
  it("never needs more than twice the best choice plus two requests, and returns the live values", async () => {
    const reads = fc.array(fc.array(fc.integer({ min: 0, max: 9_999 }), { minLength: 1, maxLength: 60 }), {
      maxLength: 8,
    });
    const sizes = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 900, max: 9_000 }));
    await fc.assert(
      fc.asyncProperty(
        sizes,
        fc.constantFrom("total", "page", "absent" as const),
        reads,
        async (size, count, bursts) => {
          const { source, asked, pages } = collectionOf(size, count as "total" | "page" | "absent");
          const reader = new BatchedReader(source);
          const keys = new Set<string>();
          for (const burst of bursts) {
            const found = await Promise.all(
              burst.map(async (nth) => {
                // The last five do not exist.
                const number = nth % (size + 5);
                keys.add(`id_${number}`);
                return [number, await reader.read(`id_${number}`)] as const;
              }),
            );
            for (const [number, thing] of found) expect(thing?.id).toBe(number < size ? `id_${number}` : undefined);
          }
          const best = Math.min(keys.size, pages);
          expect(asked.pages + asked.singles).toBeLessThanOrEqual(2 * best + 2);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("reads an item again that is written while it is read", async () => {
    const { source, asked } = collectionOf(5, "total");
    const reader = new BatchedReader(source);
    const reading = reader.reread("id_1");
    reader.put({ id: "id_1" });
    expect(await reading).toEqual({ id: "id_1" });
    expect(asked.singles).toBe(2);
  });

  it("applies the maximum age also to results of its own writes", async () => {
    const { source, asked } = collectionOf(5, "total", { onlyList: true });
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    const reader = new BatchedReader(source);
    reader.put({ id: "id_new" });
    reader.remove({ id: "id_1" });
    vi.setSystemTime(30_000);
    expect(await reader.read("id_new", 30_000)).toEqual({ id: "id_new" });
    expect(asked.pages).toBe(0);
    vi.setSystemTime(30_001);
    expect(await reader.read("id_new", 30_000)).toBeUndefined();
    expect(await reader.read("id_1", 30_000)).toEqual({ id: "id_1" });
    expect(asked.pages).toBe(1);
  });

  it.each([
    [3, 50_000, "total", { pages: 0, singles: 3 }],
    [1, 50_000, "total", { pages: 0, singles: 1 }],
    [1_000, 10_000, "total", { pages: 10, singles: 0 }],
    [1_000, 1_000, "absent", { pages: 1, singles: 0 }],
  ] as const)("reads %i of %i (count %s) with %j", async (reads, size, count, expected) => {
    const { source, asked } = collectionOf(size, count);
    const reader = new BatchedReader(source);
    const step = Math.floor(size / reads);
    await Promise.all(Array.from({ length: reads }, (_, nth) => reader.read(`id_${size - 1 - nth * step}`)));
    expect(asked).toEqual(expected);
  });

  it.each([1, 3, 8])("soon reads the list instead of single items, with %i reads at once", async (atOnce) => {
    const { source, asked } = collectionOf(10_000, "total");
    const reader = new BatchedReader(source);
    for (let nth = 0; nth < 1000; nth += atOnce) {
      const burst = Array.from({ length: atOnce }, (_, place) => reader.read(`id_${(nth + place) * 10 + 5}`));
      await Promise.all(burst);
    }
    expect(asked.pages).toBe(10);
    // The first reads are single: nothing shows yet that more will follow.
    expect(asked.singles).toBeLessThanOrEqual(atOnce === 3 ? 3 : 2);
  });

  it("reads the last page rather than its items one by one", async () => {
    const { source, asked } = collectionOf(10_012, "total");
    const reader = new BatchedReader(source);
    await Promise.all(Array.from({ length: 10_012 }, (_, nth) => reader.read(`id_${nth}`)));
    expect(asked).toEqual({ pages: 11, singles: 0 });
  });

  it("without single reads, reads a collection once for all callers", async () => {
    const { source, asked } = collectionOf(1_500, "page", { onlyList: true });
    const reader = new BatchedReader(source);
    await Promise.all(Array.from({ length: 100 }, (_, nth) => reader.read(`id_${nth * 20}`)));
    expect(await reader.read("nobody")).toBeUndefined();
    expect(asked).toEqual({ pages: 2, singles: 0 });
  });

  it.each([
    [0, 1],
    [1, 0],
  ])("reads an item once that two callers want by id and by e-mail", async (first, second) => {
    const { source, asked } = collectionOf(10, "total");
    const single = (key: string) => source.single?.(key.replace("@acme.test", "")) ?? Promise.resolve(undefined);
    const reader = new BatchedReader<Thing>({
      ...source,
      single,
      keys: ({ id }) => [id, `${id}@acme.test`],
      isOtherKey: (key) => key.includes("@"),
    });
    const names = ["id_1", "id_1@acme.test"];
    const found = await Promise.all([names[first], names[second]].map((name = "") => reader.read(name)));
    expect(found).toEqual([{ id: "id_1" }, { id: "id_1" }]);
    expect(asked).toEqual({ pages: 0, singles: 1 });
  });

  it("asks again for an item whose answer turns out to be older than a write, also for the whole list", async () => {
    const roles: Record<string, string> = { one: "old", two: "same" };
    const thingOf = (id: string) => ({ id, role: roles[id] ?? expect.unreachable() });
    let written: readonly string[] = [];
    const source: ItemSource<{ readonly id: string; readonly role: string }> = {
      name: "the things",
      page: async () => ({ items: [thingOf("one"), thingOf("two")] }),
      single: async (key) => thingOf(key),
      keys: ({ id }) => [id],
      writes: {
        trace: ({ role }) => role,
        note: () => undefined,
        isOld: (key, shown) => written.includes(key) && shown === "old",
        written: () => written,
        pause: async () => undefined,
        isBusy: () => false,
      },
    };
    for (const isWhole of [false, true]) {
      [roles.one, written] = ["old", []];
      const reader = new BatchedReader(source);
      await reader.all();
      [roles.one, written] = ["new", ["one"]];
      const found = isWhole ? await reader.all() : [await reader.read("one"), await reader.read("two")];
      expect(found.map((thing) => thing?.role).sort()).toEqual(["new", "same"]);
    }
  });

  it("caches own writes, and drops everything if one is unclear", async () => {
    const { source, asked } = collectionOf(10, "total", { onlyList: true });
    const reader = new BatchedReader(source);
    expect(await reader.all()).toHaveLength(10);
    reader.put({ id: "new" });
    reader.remove({ id: "id_3" });
    expect(await reader.read("new")).toEqual({ id: "new" });
    expect(await reader.read("id_3")).toBeUndefined();
    expect(asked.pages).toBe(1);
    reader.drop();
    expect(await reader.read("id_3")).toEqual({ id: "id_3" });
    expect(asked.pages).toBe(2);
  });

  it("prefers an own write to an answer that was requested before it", async () => {
    const { source } = collectionOf(10, "total", { onlyList: true });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow: ItemSource<Thing> = {
      ...source,
      page: async (page) => {
        const answer = await source.page(page);
        await held;
        return answer;
      },
    };
    const reader = new BatchedReader(slow);
    const reading = reader.read("id_3");
    await new Promise((resolve) => setTimeout(resolve, 20));
    reader.remove({ id: "id_3" });
    release();
    expect(await reading).toBeUndefined();
    expect(await reader.read("id_4")).toEqual({ id: "id_4" });
  });

  it("reads again what is older than is allowed", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    const { source, asked } = collectionOf(10, "total", { onlyList: true });
    const reader = new BatchedReader(source);
    await reader.read("id_1");
    vi.setSystemTime(30_000);
    await reader.read("id_1", 30_000);
    expect(asked.pages).toBe(1);
    vi.setSystemTime(30_001);
    await reader.read("id_1");
    expect(asked.pages).toBe(1);
    await reader.read("id_1", 30_000);
    expect(asked.pages).toBe(2);
  });

  it("stops at a pagination loop, and starts again if a page no longer exists", async () => {
    const endless = new BatchedReader<Thing>({
      name: "the things",
      page: async () => ({ items: [], next: { page: "again" } }),
      keys: ({ id }) => [id],
    });
    await expect(endless.read("id_1")).rejects.toThrow('returned page "again" twice');
    const asked: (string | undefined)[] = [];
    const broken = new BatchedReader<Thing>({
      name: "the things",
      page: async (page) => {
        asked.push(page);
        if (page) throw new Error("no such page");
        return { items: [], next: { page: "old" } };
      },
      keys: ({ id }) => [id],
    });
    for (const _ of [1, 2]) await expect(broken.read("id_1")).rejects.toThrow("no such page");
    expect(asked).toEqual([undefined, "old", undefined, "old"]);
  });

  it("reads the list once for all callers", async () => {
    const { source, asked } = collectionOf(3_500, "total", { onlyList: true });
    const reader = new BatchedReader(source);
    await Promise.all([reader.all(), reader.read("id_3400"), reader.all(), reader.read("nobody")]);
    expect(asked.pages).toBe(4);
  });

  it("fails the waiting reads, and tries again for the next one", async () => {
    const { source } = collectionOf(10, "total");
    let broken = true;
    const reader = new BatchedReader({
      ...source,
      single: async (key) => {
        if (broken) throw new Error("no answer");
        return source.single?.(key);
      },
    });
    await expect(reader.read("id_1")).rejects.toThrow("no answer");
    broken = false;
    expect(await reader.read("id_1")).toEqual({ id: "id_1" });
  });

  describe("a read that answers 404", () => {
    const notFound = () => new ApiError("read thing", 404, "not found");
    const without = (id: string, options: Partial<ItemSource<Thing>> = {}) => {
      const { source, asked } = collectionOf(2_500, "total");
      const single = async (key: string) => {
        asked.singles++;
        if (key === id) throw notFound();
        return { id: key };
      };
      return { reader: new BatchedReader({ ...source, single, ...options }), asked };
    };

    it("means gone only if the list does not have the object either", async () => {
      const { reader, asked } = without("gone");
      expect(await reader.read("gone")).toBeUndefined();
      expect(asked).toEqual({ singles: 1, pages: 3 });
    });

    it("is an error for all waiting callers if the list has the object; the next caller asks again", async () => {
      const { reader, asked } = without("id_2");
      const both = await Promise.allSettled([reader.read("id_2"), reader.read("id_2"), reader.read("id_3")]);
      const words = /The list of the things still contains it/;
      expect(both.map((one) => (one.status === "rejected" ? String(one.reason) : one.value))).toEqual([
        expect.stringMatching(words),
        expect.stringMatching(words),
        { id: "id_3" },
      ]);
      asked.singles = 0;
      await expect(reader.read("id_2")).rejects.toThrow(words);
      expect(asked.singles).toBe(1);
    });

    it("is an error if there is no list", async () => {
      const { reader } = without("gone", { page: () => Promise.reject(notFound()) });
      await expect(reader.read("gone")).rejects.toHaveWording("a list that is not found");
    });
  });

  it("gives each waiting read its own item", async () => {
    const { source } = collectionOf(10, "total");
    const single = async (key: string) => {
      if (key === "id_1") throw new Error("no answer");
      return source.single?.(key);
    };
    const reader = new BatchedReader({ ...source, single });
    const [one, two] = await Promise.allSettled([reader.read("id_1"), reader.read("id_2")]);
    expect(one.status).toBe("rejected");
    expect(two).toMatchObject({ value: { id: "id_2" } });
  });
});
