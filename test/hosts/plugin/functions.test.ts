import type { handleUnaryCall } from "@grpc/grpc-js";
import { InvokeRequest, type InvokeResponse } from "@pulumi/pulumi/proto/provider_pb.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "../../../provider/api";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import { calledResource } from "../../../provider/hosts/plugin/called-resource";
import { Instance } from "../../../provider/hosts/plugin/instance";
import { serviceOf } from "../../../provider/hosts/plugin/service";
import { readStruct, toStruct } from "../../../provider/hosts/plugin/values";
import * as lookups from "../../../provider/lookups";
import type { Lookup } from "../../../provider/lookups/lookup";
import { type Properties, unknownValue } from "../../../provider/run/properties";
import { failureOf } from "../../support/failure";
import { secret } from "../../support/plugin-provider";
import { settingsOf } from "../../support/settings";

/** What could lead a request to another path, or a message to another line. */
const hostileIds = [
  "../teams",
  "a?b=c",
  "a#b",
  "a/b",
  "a\\b",
  "%2e%2e",
  "..",
  "a\u0000b",
  "a\nb",
  "\u202e",
  " ",
  "",
  "x".repeat(20_000),
];
const wrongTypes = [{ a: 1 }, { ["__proto__"]: { polluted: true } }, [[]], null, -1.5];

let emulator: Emulator;
let instance: Instance;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());
beforeEach(() => {
  instance = new Instance({ version: "1.2.3", schema: "{}", environment: settingsOf(emulator) });
  instance.configure({ properties: {}, secrets: new Set() }, { name: "default", urn: "", id: "" });
  emulator.resetRequests();
});

function invoke(token: string, args: object = {}, of: Instance = instance) {
  const request = new InvokeRequest().setTok(token).setArgs(toStruct(args as Properties));
  const method = serviceOf(of).invoke as handleUnaryCall<InvokeRequest, InvokeResponse>;
  return new Promise<ReturnType<typeof readStruct>>((resolve, reject) => {
    method({ request } as never, (error, response) => {
      if (error) reject(Object.assign(new Error("details" in error ? error.details : undefined), { code: error.code }));
      else resolve(readStruct(response?.getReturn()));
    });
  });
}

describe("a function of the plugin", () => {
  it("answers with the properties of an object", async () => {
    const { properties, secrets } = await invoke("docs:index:getSite", { siteId: "site_handbook" });
    expect(properties).toMatchObject({ id: "site_handbook", title: "Handbook", published: expect.any(Boolean) });
    expect(secrets.size).toBe(0);
  });

  it("answers with an object for a list, since the engine wants one", async () => {
    const { properties } = await invoke("docs:index:getSites", { title: "Hand" });
    expect(properties).toMatchObject({ items: [{ id: "site_handbook" }] });
  });

  it("sends the same question once", async () => {
    const all = await Promise.all([1, 2, 3].map(() => invoke("docs:index:getMember", { user: "Ada@acme.test" })));
    expect(all.map(({ properties }) => properties.id)).toEqual(["user_ada", "user_ada", "user_ada"]);
    expect(emulator.requests()).toEqual({ listMembers: 1 });
  });

  it("asks again after the run has changed something", async () => {
    await invoke("docs:index:getSites");
    const called = calledResource("urn:pulumi:test::test::docs:index:Site::one", instance.beginCall());
    const { id } = await instance.configured().resources.create(called, { title: "One more" });
    const { properties } = await invoke("docs:index:getSites");
    expect((properties.items as { id: string }[]).map((site) => site.id)).toContain(id);
  });

  it("marks the whole result as a secret if an argument is one", async () => {
    const shareKey = secret("key");
    const { properties, secrets } = await invoke("docs:index:getPublishedSite", { siteId: "site_product", shareKey });
    expect(properties).toMatchObject({ site: { id: "site_product" } });
    expect([...secrets].sort()).toEqual(Object.keys(properties).sort());
  });

  it("reads another organization with the token of that organization", async () => {
    await expect(invoke("docs:index:getSites", { organizationId: "other" })).rejects.toThrow(/DOCS_TOKEN_OTHER/);
  });

  it("reads a site that somebody has changed in another run", async () => {
    const client = createClient({ baseUrl: emulator.url, token: emulator.token });
    await client.updateSite({ organizationId: "acme", siteId: "site_handbook", body: { title: "Handbook 2" } });
    const { properties } = await invoke("docs:index:getSite", { siteId: "site_handbook" });
    await client.updateSite({ organizationId: "acme", siteId: "site_handbook", body: { title: "Handbook" } });
    await client.close();
    expect(properties.title).toBe("Handbook 2");
  });
});

describe("a call that cannot be answered", () => {
  it.each([
    ["docs:index:getSite", {}, /^getSite: siteId: missing; use a string$/],
    ["docs:index:getSite", { siteId: unknownValue }, /^getSite: an argument is not known/],
  ])("of %s with %o is one sentence, and nothing is sent", async (token, args, text) => {
    await expect(invoke(token, args)).rejects.toThrow(text);
    expect(emulator.requests()).toEqual({});
  });

  it.each(Object.values<Lookup>(lookups))(
    "of $name with a hostile argument is one sentence, and nothing is sent",
    async (lookup) => {
      const validIds = {
        user: "user_ada",
        siteId: "site_handbook",
        spaceId: "guides",
        changeRequestId: "1",
        teamId: "team_support",
      };
      const names = Object.keys(lookup.arguments.shape);
      const namesOfIds = names.filter((name) => name in validIds || name === "organizationId");
      const right = Object.fromEntries(Object.entries(validIds).filter(([name]) => names.includes(name)));
      const wrong = [
        ...hostileIds.map((value) => [namesOfIds, value] as const),
        ...wrongTypes.map((value) => [names, value] as const),
      ];
      for (const [places, value] of wrong) {
        for (const name of places) {
          const error = await failureOf(invoke(`docs:index:${lookup.name}`, { ...right, [name]: value }));
          expect(error.message, `${name}: ${JSON.stringify(value)}`).toMatch(new RegExp(`\\b${name}\\b.* use `));
          expect(error.message.length).toBeLessThan(700);
          expect(error.message).not.toMatch(/\n/);
        }
      }
      expect(emulator.requests()).toEqual({});
      expect(Object.prototype).not.toHaveProperty("polluted");
    },
  );

  it("names the function that was probably meant, or all", async () => {
    const failed = invoke("docs:index:getsite");
    await expect(failed).rejects.toHaveWording("a misspelt function");
    // The code of gRPC for "not found".
    await expect(failed).rejects.toMatchObject({ code: 5 });
    await expect(invoke("aws:s3:Bucket")).rejects.toThrow(
      /use one of docs:index:getChangeRequest, .*, docs:index:getMember,/,
    );
  });

  it("wants a configuration first", async () => {
    const fresh = new Instance({ version: "1.2.3", schema: "{}", environment: {} });
    await expect(invoke("docs:index:getSites", {}, fresh)).rejects.toThrow(/call Configure first/);
    fresh.configure({ properties: {}, secrets: new Set() }, { name: "default", urn: "", id: "" });
    await expect(invoke("docs:index:getSites", {}, fresh)).rejects.toThrow(/no address of/);
  });
});
