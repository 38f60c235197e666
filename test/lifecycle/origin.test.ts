import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as definitions from "../../provider/definitions";
import { type Emulator, startEmulator } from "../../provider/emulator";
import { type Properties, ProviderProcess } from "../support/provider-process";

const moved = "https://docs.example.test/api";
let emulator: Emulator;
let configured: Record<string, string>;
beforeAll(async () => {
  emulator = await startEmulator();
  const { url, token, organizationId } = emulator;
  configured = { "docs:baseUrl": url, "docs:token": token, "docs:organizationId": organizationId };
});
afterAll(() => emulator.close());

/** What every state has; whatever else is in it counts for nothing before the service has been compared. */
const state = { organizationId: "acme", __version: 1, __origin: moved, siteId: "site_product", teamId: "team_support" };
const calls: [name: string, call: (provider: ProviderProcess, state: Properties) => Promise<unknown>][] = [
  ["diff", (provider, state) => provider.diff("id", state, {})],
  ["read", (provider, state) => provider.read("id", state)],
  ["update", (provider, state) => provider.update("id", state, {})],
  ["delete", (provider, state) => provider.delete("id", state)],
];

describe.each(Object.keys(definitions))("%s that another service has", (resource) => {
  let provider: ProviderProcess;
  beforeAll(async () => {
    provider = await ProviderProcess.start(resource, { config: configured });
  });
  afterAll(() => provider.stop());

  it.each(calls)("is refused in %s, before any request, with both services", async (_, call) => {
    emulator.resetRequests();
    const problem = `this stack manages the service at ${moved}, and docs:baseUrl names ${emulator.url}`;
    await expect(call(provider, state)).rejects.toThrow(problem);
    expect(emulator.log).toEqual([]);
  });

  it("stops creations of the same run", async () => {
    await expect(provider.read("id", state)).rejects.toThrow("this stack manages the service at");
    await expect(provider.create({})).rejects.toThrow("this stack manages the service at");
    expect(emulator.log).toEqual([]);
  });
});

describe("the message", () => {
  const messageOf = async (config: Record<string, string>, recorded = moved) => {
    const provider = await ProviderProcess.start("Site", { config: { ...configured, ...config } });
    const error = await provider.read("site_product", { ...state, __origin: recorded }).then(
      () => "",
      ({ message }: Error) => message,
    );
    await provider.stop();
    return error;
  };

  it("explains how a service moves, and an emulator", async () => {
    const message = await messageOf({});
    expect(message).toContain(`DOCS_BASE_URL_MOVED_FROM=${moved}`);
    expect(message).toContain(`pulumi config set docs:baseUrlMovedFrom ${moved}`);
    expect(message).not.toContain("--port");
    expect(await messageOf({}, "http://127.0.0.1:4010")).toContain("--port 4010");
  });

  it.each([
    ["nonsense", "docs:baseUrlMovedFrom: the base URL is not an absolute URL"],
    ["https://another.test", "docs:baseUrlMovedFrom names https://another.test, which is neither of the two"],
  ])("explains %s as the former address", async (from, text) => {
    expect(await messageOf({ "docs:baseUrlMovedFrom": from })).toContain(text);
  });

  it("is none in another spelling, or where the service was until it moved", async () => {
    expect(await messageOf({ "docs:baseUrlMovedFrom": "HTTPS://docs.example.test:443/api/" })).toBe("");
    expect(await messageOf({ "docs:baseUrl": `${emulator.url}/` }, emulator.url)).toBe("");
  });
});

it("a service that moved is an update without a write, which records the new address, and then nothing", async () => {
  const provider = await ProviderProcess.start("Site", { config: { ...configured, "docs:baseUrlMovedFrom": moved } });
  expect(await provider.diff("site_product", state, {})).toMatchObject({ changes: true, replaces: [] });
  emulator.resetRequests();
  const updated = await provider.update("site_product", state, {});
  expect(updated).toMatchObject({ __origin: emulator.url });
  expect(await provider.read("site_product", state)).toMatchObject({ properties: { __origin: emulator.url } });
  expect(emulator.log.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(await provider.diff("site_product", updated, {})).toMatchObject({ changes: false });
  await provider.stop();
});

it("a state of an older version gets the record with the next read or update", async () => {
  const provider = await ProviderProcess.start("Site", { config: configured });
  const { __origin: _, ...old } = state;
  const read = await provider.read("site_product", old);
  expect(read?.properties).toMatchObject({ __origin: emulator.url });
  expect(read?.inputs).not.toHaveProperty("__origin");
  expect(await provider.update("site_product", { ...old, allowTwin: true }, {})).toMatchObject({
    __origin: emulator.url,
  });
  expect(await provider.diff("site_product", old, {})).toMatchObject({ changes: false });
  await provider.stop();
});
