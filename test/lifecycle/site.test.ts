import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Client } from "../../provider/api/client";
import { unknownValue } from "../../provider/run/properties";
import { settled } from "../support/clock";
import { failureOf } from "../support/failure";
import type { PartialFailure, Properties } from "../support/protocol-provider";
import { startProvider } from "../support/provider";
import { lifecycleContract, patchedAt, startBench } from "./contract";

const at = (siteId: string) => ({ organizationId: "acme", siteId });
const path = "/v1/orgs/acme/sites/{id}";
const edit = (body: Parameters<Client["updateSite"]>[0]["body"]) => (client: Client, siteId: string) =>
  client.updateSite({ ...at(siteId), body });

const contract = {
  title: "Contract",
  spaces: ["guides"],
  visibility: "unlisted",
  basename: "contract",
  proxy: "www.acme.test/docs",
  adaptiveContent: { enabled: false },
  agentsContext: "excluded",
  published: true,
};
const patched = patchedAt(path, contract, edit);

lifecycleContract({
  resource: "Site",
  inputs: contract,
  properties: [
    patched("title", "Renamed", "Somebody else's"),
    patched("visibility", "public", "share-link"),
    patched("basename", "renamed", "elsewhere"),
    patched("proxy", null, "www.other.test/x"),
    patched("adaptiveContent", { enabled: true }, { enabled: true }),
    patched("agentsContext", "included", "included"),
    {
      name: "published",
      to: false,
      writes: [["POST", `${path}/unpublish`]],
      corrects: [["POST", `${path}/publish`]],
      drift: (client, siteId) => client.unpublishSite(at(siteId)),
    },
  ],
  vanish: (client, siteId) => client.deleteSite(at(siteId)),
});

describe("Site", () => {
  let bench: Awaited<ReturnType<typeof startBench>>;
  let made: { id: string; properties: Properties }[] = [];

  beforeAll(async () => {
    bench = await startBench("Site", { readings: { checkoutFor: ["premium"] } });
  });
  afterAll(() => bench.stop());
  beforeEach(async () => {
    for (const { id, properties } of made) await bench.provider.delete(id, properties);
    made = [];
    bench.emulator.clearFaults();
    bench.takeWrites();
  });

  const liveSite = (id: string) => bench.organization.sites.get(id) ?? expect.unreachable();

  async function create(inputs: Properties) {
    const created = await bench.provider.create(inputs);
    made.push(created);
    return created;
  }

  async function failure(call: Promise<unknown>): Promise<PartialFailure> {
    const error = await failureOf(call);
    if (error.partial) made.push(error.partial);
    return error;
  }

  describe("refuses at preview, on the property, with what is allowed", () => {
    it.each([
      [{ proxy: "/docs" }, "proxy", /use a host name with a path/],
      [{ title: null }, "title", "found null; use a string"],
      [{ spaces: [1] }, "spaces[0]", "found 1; use a string"],
      [{ adaptiveContent: { enabled: "yes" } }, "adaptiveContent.enabled", /use a boolean/],
      [
        { defaultSpace: "guides", defaultSiteSpace: "sitespace_1" },
        "defaultSpace",
        'found "guides"; use either defaultSpace or defaultSiteSpace',
      ],
      [
        { defaultSpace: "guides", published: false },
        "defaultSpace",
        'found "guides"; declare published: true, or omit defaultSpace: the service returns the site spaces only of a published site',
      ],
    ])("%j", async (inputs, property, reason) => {
      const { failures } = await bench.provider.check({}, inputs);
      expect(failures).toEqual([
        { property, reason: typeof reason === "string" ? reason : expect.stringMatching(reason) },
      ]);
    });

    it("but no unknown value, at any depth", async () => {
      const inputs = {
        title: unknownValue,
        visibility: unknownValue,
        spaces: [unknownValue],
        adaptiveContent: { enabled: unknownValue },
      };
      expect((await bench.provider.check({}, inputs)).failures).toEqual([]);
      expect((await bench.provider.check({}, { adaptiveContent: unknownValue })).failures).toEqual([]);
    });
  });

  it("creates with four properties and sends the others afterwards", async () => {
    const { id } = await create({
      title: "Steps",
      type: "ultimate",
      visibility: "public",
      spaces: ["guides"],
      basename: "steps",
      published: true,
    });
    expect(bench.takeWrites()).toEqual([
      ["POST", "/v1/orgs/acme/sites", { title: "Steps", type: "ultimate", visibility: "public", spaces: ["guides"] }],
      ["PATCH", `/v1/orgs/acme/sites/${id}`, { basename: "steps" }],
      ["POST", `/v1/orgs/acme/sites/${id}/publish`],
    ]);
  });

  it("returns live values under separate names", async () => {
    const { id, properties } = await create({ title: "Names", published: true });
    expect(properties).toMatchObject({ siteId: id, liveType: "basic", siteSpaces: 0, organizationId: "acme" });
    expect(properties.urls).toMatchObject({
      location: expect.any(String),
      app: expect.any(String),
      published: expect.any(String),
    });
  });

  it("returns the target of a proxy, and the features that are not frozen, also if the state has none of them", async () => {
    const { id, properties } = await create({ title: "Outputs", proxy: "www.acme.test/outputs" });
    const live = await bench.client.getSite(at(id));
    const features = live.features ?? [];
    expect(properties.proxyTarget).toBe(live.proxy?.target);
    expect(properties.features).toEqual(features.map((feature) => feature.id));
    const frozen = features.map((feature, index) => ({ ...feature, frozen: index === 0 }));
    const answer = { ...live, features: frozen };
    bench.emulator.fault({ row: "getSite", status: 200, body: answer });
    bench.emulator.fault({ row: "listSites", status: 200, body: { items: [answer] } });
    await bench.anotherRun();
    const { proxyTarget: __, features: ___, siteSpaceIds, ...older } = properties;
    const read = await bench.provider.read(id, older);
    expect(read?.properties).toMatchObject({ proxyTarget: live.proxy?.target, siteSpaceIds });
    expect(read?.properties.features).toEqual(features.slice(1).map((feature) => feature.id));
    expect(read?.inputs).toEqual({ title: "Outputs", proxy: "www.acme.test/outputs" });
  });

  describe("no proxy", () => {
    it.each([
      ["", null],
      [null, ""],
    ])("is declared as %j and as %j, and there is no drift between them", async (first, second) => {
      const declared = { title: `Without a proxy ${JSON.stringify(first)}`, proxy: first };
      const { id, properties } = await create(declared);
      expect(bench.takeWrites().map(([method]) => method)).toEqual(["POST"]);
      await bench.anotherRun();
      const read = await bench.provider.read(id, properties);
      expect(read?.properties).toMatchObject({ proxy: first, proxyTarget: null });
      for (const proxy of [first, second]) {
        const difference = await bench.provider.diff(id, read?.properties ?? {}, { ...declared, proxy });
        expect(difference.changes).toBe(false);
      }
    });

    it.each(["", null])("is sent for %j as the API wants it", async (proxy) => {
      const declared = { title: `A proxy until ${JSON.stringify(proxy)}`, proxy: "www.acme.test/until" };
      const { id, properties } = await create(declared);
      bench.takeWrites();
      const after = await bench.provider.update(id, properties, { ...declared, proxy });
      expect(bench.takeWrites()).toEqual([["PATCH", `/v1/orgs/acme/sites/${id}`, { proxy: null }]]);
      expect(after).toMatchObject({ proxyTarget: null });
      expect((await bench.client.getSite(at(id))).proxy).toBeUndefined();
    });
  });

  describe("a property that can only be set at creation", () => {
    it("keeps its value while the live one changes, and replaces nothing", async () => {
      const { id, properties } = await create({ title: "Upgrade", type: "basic" });
      liveSite(id).type = "ultimate";
      await bench.anotherRun();
      const read = await bench.provider.read(id, properties);
      expect(read?.properties).toMatchObject({ type: "basic", liveType: "ultimate" });
      expect(read?.inputs).toMatchObject({ type: "basic" });
      const diff = await bench.provider.diff(id, read?.properties ?? {}, { title: "Upgrade", type: "basic" });
      expect(diff).toMatchObject({ changes: false, replaces: [] });
    });

    it("replaces if the declaration changes, but only if that is allowed", async () => {
      const inputs = { title: "Replace", type: "basic", spaces: ["guides"] };
      const { id, properties } = await create(inputs);
      const error = await failure(bench.provider.diff(id, properties, { ...inputs, type: "ultimate" }));
      expect(error.message).toHaveWording("Site of another type");
      const allowed = { ...inputs, type: "ultimate", allowReplace: true };
      expect((await bench.provider.diff(id, properties, allowed)).replaces).toEqual(["type"]);
      const spaces = { ...inputs, spaces: ["reference"], allowReplace: true };
      expect((await bench.provider.diff(id, properties, spaces)).replaces).toEqual(["spaces"]);
    });

    it("can follow the live value, such as an upgraded plan, without a replacement", async () => {
      const { id, properties } = await create({ title: "Follow", type: "basic" });
      liveSite(id).type = "ultimate";
      await bench.anotherRun();
      const read = await bench.provider.read(id, properties);
      const news = { title: "Follow", type: "ultimate", allowReplace: true };
      const diff = await bench.provider.diff(id, read?.properties ?? {}, news);
      expect(diff).toMatchObject({ changes: true, replaces: [] });
      bench.takeWrites();
      const after = await bench.provider.update(id, read?.properties ?? {}, news);
      expect(bench.takeWrites()).toEqual([]);
      expect(after).toMatchObject({ type: "ultimate", liveType: "ultimate" });
    });

    it("deletes the old site first only if names may clash, and never for another organization", async () => {
      const { id, properties } = await create({ title: "Clash", basename: "clash" });
      const allowed = { title: "Clash", basename: "clash", allowReplace: true };
      const retyped = await bench.provider.diff(id, properties, { ...allowed, type: "ultimate" });
      expect(retyped).toMatchObject({ replaces: ["type"], deleteBeforeReplace: true });
      const moved = await bench.provider.diff(id, properties, { ...allowed, organizationId: "other" });
      expect(moved).toMatchObject({ replaces: ["organizationId"], deleteBeforeReplace: false });
    });

    it("that is unknown is decided when it is known", async () => {
      const { id, properties } = await create({ title: "Unknown", spaces: ["guides"] });
      const inputs = { title: "Unknown", spaces: [unknownValue] };
      expect(await bench.provider.diff(id, properties, inputs)).toMatchObject({ changes: true, replaces: [] });
    });
  });

  describe("a property of the published profile", () => {
    it("is read if it is declared, drifts and is corrected", async () => {
      const inputs = { title: "Profile", spaces: ["guides", "reference"], published: true };
      const { id, properties } = await create(inputs);
      const profile = await bench.client.getPublishedSite(at(id));
      const [first, second] = profile.structure.structure;
      const declared = { ...inputs, defaultSiteSpace: first?.id };
      bench.takeWrites();
      const state = await bench.provider.update(id, properties, declared);
      expect(bench.takeWrites()).toEqual([]);
      expect(state).toMatchObject({ defaultSiteSpace: first?.id, liveSpaces: ["guides", "reference"] });
      await bench.client.updateSite({ ...at(id), body: { defaultSiteSpace: String(second?.id) } });
      const drifted = await bench.provider.read(id, state);
      expect(drifted?.inputs).toMatchObject({ defaultSiteSpace: second?.id });
      bench.takeWrites();
      await bench.provider.update(id, drifted?.properties ?? {}, declared);
      expect(bench.takeWrites()).toEqual([["PATCH", `/v1/orgs/acme/sites/${id}`, { defaultSiteSpace: first?.id }]]);
    });

    it("has the site space of each space, and costs no request if none is declared", async () => {
      const inputs = { title: "Spaces", spaces: ["guides", "reference"], published: true };
      const { id, properties } = await create(inputs);
      const { structure } = (await bench.client.getPublishedSite(at(id))).structure;
      const ids = structure.flatMap((one) => (one.object === "site-space" ? [[one.space.id, one.id]] : []));
      expect(properties.siteSpaceIds).toEqual(Object.fromEntries(ids));
      expect((await bench.provider.read(id, properties))?.properties.siteSpaceIds).toEqual(Object.fromEntries(ids));
      const plain = await create({ title: "Plain", published: true });
      bench.emulator.resetRequests();
      expect((await bench.provider.read(plain.id, plain.properties))?.properties.siteSpaceIds).toEqual({});
      expect(bench.emulator.requests().getPublishedSite ?? 0).toBe(0);
    });

    it("resolves a default space after the creation, and corrects drift", async () => {
      const inputs = { title: "Default", spaces: ["guides", "reference"], defaultSpace: "reference", published: true };
      const { id, properties } = await create(inputs);
      const { siteSpaceIds } = properties as { siteSpaceIds: Record<string, string> };
      const patch = (space: string) => [
        "PATCH",
        `/v1/orgs/acme/sites/${id}`,
        { defaultSiteSpace: siteSpaceIds[space] },
      ];
      expect(bench.takeWrites().slice(1)).toEqual([["POST", `/v1/orgs/acme/sites/${id}/publish`], patch("reference")]);
      expect(properties.defaultSpace).toBe("reference");
      await bench.client.updateSite({ ...at(id), body: { defaultSiteSpace: String(siteSpaceIds.guides) } });
      await bench.anotherRun();
      bench.takeWrites();
      const drifted = await bench.provider.read(id, properties);
      expect(drifted?.inputs).toEqual({ ...inputs, defaultSpace: "guides" });
      const corrected = await bench.provider.update(id, drifted?.properties ?? {}, inputs);
      expect(bench.takeWrites()).toEqual([patch("reference")]);
      expect((await bench.provider.read(id, corrected))?.inputs).toEqual(inputs);
      expect((await bench.provider.diff(id, corrected, inputs)).changes).toBe(false);
    });

    it("uses the site space of the default section for a space in several sections, also of a new default section", async () => {
      const { id, properties } = await create({ title: "Sections", spaces: ["guides", "reference"], published: true });
      const site = liveSite(id);
      const node = (key: string, space: string, isDefault: boolean) =>
        ({ type: "site-space", id: key, path: key, space, title: key, default: isDefault }) as const;
      const section = (key: string, isDefault: boolean) =>
        ({
          type: "site-section",
          id: key,
          title: key,
          path: key,
          default: isDefault,
          siteSpaces: [node(`${key}-guides`, "guides", true), node(`${key}-reference`, "reference", false)],
        }) as const;
      site.structure = [section("one", true), section("two", false)] as unknown as typeof site.structure;
      const declared = { title: "Sections", defaultSiteSection: "two", defaultSpace: "reference" };
      bench.takeWrites();
      const after = await bench.provider.update(id, properties, declared);
      expect(bench.takeWrites()).toEqual([
        ["PATCH", `/v1/orgs/acme/sites/${id}`, { defaultSiteSection: "two" }],
        ["PATCH", `/v1/orgs/acme/sites/${id}`, { defaultSiteSpace: "two-reference" }],
      ]);
      expect(after).toMatchObject({ ...declared, siteSpaceIds: { guides: "two-guides", reference: "two-reference" } });
    });

    it("refuses a default space that cannot be resolved, and keeps the site", async () => {
      const declared = { title: "Other", spaces: ["guides"], defaultSpace: "reference" };
      for (const [published, reason] of [
        [undefined, /it is not published, so the service does not return its site spaces; declare published: true/],
        [true, /as its default: the site has only guides; correct defaultSpace/],
      ] as const) {
        const { message, partial } = await failure(
          bench.provider.create({ ...declared, ...(published && { published }) }),
        );
        expect(message).toMatch(reason);
        expect(partial?.properties).toMatchObject({ title: "Other" });
      }
    });

    it("stays as declared while the site has no profile", async () => {
      const { id, properties } = await create({ title: "No profile", spaces: ["guides"] });
      await bench.client.publishSite(at(id));
      const profile = await bench.client.getPublishedSite(at(id));
      await bench.client.unpublishSite(at(id));
      const declared = {
        title: "No profile",
        spaces: ["guides"],
        defaultSiteSpace: profile.structure.structure[0]?.id,
      };
      const state = await bench.provider.update(id, properties, declared);
      expect((await bench.provider.read(id, state))?.inputs).toEqual(declared);
      expect((await bench.provider.diff(id, state, declared)).changes).toBe(false);
    });
  });

  describe("a creation that fails after its first step", () => {
    const inputs = { title: "Partial", basename: "partial", published: true };

    it("keeps the id and the live values; the next up finishes the work", async () => {
      bench.emulator.fault({ row: "publishSite", status: 403, body: { error: { code: 403, message: "No" } } });
      const { message, partial } = await failure(bench.provider.create(inputs));
      expect(message).toHaveWording("Site that cannot be published");
      expect(partial).toMatchObject({
        properties: { title: "Partial", basename: "partial", published: false },
        reasons: [message],
      });
      bench.takeWrites();
      const state = await bench.provider.update(partial?.id ?? "", partial?.properties ?? {}, inputs);
      expect(state).toMatchObject(inputs);
      expect(bench.takeWrites()).toEqual([["POST", `/v1/orgs/acme/sites/${partial?.id}/publish`]]);
    });

    it("can be refreshed and deleted in between", async () => {
      bench.emulator.fault({ row: "updateSite", status: 400, body: { error: { code: 400, message: "No" } } });
      const { partial } = await failure(bench.provider.create({ ...inputs, title: "Partial 2" }));
      const { id = "", properties = {} } = partial ?? {};
      const read = await bench.provider.read(id, properties);
      expect(read?.inputs).toEqual({ title: "Partial 2", published: false });
      await bench.provider.delete(id, read?.properties ?? {});
      expect(await bench.provider.read(id, properties)).toBeUndefined();
    });

    it("because of a checkout keeps the other values and says what to do", async () => {
      const declared = { title: "Checkout", type: "premium", basename: "checkout", published: true };
      const { message, partial } = await failure(bench.provider.create(declared));
      expect(message).toHaveWording("Site whose plan has no publication");
      expect(partial?.properties).toMatchObject({ basename: "checkout", published: false });
    });
  });

  describe("a creation whose answer is lost", () => {
    it("is repeated if nothing was created", async () => {
      bench.emulator.fault({ row: "createSite", reset: "before" });
      const { id } = await create({ title: "Never" });
      const sites = await bench.client.listSites({ organizationId: "acme", query: { title: "Never" } });
      expect(sites.items.map((site) => site.id)).toEqual([id]);
    });

    it("is not repeated after a timeout of a gateway: the service may still be creating it", async () => {
      bench.emulator.fault({ row: "createSite", status: 504, body: { error: { code: 504, message: "Slow" } } });
      const { message } = await failure(bench.provider.create({ title: "Gateway" }));
      expect(message).toHaveWording("Site whose creation gets no answer");
      expect(bench.takeWrites()).toHaveLength(1);
    });

    it("is not searched for without a title, because any site could match", async () => {
      const other = bench.client.createSite({ organizationId: "acme", body: { title: "Anybody's" } });
      bench.emulator.fault({
        row: "createSite",
        skip: 1,
        status: 503,
        body: { error: { code: 503, message: "Busy" } },
      });
      await other;
      const { message } = await failure(bench.provider.create({}));
      expect(message).toMatch(/503 "Busy"; a site may/);
      await bench.client.deleteSite(at((await other).id));
    });

    it("is not confused with another creation of this process with the same title", async () => {
      bench.emulator.fault({ row: "createSite", reset: "after" });
      const both = await Promise.all([create({ title: "Twins" }), create({ title: "Twins" })]);
      expect(new Set(both.map(({ id }) => id)).size).toBe(2);
      const sites = await bench.client.listSites({ organizationId: "acme", query: { title: "Twins" } });
      expect(sites.items).toHaveLength(2);
    });

    it("in a killed process is taken over by a run that names the id, and by no other", async () => {
      const titles = ["First lost", "Second lost"];
      const lost = await Promise.all(
        titles.map((title) => bench.client.createSite({ organizationId: "acme", body: { title } })),
      );
      const ids = lost.map(({ id }) => id);
      bench.takeWrites();
      await bench.anotherRun();
      const refusals = await Promise.all(titles.map((title) => failure(bench.provider.create({ title }))));
      const messages = refusals.map(({ message }) => message);
      const all =
        messages.find((message) => message.includes("2 declared objects already exist")) ?? expect.unreachable();
      for (const [index, id] of ids.entries())
        expect(all).toContain(`  a site "${titles[index]}": ${id} (same title)\n`);
      const [, named] = /DOCS_TAKE_OVER=(\S+) /.exec(all) ?? [];
      expect(named?.split(",").sort()).toEqual([...ids].sort());
      expect(messages.find((message) => message !== all)).toMatch(/already exists: site_\w+ \(/);

      const attempt = async (takeOver: string) => {
        await bench.provider.stop();
        bench.provider = await bench.start({ DOCS_TAKE_OVER: takeOver });
        return bench.provider;
      };
      const wrong = await failure((await attempt("site_of_somebody")).create({ title: "First lost" }));
      expect(wrong.message).toContain(`DOCS_TAKE_OVER=${ids[0]} `);
      expect(wrong.message).toHaveWording("Site that a killed process has created");
      expect(bench.takeWrites()).toEqual([]);

      const provider = await attempt(String(named));
      const taken = await Promise.all(titles.map((title) => provider.create({ title, published: true })));
      expect(taken.map(({ id }) => id)).toEqual(ids);
      // The interrupted run had not published them yet.
      expect(taken.map(({ properties }) => properties.published)).toEqual([true, true]);
      const published = ids.map((id) => ["POST", `/v1/orgs/acme/sites/${id}/publish`]);
      expect(bench.takeWrites()).toEqual(expect.arrayContaining(published));
      expect(provider.stderr).toContain(`"First lost" existed before and was taken over: ${ids[0]}`);
      for (const id of ids) await bench.client.deleteSite(at(id));
      await bench.anotherRun();
    });
  });

  it("is not gone if the list of sites cannot be read either", async () => {
    const { id, properties: recorded } = await create({ title: "Safe" });
    const properties = settled(recorded);
    for (const status of [404, 401, 403]) {
      bench.emulator.fault({ row: "getSite", status, body: { error: { code: status, message: "No" } } });
      bench.emulator.fault({ row: "listSites", status, body: { error: { code: status, message: "No" } } });
      const error = await failure(startedAnew(id, properties));
      expect(error.message).toMatch(status === 404 ? /also answers 404/ : /answered 40[13]/);
      bench.emulator.clearFaults();
    }
  });

  it("accepts a DELETE whose answer proves nothing only if the organization can be read", async () => {
    const { id, properties } = await create({ title: "Bare" });
    const fresh = await startFresh();
    await fresh.read(id, properties);
    bench.emulator.fault({ row: "deleteSite", status: 204 });
    bench.emulator.fault({ row: "getSite", status: 404, body: { error: { code: 404, message: "No" } } });
    bench.emulator.fault({ row: "listSites", status: 404, body: { error: { code: 404, message: "No" } } });
    expect((await failure(fresh.delete(id, properties))).message).toMatch(/treated as deleted/);
    await fresh.stop();
  });

  it("is not deleted under one name while the program declares it under another", async () => {
    const inputs = { title: "Imported twice" };
    const { id, properties } = await create(inputs);
    await bench.anotherRun();
    for (const _name of ["old", "new"]) await bench.provider.read(id, properties);
    await bench.check(inputs);
    expect((await bench.provider.diff(id, properties, inputs)).changes).toBe(false);
    await expect(bench.provider.delete(id, properties)).rejects.toHaveWording("Site under two names");
    await bench.provider.stop();
    bench.provider = await bench.start({ DOCS_TAKE_OVER: id });
    // Renamed and retitled in a program, without a refresh.
    await bench.check(inputs);
    expect((await bench.provider.create(inputs)).id).toBe(id);
    await expect(bench.provider.delete(id, properties)).rejects.toThrow("under two names");
    await bench.anotherRun();
  });

  it("has no property that this version of the service lacks", async () => {
    const newer = await startBench("Site", { version: "0.202" });
    const { id, properties } = await newer.provider.create({ title: "Newer" });
    expect((await newer.provider.read(id, properties))?.inputs).toEqual({ title: "Newer" });
    const declared = { title: "Newer 2", agentsContext: "included" };
    const error = await failure(newer.provider.create(declared));
    made.pop();
    expect(error.message).toHaveWording("Site with a property that the service does not have");
    expect(error.partial?.properties).not.toHaveProperty("agentsContext");
    // A state of the older version keeps what it recorded, without drift.
    const older = { ...properties, agentsContext: "included" };
    const read = await newer.provider.read(id, older);
    expect(
      (await newer.provider.diff(id, read?.properties ?? {}, { title: "Newer", agentsContext: "included" })).changes,
    ).toBe(false);
    await newer.stop();
  });

  describe("its organization", () => {
    it("is recorded if only the settings name it, and other settings are a mistake", async () => {
      const { id, properties } = await create({ title: "Belongs" });
      const other = await startFresh({ "docs:organizationId": "other" });
      const text = 'this stack manages organization acme, but the settings name "other"';
      expect((await failure(other.read(id, properties))).message).toContain(text);
      expect((await failure(other.diff(id, properties, { title: "Belongs" }))).message).toContain(text);
      expect((await failure(other.delete(id, properties))).message).toContain(text);
      await other.stop();
    });

    it("can be declared and omitted again, and replaces only if the declaration names another", async () => {
      const { id, properties } = await create({ title: "Declared" });
      const declared = { title: "Declared", organizationId: "acme" };
      expect(await bench.provider.diff(id, properties, declared)).toMatchObject({ changes: true, replaces: [] });
      const state = await bench.provider.update(id, properties, declared);
      expect((await bench.provider.read(id, state))?.inputs).toEqual(declared);
      expect((await bench.provider.diff(id, state, declared)).changes).toBe(false);
      const back = await bench.provider.update(id, state, { title: "Declared" });
      expect((await bench.provider.read(id, back))?.inputs).toEqual({ title: "Declared" });
      const moved = { title: "Declared", organizationId: "other", allowReplace: true };
      expect((await bench.provider.diff(id, state, moved)).replaces).toEqual(["organizationId"]);
    });
  });

  function startFresh(settings = {}) {
    const { url, token } = bench.emulator;
    return startProvider("Site", { config: { "docs:baseUrl": url, "docs:token": token, ...settings } });
  }

  /** Reads in a process that has not proven anything yet. */
  async function startedAnew(id: string, properties: Properties) {
    const fresh = await startFresh();
    try {
      return await fresh.read(id, properties);
    } finally {
      await fresh.stop();
    }
  }
});
