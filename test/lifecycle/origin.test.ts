import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as definitions from "../../provider/definitions";
import { type Emulator, startEmulator } from "../../provider/emulator";
import { noteServices, refuseOtherService, refuseOtherServices } from "../../provider/run/origin";
import { Run } from "../../provider/run/run";
import { Settings } from "../../provider/run/settings";
import type { Properties } from "../support/protocol-provider";
import { type Provider, startProvider } from "../support/provider";
import { configOf, settingsOf } from "../support/settings";

/** Settings of a service that had this address before it moved. */
const movedFrom = (address: string) => ({ DOCS_BASE_URL_MOVED_FROM: address });
const moved = "https://docs.example.test/api";
let emulator: Emulator;
let configured: Record<string, string>;
beforeAll(async () => {
  emulator = await startEmulator();
  configured = configOf(emulator);
});
afterAll(() => emulator.close());

/** What every state has; whatever else is in it counts for nothing before the service has been compared. */
const state = { organizationId: "acme", __version: 1, __origin: moved, siteId: "site_product", teamId: "team_support" };
const calls: [name: string, call: (provider: Provider, state: Properties) => Promise<unknown>][] = [
  ["diff", (provider, state) => provider.diff("id", state, {})],
  ["read", (provider, state) => provider.read("id", state)],
  ["update", (provider, state) => provider.update("id", state, {})],
  ["delete", (provider, state) => provider.delete("id", state)],
];

describe.each(Object.keys(definitions))("%s of another service", (resource) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await startProvider(resource, { config: configured });
  });
  afterAll(() => provider.stop());

  it.each(calls)("is refused in %s, before any request, with both services", async (_, call) => {
    emulator.resetRequests();
    await expect(call(provider, state)).rejects.toThrow(`at ${moved}, and docs:baseUrl names ${emulator.url}`);
    expect(emulator.log).toEqual([]);
  });

  it("stops creations of the same run", async () => {
    await expect(provider.read("id", state)).rejects.toThrow("this stack manages");
    await expect(provider.create({})).rejects.toThrow("this stack manages");
    expect(emulator.log).toEqual([]);
  });
});

describe("a new resource", () => {
  const inputs = { user: "user_eli", role: "edit" };
  const handed = (services: Record<string, string>) => ({ ...inputs, __services: { services } });
  let provider: Provider;
  beforeEach(async () => {
    const environment = movedFrom("https://before.example.test");
    provider = await startProvider("MemberRole", { config: configured, environment });
    emulator.resetRequests();
  });
  afterEach(() => provider.stop());

  it("is refused by the first check and at creation if the state belongs to another service", async () => {
    const services = { [moved]: 'MemberRole "ada"' };
    // What the stack has is judged by its own record.
    await expect(provider.check(inputs, handed(services))).resolves.toEqual({ inputs, failures: [] });
    await expect(provider.check(undefined, handed(services))).rejects.toHaveWording(
      "a new resource of another service",
    );
    await expect(provider.create(inputs)).rejects.toThrow("this stack manages");
    // A state without a record belongs to the service of the others.
    const { __origin: _, ...unrecorded } = state;
    await expect(provider.read("user_eli", unrecorded)).rejects.toThrow("this stack manages");
    expect(emulator.log).toEqual([]);
  });

  it("is accepted if the state belongs to this service, even before it moved, and records nothing of the check", async () => {
    const services = { [emulator.url]: 'MemberRole "ada"', "https://before.example.test": 'MemberRole "bea"' };
    await expect(provider.check(undefined, handed(services))).resolves.toEqual({ inputs, failures: [] });
    await expect(provider.check(undefined, handed({}))).resolves.toEqual({ inputs, failures: [] });
    await expect(provider.check(undefined, inputs)).resolves.toEqual({ inputs, failures: [] });
  });

  it("is refused if the program could not read the state; other resources continue", async () => {
    const news = { ...inputs, __services: { whyUnread: "no state" } };
    await expect(provider.check(inputs, news)).resolves.toEqual({ inputs, failures: [] });
    await expect(provider.check(undefined, news)).rejects.toThrow("no state");
    // What another resource has read is no excuse.
    await expect(provider.check(undefined, handed({}))).rejects.toThrow("no state");
    await expect(provider.create(inputs)).rejects.toThrow("no state");
    expect(emulator.log).toEqual([]);
  });

  it("is refused in a stack that was moved to the plugin, as is every other resource", async () => {
    const news = { ...inputs, __services: { services: {}, ofPlugin: 'MemberRole "ada" and 2 more' } };
    await expect(provider.check(undefined, news)).rejects.toHaveWording("a stack of the plugin");
    await expect(provider.check(inputs, news)).rejects.toThrow(/ 2 more \(the error of another/);
    expect(emulator.log).toEqual([]);
  });

  it("gets no previous role from any service but this one and its former address", async () => {
    const former = { ...state, user: "user_eli", role: "edit", userId: "user_eli", previousRole: "read" };
    await expect(provider.read("user_eli", former)).rejects.toThrow("this stack manages");
    await expect(provider.delete("user_eli", former)).rejects.toThrow("this stack manages");
    await expect(provider.create(inputs)).rejects.toThrow("this stack manages");
    expect(emulator.log).toEqual([]);
    const named = { ...former, __origin: "https://before.example.test" };
    expect(await provider.read("user_eli", named)).toMatchObject({ properties: { previousRole: "read" } });
  });
});

describe("the message", () => {
  const messageOf = async (config: Record<string, string>, recorded = moved, environment = {}) => {
    const provider = await startProvider("Site", { config: { ...configured, ...config }, environment });
    const error = await provider.read("site_product", { ...state, __origin: recorded }).then(
      () => "",
      ({ message }: Error) => message,
    );
    await provider.stop();
    return error;
  };

  it("explains a moved service, and an emulator", async () => {
    const message = await messageOf({});
    expect(message).toContain(`DOCS_BASE_URL_MOVED_FROM=${moved}`);
    expect(message).not.toContain("--port");
    expect(await messageOf({}, "http://127.0.0.1:4010")).toContain("--port 4010");
    expect(await messageOf({}, "http://127.0.0.1")).toContain("--port 80.");
  });

  it("names a former address that is none", async () => {
    expect(await messageOf({}, moved, movedFrom("nonsense"))).toHaveWording("a former address that is none");
  });

  it("names the resources of each service in order, as the check has found them", () => {
    const run = new Run({ settings: new Settings(settingsOf(emulator)) });
    noteServices(run, { services: { "https://zoo.example.test": 'Site "a"', [moved]: 'Site "b"' } });
    expect(() => refuseOtherService(run, state)).toThrow(
      `${moved} (Site "b") and https://zoo.example.test (Site "a"), and DOCS_BASE_URL names`,
    );
  });

  it("names both services of a mixed state, and how to separate them; a recorded former address is not wrong", async () => {
    const former = "https://before.example.test";
    const provider = await startProvider("Site", { config: configured, environment: movedFrom(former) });
    await provider.read("site_product", { ...state, __origin: former });
    const error = (await provider.read("site_product", state).catch((reason: Error) => reason)) as Error;
    await provider.stop();
    expect(error.message).toHaveWording("a state of several services");
    expect(error.message).toContain("DOCS_BASE_URL_MOVED_FROM");
    expect(error.message).toContain("pulumi state delete URN");
  });

  it("explains how to correct an address that refresh and destroy take from the last up", async () => {
    expect(await messageOf({})).toHaveWording("a service at another address");
  });

  it("does not appear for another spelling, or for the former address of a moved service", async () => {
    expect(await messageOf({}, moved, movedFrom("HTTPS://docs.example.test:443/api/"))).toBe("");
    const other = emulator.url.replace("127.0.0.1", "LOCALHOST");
    expect(await messageOf({ "docs:baseUrl": `${other}/` }, emulator.url)).toBe("");
  });
});

it("a record is compared with no service while none is configured, as in a preview of what makes its address", async () => {
  const { "docs:baseUrl": _, ...unnamed } = configured;
  const provider = await startProvider("Site", { config: unnamed });
  expect(await provider.diff("site_product", state, {})).toMatchObject({ changes: false });
  await provider.stop();
  expect(() => refuseOtherServices(new Run({ settings: new Settings({}) }), { [moved]: "" })).not.toThrow();
});

it("a moved service causes one update without a request, which records the new address", async () => {
  const provider = await startProvider("Site", { config: configured, environment: movedFrom(moved) });
  expect(await provider.diff("site_product", state, {})).toMatchObject({ changes: true, replaces: [] });
  emulator.resetRequests();
  const updated = await provider.update("site_product", state, {});
  expect(updated).toMatchObject({ __origin: emulator.url });
  expect(await provider.read("site_product", state)).toMatchObject({ properties: { __origin: emulator.url } });
  expect(emulator.log.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(await provider.diff("site_product", updated, {})).toMatchObject({ changes: false });
  await provider.stop();
});

it("a state of an older version gets the record at the next read or update", async () => {
  const provider = await startProvider("Site", { config: configured });
  const { __origin: _, ...old } = state;
  const read = await provider.read("site_product", old);
  expect(read?.properties).toMatchObject({ __origin: emulator.url });
  expect(read?.inputs).not.toHaveProperty("__origin");
  expect(await provider.update("site_product", { ...old, allowDuplicate: true }, {})).toMatchObject({
    __origin: emulator.url,
  });
  expect(await provider.diff("site_product", old, {})).toMatchObject({ changes: false });
  await provider.stop();
});
