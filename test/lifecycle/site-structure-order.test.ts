import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Client } from "../../provider/api/client";
import type { Seed } from "../../provider/emulator";
import type { SectionNode, SiteRecord } from "../../provider/emulator/sites/record";
import { unknownValue } from "../../provider/run/properties";
import { failureOf } from "../support/failure";
import type { Properties } from "../support/protocol-provider";
import { lifecycleContract, startBench, type Write } from "./contract";

type Pointer = Parameters<Client["sortSiteStructure"]>[0]["body"]["item"];
const section = (id: string): Pointer => ({ type: "site-section", id });
const group = (id: string): Pointer => ({ type: "site-section-group", id });
const space = (id: string): Pointer => ({ type: "site-space", id });

const at = (siteId: string) => ({ organizationId: "acme", siteId });
const sort = (item: Pointer, position: { before?: Pointer; after?: Pointer }, siteId = "site_1"): Write => [
  "PATCH",
  `/v1/orgs/acme/sites/${siteId}/structure/sort`,
  { item, position },
];

lifecycleContract({
  resource: "SiteStructureOrder",
  inputs: { siteId: "site_product", order: ["section_guides", "group_developers"] },
  properties: [
    {
      name: "order",
      to: ["group_developers", "section_guides"],
      writes: [sort(group("group_developers"), { before: section("section_guides") }, "site_product")],
      corrects: [sort(section("section_guides"), { before: group("group_developers") }, "site_product")],
      drift: (client, siteId) =>
        client.sortSiteStructure({ ...at(siteId), body: { item: section("section_guides"), position: {} } }),
    },
  ],
});

const spaces = (...ids: string[]) => ids.map((id) => ({ id, space: "guides", title: id }));

/** Sites: one with sections and a group of one section and one group; two with site spaces alone; one that is not published. */
const seed: Seed = {
  organizations: {
    acme: {
      spaces: ["guides", "two", "handbook", "faq"].map((id) => ({ id, title: id })),
      sites: [
        {
          id: "site_1",
          published: true,
          sections: [
            { id: "start", title: "Start", spaces: spaces("en", "de", "fr", "it") },
            { id: "guide", title: "Guide", spaces: spaces("guide_en") },
            {
              id: "dev",
              title: "Developers",
              sections: [
                { id: "api", title: "API", spaces: spaces("api_v1", "api_v2") },
                {
                  id: "sdk",
                  title: "SDKs",
                  sections: [
                    { id: "js", title: "JavaScript" },
                    { id: "go", title: "Go" },
                  ].map((one) => ({ ...one, spaces: [] })),
                },
              ],
            },
            { id: "news", title: "News", spaces: [] },
          ],
        },
        { id: "site_flat", published: true, spaces: spaces("one", "two", "three") },
        {
          id: "site_spaces",
          published: true,
          spaces: [
            // The id of this site space is that of another space of the site.
            { id: "two", space: "handbook", title: "Handbook" },
            { id: "three", space: "faq", title: "FAQ" },
            { id: "four", space: "two", title: "Two" },
            { id: "five", space: "guides", title: "Guides" },
            { id: "six", space: "guides", title: "Guides again" },
          ],
        },
        { id: "site_draft", spaces: spaces("hidden", "secret") },
      ],
    },
  },
};

describe("SiteStructureOrder", () => {
  let bench: Awaited<ReturnType<typeof startBench>>;
  let asSeeded: Map<string, SiteRecord>;
  const sites = () => bench.organization.sites;
  beforeAll(async () => {
    bench = await startBench("SiteStructureOrder", { seed });
    asSeeded = structuredClone(sites());
  });
  afterAll(() => bench.stop());
  beforeEach(() => {
    for (const [id, site] of structuredClone(asSeeded)) sites().set(id, site);
    bench.emulator.clearFaults();
    bench.emulator.resetRequests();
  });

  const site = (id = "site_1") => sites().get(id) as SiteRecord;
  const top = (id?: string) => site(id).structure.map((node) => node.id);
  const check = async (inputs: Properties) => (await bench.provider.check({}, inputs)).failures;
  const create = async (inputs: Properties) => {
    const { id, properties } = await bench.provider.create({ siteId: "site_1", ...inputs });
    return { id, state: properties, writes: bench.takeWrites() };
  };
  const read = async (id: string, state: Properties) => (await bench.provider.read(id, state))?.inputs.order;

  /** What is sent to bring back the order that was live when it was declared. */
  const corrections: readonly { what: string; drift: [Pointer, object][]; order: unknown; writes: Write[] }[] = [
    {
      what: "a whole level turned around",
      drift: [
        [section("guide"), { before: section("start") }],
        [group("dev"), { before: section("guide") }],
        [section("news"), { before: group("dev") }],
      ],
      order: ["start", "guide", "dev", "news"],
      writes: [
        sort(section("start"), { before: section("news") }),
        sort(section("guide"), { after: section("start") }),
        sort(group("dev"), { after: section("guide") }),
      ],
    },
    {
      what: "site spaces of a section",
      drift: [[space("en"), {}]],
      order: [{ id: "start", order: ["en", "de"] }],
      writes: [sort(space("en"), { before: space("de") })],
    },
    {
      what: "a group in a group, and what is inside it",
      drift: [
        [group("sdk"), { before: section("api") }],
        [section("go"), { before: section("js") }],
      ],
      order: [{ id: "start", order: [] }, "guide", { id: "dev", order: ["api", { id: "sdk", order: ["js", "go"] }] }],
      writes: [sort(section("api"), { before: group("sdk") }), sort(section("js"), { before: section("go") })],
    },
  ];

  it.each(corrections)("corrects $what with these writes and no other", async ({ drift, order, writes }) => {
    const { id, state, writes: none } = await create({ order });
    expect(none).toEqual([]);
    const before = JSON.stringify(site().structure);
    for (const [item, position] of drift) {
      await bench.client.sortSiteStructure({ ...at("site_1"), body: { item, position } });
    }
    bench.takeWrites();
    const drifted = await bench.provider.read(id, state);
    expect(drifted?.inputs.order).not.toEqual(order);
    expect((await bench.provider.diff(id, drifted?.properties ?? {}, { siteId: "site_1", order })).changes).toBe(true);
    const after = await bench.provider.update(id, drifted?.properties ?? {}, { siteId: "site_1", order });
    expect(bench.takeWrites()).toEqual(writes);
    expect(after.order).toEqual(order);
    expect(JSON.stringify(site().structure)).toBe(before);
  });

  it("reads once if nothing must be moved, and once more after the moves", async () => {
    bench.emulator.resetRequests();
    await bench.provider.create({ siteId: "site_1", order: ["start"] });
    expect(bench.emulator.requests()).toMatchObject({ getPublishedSite: 1 });
    bench.emulator.resetRequests();
    await bench.provider.create({ siteId: "site_1", order: ["news", "dev"] });
    expect(bench.emulator.requests()).toMatchObject({ getPublishedSite: 2, sortSiteStructure: 2 });
  });

  it("sorts the site spaces of a site without sections", async () => {
    const { writes } = await create({ siteId: "site_flat", order: ["three", "one"] });
    expect(writes).toEqual([sort(space("three"), { before: space("one") }, "site_flat")]);
    expect(top("site_flat")).toEqual(["three", "one", "two"]);
  });

  describe("the id of a space", () => {
    const siteId = "site_spaces";
    const ofSite = (order: unknown) => ({ siteId, order });

    it("means its site space, and is read as it was written", async () => {
      const order = ["faq", "five", "handbook"];
      const { id, state, writes } = await create(ofSite(order));
      expect(writes).toEqual([
        sort(space("three"), { before: space("two") }, siteId),
        sort(space("five"), { after: space("three") }, siteId),
      ]);
      expect([state.order, await read(id, state)]).toEqual([order, order]);
      await bench.client.sortSiteStructure({ ...at(siteId), body: { item: space("three"), position: {} } });
      expect(await read(id, state)).toEqual(["five", "handbook", "four", "six", "faq"]);
    });

    it("means an item that has this id", async () => {
      await create(ofSite(["three", "two"]));
      expect(top(siteId).slice(0, 2)).toEqual(["three", "two"]);
    });

    it.each([
      [["faq", "guides"], "a space that the site has twice"],
      [["faq", "two", "three"], "a site space that is listed twice"],
      [["handbok"], "a misspelt space"],
    ])("is refused before the first write: %j", async (order, title) => {
      expect((await failureOf(create(ofSite(order)))).message).toHaveWording(title);
      expect(bench.takeWrites()).toEqual([]);
    });
  });

  describe("an unlisted item", () => {
    it("is no difference at the end, and is one before a listed item", async () => {
      const { id, state } = await create({ order: ["start", "guide"] });
      const added = (title: string): SectionNode => ({
        type: "site-section",
        id: title,
        title,
        path: title,
        default: false,
        siteSpaces: [],
      });
      site().structure.push(added("added"));
      expect(await read(id, state)).toEqual(["start", "guide"]);
      site().structure.splice(1, 0, added("between"));
      const drifted = await bench.provider.read(id, state);
      expect(drifted?.inputs.order).toEqual(["start", "between", "guide"]);
      await bench.provider.update(id, drifted?.properties ?? {}, { siteId: "site_1", order: ["start", "guide"] });
      expect(top()).toEqual(["start", "guide", "between", "dev", "news", "added"]);
    });
  });

  it("shows a difference if a listed item was deleted, and reports the item as missing at the update", async () => {
    const { id, state } = await create({ order: ["start", "guide", "news"] });
    site().structure = site().structure.filter((node) => node.id !== "guide");
    const drifted = await bench.provider.read(id, state);
    expect(drifted?.inputs.order).toEqual(["start", "news"]);
    await expect(
      bench.provider.update(id, drifted?.properties ?? {}, { siteId: "site_1", order: ["start", "guide", "news"] }),
    ).rejects.toHaveWording("an item of the order that was deleted");
    expect(bench.takeWrites()).toEqual([]);
  });

  describe("refuses before the first write", () => {
    it.each([
      [["news", "strat"], "a misspelt item"],
      [["news", "en"], "an item of a section, at the top"],
      [["news", { id: "dev", order: ["guide"] }], "an item of the top, in a group"],
      [["news", { id: "dev", order: [{ id: "api", order: ["js"] }] }], "an item of a group, in a section"],
      [["news", { id: "start", order: [{ id: "en", order: ["guide"] }] }], "an order of a site space"],
      [["news", "x", { id: "dev", order: ["y"] }], "two unknown items"],
    ])("%j", async (order, title) => {
      const error = await failureOf(create({ order }));
      expect(error.message).toHaveWording(title);
      // Nothing was done, so there is nothing to keep.
      expect(error.partial).toBeUndefined();
      const { id, state } = await create({ order: ["start"] });
      await expect(bench.provider.update(id, state, { siteId: "site_1", order })).rejects.toHaveWording(title);
      expect(bench.takeWrites()).toEqual([]);
    });

    it.each([
      [
        { order: ["start", "guide", "start"] },
        "order[2]",
        'found "start"; use each id once: it is already listed at order[0]',
      ],
      [{ order: [{ id: "dev", order: ["api"] }, "dev", "api"] }, "order[1]", /already listed at order\[0\]\.id/],
      [{ order: [{ id: "dev", order: ["dev"] }] }, "order[0].order[0]", /already listed at order\[0\]\.id/],
      [{ order: [1] }, "order[0]", "found 1; use a string"],
      [{ order: [""] }, "order[0]", 'found "" (0 characters); use at least 1 character'],
      [{ order: [{ id: "dev", children: [], order: [] }] }, "order[0].children", /there is no such property/],
      [{ order: [{ id: "dev" }] }, "order[0].order", "missing; use an array"],
      [{}, "order", "missing; use an array"],
    ])("at preview: %j", async (inputs, property, reason) => {
      const text = typeof reason === "string" ? reason : expect.stringMatching(reason);
      expect(await check({ siteId: "site_1", ...inputs })).toContainEqual({ property, reason: text });
    });

    it("but no unknown value", async () => {
      const order = [
        unknownValue,
        unknownValue,
        { id: unknownValue, order: [unknownValue] },
        { id: "dev", order: unknownValue },
      ];
      expect(await check({ siteId: unknownValue, order })).toEqual([]);
      expect(await check({ siteId: "site_1", order: unknownValue })).toEqual([]);
    });
  });

  it("treats an item with an empty order like its id", async () => {
    const { id, state } = await create({ order: ["start", { id: "dev", order: [] }] });
    const diff = await bench.provider.diff(id, state, { siteId: "site_1", order: [{ id: "start", order: [] }, "dev"] });
    expect(diff.changes).toBe(false);
  });

  it("is replaced for another site", async () => {
    const { id, state } = await create({ order: ["start"] });
    const diff = await bench.provider.diff(id, state, { siteId: "site_flat", order: ["start"] });
    expect(diff).toMatchObject({ changes: true, replaces: ["siteId"] });
  });

  describe("a failure between moves", () => {
    const order = ["news", "dev", "guide", "start"];
    const moveFails = {
      row: "sortSiteStructure",
      skip: 1,
      status: 403,
      body: { error: { code: 403, message: "No" } },
    } as const;

    it("of a creation keeps the moves, and the next up makes the others", async () => {
      bench.emulator.fault(moveFails);
      const error = await failureOf(create({ order }));
      expect(error.message).toHaveWording("a move that fails");
      expect(error.partial).toMatchObject({ id: "site_1", properties: { order: ["news", "start", "guide", "dev"] } });
      bench.takeWrites();
      const { id = "", properties = {} } = error.partial ?? {};
      expect((await bench.provider.diff(id, properties, { siteId: "site_1", order })).changes).toBe(true);
      expect((await bench.provider.update(id, properties, { siteId: "site_1", order })).order).toEqual(order);
      expect(bench.takeWrites()).toHaveLength(2);
      expect(top()).toEqual(order);
    });

    it("of an update as well; a failure of the first move changes nothing", async () => {
      const { id, state } = await create({ order: ["start", "guide", "dev", "news"] });
      for (const [skip, partial] of [
        [0, undefined],
        [2, { properties: { order: ["news", "dev", "start", "guide"] } }],
      ] as const) {
        bench.emulator.fault({ ...moveFails, skip });
        const error = await failureOf(bench.provider.update(id, state, { siteId: "site_1", order }));
        if (partial) expect(error.partial).toMatchObject(partial);
        else expect(error.partial).toBeUndefined();
      }
    });

    it("whose move was made repeats no move", async () => {
      bench.emulator.fault({ row: "sortSiteStructure", reset: "after" });
      await create({ order });
      expect(top()).toEqual(order);
    });
  });

  it("does not treat its own moves as live: simultaneous changes are found", async () => {
    bench.emulator.fault({ row: "sortSiteStructure", delay: 1_000 });
    const failing = failureOf(create({ order: ["start", "news", "guide", "dev"] }));
    const sorts = () => bench.emulator.log.some(({ row }) => row === "sortSiteStructure");
    await expect.poll(sorts, { timeout: 30_000 }).toBe(true);
    await bench.client.sortSiteStructure({ ...at("site_1"), body: { item: section("guide"), position: {} } });
    const { message, partial } = await failing;
    expect(message).toHaveWording("an order that somebody changes at the same time");
    expect(partial?.properties.order).toEqual(top());
  });

  describe("an unpublished site", () => {
    it("cannot be sorted until it is published", async () => {
      await expect(create({ siteId: "site_draft", order: ["secret"] })).rejects.toThrow(/declare published: true/);
      await bench.client.publishSite(at("site_draft"));
      await create({ siteId: "site_draft", order: ["secret"] });
      expect(top("site_draft")).toEqual(["secret", "hidden"]);
    });

    it("keeps the recorded order, and refuses another one", async () => {
      const { id, state } = await create({ order: ["start", "guide"] });
      await bench.client.unpublishSite(at("site_1"));
      site().structure.reverse();
      expect(await read(id, state)).toEqual(["start", "guide"]);
      await expect(bench.provider.update(id, state, { siteId: "site_1", order: ["guide"] })).rejects.toHaveWording(
        "an order of an unpublished site",
      );
      expect(bench.takeWrites()).toEqual([["POST", "/v1/orgs/acme/sites/site_1/unpublish"]]);
    });
  });

  it("is gone with its site, and cannot be created without one", async () => {
    const { id, state } = await create({ order: ["start"] });
    await bench.client.deleteSite(at("site_1"));
    await bench.anotherRun();
    expect(await bench.provider.read(id, state)).toBeUndefined();
    await bench.provider.delete(id, state);
    await expect(create({ order: ["start"] })).rejects.toHaveWording("an order of a site that is gone");
  });

  it("is not changed or read at destroy", async () => {
    const { id, state } = await create({ order: ["news"] });
    bench.emulator.resetRequests();
    await bench.provider.delete(id, state);
    expect(bench.emulator.log).toEqual([]);
    expect(top()[0]).toBe("news");
  });
});
