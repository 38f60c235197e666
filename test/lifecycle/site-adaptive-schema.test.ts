import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../provider/api/client";
import {
  conditionUses,
  sameClaims,
  sameSchema,
  schemaOf,
} from "../../provider/resources/site-adaptive-schema/breaking";
import { unknownValue } from "../../provider/run/properties";
import { lifecycleContract, startBench } from "./contract";

const at = (siteId: string) => ({ organizationId: "acme", siteId });
const path = "/v1/orgs/acme/sites/{id}/adaptive-schema";
const beta = { type: "boolean", description: "Takes part in the beta." } as const;
const plan = { type: "string", description: "Plan of the customer.", enum: ["free", "business"] } as const;
const language = { type: "string", description: "Language that the visitor chose." } as const;
type Claims = Parameters<typeof schemaOf>[0];
const schema = (claims: object, unsigned?: object) => schemaOf(claims as Claims, unsigned as Claims | undefined);
const put = (jsonSchema: ReturnType<typeof schema>) => (client: Client, siteId: string) =>
  client.putSiteAdaptiveSchema({ ...at(siteId), body: { jsonSchema } });

lifecycleContract(
  {
    resource: "SiteAdaptiveSchema",
    inputs: { siteId: "site_handbook", claims: { beta }, unsignedClaims: { language }, onRelease: "remove" },
    properties: [
      {
        name: "claims",
        to: { beta, plan },
        writes: [["PUT", path, { jsonSchema: schema({ beta, plan }, { language }) }]],
        corrects: [["PUT", path, { jsonSchema: schema({ beta }, { language }) }]],
        drift: put(schema({ plan }, { language })),
      },
      {
        name: "unsignedClaims",
        to: {},
        writes: [["PUT", path, { jsonSchema: schema({ beta }, {}) }]],
        corrects: [["PUT", path, { jsonSchema: schema({ beta }, { language }) }]],
        drift: put(schema({ beta }, { language, beta })),
      },
    ],
  },
  {
    resource: "SiteAdaptiveSchema",
    inputs: { siteId: "site_handbook", jsonSchema: schema({ beta }, {}) },
    properties: [
      {
        name: "jsonSchema",
        to: schema({ beta, plan }, {}),
        writes: [["PUT", path, { jsonSchema: schema({ beta, plan }, {}) }]],
        corrects: [["PUT", path, { jsonSchema: schema({ beta }, {}) }]],
        drift: put(schema({ plan }, {})),
      },
    ],
  },
);

describe("SiteAdaptiveSchema", () => {
  let bench: Awaited<ReturnType<typeof startBench>>;
  beforeAll(async () => {
    bench = await startBench("SiteAdaptiveSchema");
  });
  afterAll(() => bench.stop());

  const product = { siteId: "site_product" };

  it("sends nothing if the live schema has the same meaning", async () => {
    const live = (await bench.client.getSiteAdaptiveSchema(at("site_product"))).jsonSchema;
    const { unsigned, ...claims } = live.properties;
    const reversed = Object.fromEntries(Object.entries(live.properties).reverse());
    const jsonSchema = { additionalProperties: false, properties: reversed, type: "object" };
    bench.takeWrites();
    await bench.provider.create({ ...product, jsonSchema });
    await bench.provider.create({ ...product, claims, unsignedClaims: unsigned?.properties });
    await bench.provider.create({ ...product, claims });
    expect(bench.takeWrites()).toEqual([]);
  });

  it("is not gone if the site has no schema: it then has no claims", async () => {
    const { id: siteId } = await bench.client.createSite({ organizationId: "acme", body: { title: "No schema" } });
    bench.takeWrites();
    const { id, properties } = await bench.provider.create({ siteId, claims: {} });
    const read = await bench.provider.read(id, properties);
    expect(read?.properties).toEqual(properties);
    expect((await bench.provider.diff(id, read?.properties ?? {}, { siteId, claims: {} })).changes).toBe(false);
    expect(bench.takeWrites()).toEqual([]);
    const drifted = await bench.provider.read(id, { ...properties, claims: { beta } });
    expect(drifted?.inputs.claims).toEqual({});
  });

  it("refuses to break a live condition, and names its place", async () => {
    const live = (await bench.client.getSiteAdaptiveSchema(at("site_product"))).jsonSchema;
    const { unsigned: _, ...claims } = live.properties;
    const { id, properties } = await bench.provider.create({ ...product, claims });
    const { plan: __, ...fewer } = claims as Record<string, unknown>;
    const retyped = { ...claims, plan: { type: "number", description: "Plan." } };
    bench.takeWrites();
    for (const changed of [fewer, retyped]) {
      await expect(bench.provider.update(id, properties, { ...product, claims: changed })).rejects.toHaveWording(
        "a claim that a condition uses",
      );
    }
    expect(bench.takeWrites()).toEqual([]);
    const allowed = await bench.provider.update(id, properties, { ...product, claims: fewer, allowBreaking: true });
    expect(allowed).toMatchObject({ claims: fewer });
    await bench.client.putSiteAdaptiveSchema({ ...at(id), body: { jsonSchema: live } });
  });

  it("stays at destroy if that is declared", async () => {
    const declared = { siteId: "site_handbook", claims: { beta }, onRelease: "leave" };
    const { id, properties } = await bench.provider.create(declared);
    bench.takeWrites();
    await bench.provider.delete(id, properties);
    expect(bench.takeWrites()).toEqual([]);
  });

  it("stays if its resource is renamed or moved, and is not replaced because of an unknown site", async () => {
    const inputs = { siteId: "site_handbook", claims: { beta } };
    const { id, properties } = await bench.provider.create(inputs);
    await bench.anotherRun();
    const later = { ...inputs, siteId: unknownValue };
    expect(await bench.provider.diff(id, properties, later)).toMatchObject({ changes: true, replaces: [] });
    const other = { ...inputs, siteId: "site_product" };
    expect((await bench.provider.diff(id, properties, other)).replaces).toEqual(["siteId"]);
    await bench.provider.check({}, inputs);
    bench.takeWrites();
    await bench.provider.create(inputs);
    await bench.provider.delete(id, properties);
    expect(bench.takeWrites()).toEqual([]);
    await bench.told(/site_handbook stays/, "a schema that another resource manages");
  });

  it.each([
    [{ claims: { beta }, jsonSchema: schema({ beta }) }, "", "use either jsonSchema, or claims and unsignedClaims"],
    [{}, "", "use either jsonSchema, or claims and unsignedClaims"],
    [
      { jsonSchema: { ...schema({ beta }), additionalProperties: true } },
      "jsonSchema.additionalProperties",
      "found true; use false",
    ],
    [{ claims: { beta: { type: "boolean" } } }, "claims.beta.description", "missing; use a string"],
    [
      { claims: { beta, unsigned: beta } },
      "claims.unsigned",
      'found "unsigned"; use another name, or declare claims that nobody signed in unsignedClaims',
    ],
    [{ claims: { beta: { ...beta, type: "integer" } } }, "claims.beta.type", /^found "integer"; use one of "boolean"/],
  ])("refuses at preview %j", async (inputs, property, reason) => {
    const { failures } = await bench.provider.check({}, { siteId: "site_handbook", ...inputs });
    const expected = typeof reason === "string" ? expect.stringContaining(reason) : expect.stringMatching(reason);
    expect(failures).toEqual([{ property, reason: expected }]);
  });
});

describe("the comparison of schemas", () => {
  it("ignores their order and their default values", () => {
    const $schema = "http://json-schema.org/draft-07/schema#";
    expect(sameSchema(schema({ beta, plan }), { $schema, ...schema({ plan, beta }, {}) })).toBe(true);
    expect(sameSchema(schema({ plan }), schema({ plan: { ...plan, enum: ["business", "free"] } }))).toBe(true);
    expect(sameSchema(schema({ plan }), schema({ plan: { ...plan, enum: ["business"] } }))).toBe(false);
    expect(sameSchema(schema({ beta }), schema({ beta: { ...beta, description: "Else." } }))).toBe(false);
  });

  it("bears values that are not known yet, which differ", () => {
    const known = schema({ beta });
    const partly = [
      { ...known, properties: unknownValue },
      { ...known, properties: { beta, unsigned: unknownValue } },
    ];
    for (const value of [unknownValue, ...partly]) {
      expect(sameSchema(value, known)).toBe(false);
      expect(sameSchema(known, value)).toBe(false);
      expect(sameClaims(value, known)).toBe(false);
    }
  });

  it.each([
    ['visitor.claims.plan == "business"', "plan", true],
    ['visitor.claims["plan"] == "business"', "plan", true],
    ["visitor.claims.planet", "plan", false],
    ["visitor.claims.unsigned.language", "language", false],
    ["visitor.claims.unsigned.language", "unsigned.language", true],
    ["visitor?.claims?.plan", "plan", true],
    ["plan", "plan", false],
  ])("tells whether the condition %s uses the claim %s: %s", (condition, claim, uses) => {
    expect(conditionUses(condition, claim)).toBe(uses);
  });
});
