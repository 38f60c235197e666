import * as pulumi from "@pulumi/pulumi";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import { calledFunction } from "../../../provider/hosts/plugin/functions";
import { Instance } from "../../../provider/hosts/plugin/instance";
import * as docs from "../../../provider/plugin-program";
import { outputState } from "../../support/outputs";

let emulator: Emulator;
let asked: { token: string; provider: string | undefined; inputs: object }[];
/** Whether the engine could configure the provider object. */
let isConfigured: boolean;

beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());

/** What the plugin answers to a function, called as by the engine for a provider object. */
async function answerOfPlugin(token: string, inputs: object): Promise<object> {
  const { url: baseUrl, token: secret, organizationId } = emulator;
  const instance = new Instance({ version: "1.2.3", environment: {} });
  const properties = { baseUrl, token: secret, organizationId };
  instance.configure({ properties, secrets: new Set(["token"]) }, { name: "own", urn: "", id: "" });
  return instance
    .configured()
    .functions.call(calledFunction(token), { ...inputs })
    .catch((error: Error) => {
      const details = `invocation of ${token} returned an error: ${error.message}`;
      throw Object.assign(new Error(details), { details });
    });
}

beforeEach(async () => {
  asked = [];
  isConfigured = true;
  const newResource = ({ name, inputs }: pulumi.runtime.MockResourceArgs) => ({ id: `${name}-id`, state: inputs });
  const call = async ({ token, inputs, provider }: pulumi.runtime.MockCallArgs) => {
    asked.push({ token, inputs, provider });
    return isConfigured ? answerOfPlugin(token, inputs) : {};
  };
  await pulumi.runtime.setMocks({ newResource, call }, "project", "stack", true);
});

describe("a lookup with the option provider", () => {
  it("is answered by the plugin with the settings of the provider object, which no variable names", async () => {
    const provider = new docs.Provider("own", {});
    const sites = await docs.getSites({ title: "Hand" }, { provider });
    expect(sites).toMatchObject([{ id: "site_handbook", title: "Handbook" }]);
    const { value } = await outputState(docs.getSiteOutput({ siteId: pulumi.output("site_handbook") }, { provider }));
    expect(value).toMatchObject({ id: "site_handbook" });
    expect(asked).toEqual([
      { token: "docs:index:getSites", inputs: { title: "Hand" }, provider: expect.stringMatching(/::own::own-id$/) },
      {
        token: "docs:index:getSite",
        inputs: { siteId: "site_handbook" },
        provider: expect.stringMatching(/::own-id$/),
      },
    ]);
  });

  it("keeps a secret argument secret, and waits for the resources of dependsOn", async () => {
    const provider = new docs.Provider("own", {});
    const user = pulumi.secret("user_ada");
    expect(await outputState(docs.getMemberOutput({ user }, { provider, dependsOn: provider }))).toMatchObject({
      value: { id: "user_ada" },
      isSecret: true,
    });
  });

  it("is unknown while an input of the provider object is, and the form without outputs says so", async () => {
    isConfigured = false;
    const provider = new docs.Provider("own", {});
    expect(await outputState(docs.getSitesOutput({}, { provider }))).toMatchObject({ isKnown: false });
    await expect(docs.getSites({}, { provider })).rejects.toHaveWording("a lookup before its provider object is known");
  });

  it("fails with the sentence of the plugin, and refuses a provider object of another package", async () => {
    const provider = new docs.Provider("own", {});
    await expect(docs.getSite({ siteId: "site_lost" }, { provider })).rejects.toThrow(/site_lost: .* 404/);
    await expect(docs.getSite({ siteId: 5 as never }, { provider })).rejects.toThrow(/^getSite: siteId: found 5/);
    class Other extends pulumi.ProviderResource {
      constructor() {
        super("aws", "other", {});
      }
    }
    await expect(docs.getSites({}, { provider: new Other() })).rejects.toHaveWording("a wrong provider object");
    expect(asked).toHaveLength(1);
  });
});
