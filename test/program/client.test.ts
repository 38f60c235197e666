import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach, expect, expectTypeOf, it } from "vitest";
import type { Client } from "../../provider/api";
import { type Emulator, startEmulator } from "../../provider/emulator";
import * as docs from "../../provider/plugin-program";

let emulator: Emulator;
const environment = { ...process.env };

beforeEach(async () => {
  emulator = await startEmulator();
  const newResource = ({ inputs }: pulumi.runtime.MockResourceArgs) => ({ id: undefined, state: inputs });
  await pulumi.runtime.setMocks({ newResource, call: () => ({}) });
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
  const client = await docs.client<Client>({ organizationId: "acme" });
  expect((await client.listSites({ organizationId: "acme" })).items).toHaveLength(2);
});

it("says in one sentence what is missing", async () => {
  await expect(docs.client()).rejects.toThrow(/^there is no address .*DOCS_BASE_URL/);
  expect(emulator.requests()).toEqual({});
});
