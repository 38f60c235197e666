import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach, expect, expectTypeOf, it } from "vitest";
import type { Client } from "../../../provider/api";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import * as docs from "../../../provider/plugin-program";

let emulator: Emulator;
const environment = { ...process.env };

beforeEach(async () => {
  emulator = await startEmulator();
  const newResource = ({ inputs, type }: pulumi.runtime.MockResourceArgs) => ({
    id: type.startsWith("pulumi:providers") ? "id" : undefined,
    state: inputs,
  });
  // A preview.
  await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "project", "stack", true);
});
afterEach(async () => {
  pulumi.runtime.setAllConfig({}, []);
  process.env = { ...environment };
  await emulator.close();
});

const providerWith = (args: docs.ProviderArgs) =>
  new docs.Provider("acme", { baseUrl: emulator.url, organizationId: "acme", token: emulator.token, ...args });
const sitesSeenBy = async (args: docs.ClientArgs) => {
  const client = await docs.client<Client>(args);
  const page = await client.listSites({ organizationId: "acme" });
  expectTypeOf(page.items[0]?.title).toEqualTypeOf<string | undefined>();
  return page.items.length;
};

it("has the settings of the stack, or of a provider object, also of secrets", async () => {
  await expect(docs.client()).rejects.toThrow(/^there is no address of the service; set .*DOCS_BASE_URL/);
  expect(await sitesSeenBy({ provider: providerWith({ token: pulumi.secret(emulator.token) }) })).toBe(2);
  const tokens = pulumi.secret({ acme: emulator.token });
  expect(await sitesSeenBy({ provider: providerWith({ token: "unknown", tokens }) })).toBe(2);
  const config = { "docs:baseUrl": emulator.url, "docs:token": emulator.token, "docs:organizationId": "acme" };
  pulumi.runtime.setAllConfig(config, ["docs:token"]);
  expect(await sitesSeenBy({})).toBe(2);
});

it("prefers the settings of a provider object to those of the environment, as its resources do", async () => {
  Object.assign(process.env, { DOCS_BASE_URL: "https://docs.example", DOCS_TOKEN: "of the environment" });
  expect(await sitesSeenBy({ provider: providerWith({}) })).toBe(2);
});

it("says in one sentence where a wrong token came from", async () => {
  await expect(sitesSeenBy({ provider: providerWith({ token: "wrong" }) })).rejects.toThrow(/401/);
  await expect(docs.client({ provider: providerWith({ baseUrl: "http://docs.example" }) })).rejects.toThrow(
    /^provider object "acme": /,
  );
});

it("refuses a setting that is not known in a preview, and what is no provider object", async () => {
  const { siteId } = new docs.Site("guide", { title: "Guide" });
  await expect(docs.client({ provider: providerWith({ organizationId: siteId }) })).rejects.toThrow(
    /^docs.client: organizationId of the provider object "acme" is not known in this preview, .*isDryRun\(\) is false$/,
  );
  await expect(docs.client({ provider: {} as docs.Provider })).rejects.toThrow(
    /^docs.client: provider is not a provider object; pass one that new docs.Provider\(...\) made$/,
  );
  expect(emulator.requests()).toEqual({});
});
