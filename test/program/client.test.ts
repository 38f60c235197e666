import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach, expect, expectTypeOf, it } from "vitest";
import type { Client } from "../../provider/api";
import { type Emulator, startEmulator } from "../../provider/emulator";
import * as docs from "../../provider/plugin-program";

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

function configure(token = emulator.token): void {
  const config = { "docs:baseUrl": emulator.url, "docs:token": token, "docs:organizationId": "acme" };
  pulumi.runtime.setAllConfig(config, ["docs:token"]);
}
const providerWith = (args: docs.ProviderArgs) =>
  new docs.Provider("acme", { baseUrl: emulator.url, organizationId: "acme", token: emulator.token, ...args });
const sitesSeenBy = async (args: docs.ClientArgs) => {
  const client = await docs.client<Client>(args);
  return (await client.listSites({ organizationId: "acme" })).items.length;
};

it("has the settings of the stack, and the types of the client", async () => {
  configure();
  const client = await docs.client<Client>();
  const page = await client.listSpaceChangeRequests({ spaceId: "guides" });
  expectTypeOf(page.items[0]?.subject).toEqualTypeOf<string | undefined>();
  expect(page.items.map(({ id }) => id)).toEqual(["cr_tidy", "cr_rollback"]);
  expect(client.now()).toBeInstanceOf(Date);
});

it("does not end the functions of the program when it is closed", async () => {
  configure();
  await (await docs.client<Client>()).close();
  expect(await docs.getSite({ siteId: "site_handbook" })).toMatchObject({ title: "Handbook" });
});

it("has the token of another organization", async () => {
  configure("unknown");
  process.env.DOCS_TOKEN_ACME = emulator.token;
  expect(await sitesSeenBy({ organizationId: "acme" })).toBe(2);
});

it("says in one sentence what is missing", async () => {
  await expect(docs.client()).rejects.toThrow(/^there is no address .*DOCS_BASE_URL/);
  expect(emulator.requests()).toEqual({});
});

it("has the settings of a provider object, also secrets, and prefers them to those of the environment", async () => {
  Object.assign(process.env, { DOCS_BASE_URL: "https://docs.example", DOCS_TOKEN: "of the environment" });
  expect(await sitesSeenBy({ provider: providerWith({ token: pulumi.secret(emulator.token) }) })).toBe(2);
  const tokens = pulumi.secret({ acme: emulator.token });
  expect(await sitesSeenBy({ provider: providerWith({ token: "unknown", tokens }) })).toBe(2);
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
    expect.toHaveWording("a setting that is not known in a preview"),
  );
  await expect(docs.client({ provider: {} as docs.Provider })).rejects.toThrow(
    expect.toHaveWording("no provider object"),
  );
  expect(emulator.requests()).toEqual({});
});
