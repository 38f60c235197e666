import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../provider/emulator";
import { ResourceHandler } from "../provider/lifecycle/handler";
import { type StateStep, stateVersion, upgrade } from "../provider/lifecycle/state-versions";
import { site } from "../provider/resources/site/site";
import type { Properties } from "../provider/run/properties";
import { Run } from "../provider/run/run";
import { settingsOf } from "./support/settings";

/** Two changes as they may come: a property gets another name, and one resource more to say. */
const renamed: StateStep = (_, { name, ...others }) => (name === undefined ? others : { ...others, title: name });
const counted: StateStep = (resource, outputs) => (resource === "Site" ? { ...outputs, siteSpaces: 0 } : outputs);
const steps = [renamed, counted];

describe("upgrade", () => {
  it.each([
    ["without a version", { name: "a" }],
    ["of version 1", { name: "a", __version: 1 }],
    ["of version 2", { title: "a", __version: 2 }],
  ])("brings a state %s to the current one", (_, outputs) => {
    expect(upgrade("Site", outputs, steps)).toEqual({ title: "a", siteSpaces: 0, __version: 3 });
    expect(upgrade("Translation", outputs, steps)).toEqual({ title: "a", __version: 3 });
  });

  it("leaves a state of the current version and the given object unchanged", () => {
    const outputs = Object.freeze({ name: "kept", __version: 3 });
    expect(upgrade("Site", outputs, steps)).toEqual(outputs);
    expect(upgrade("Site", Object.freeze({ name: "a" }), steps)).toMatchObject({ title: "a" });
  });

  it("runs no step for a state of this version", () => {
    const outputs = { title: "a", __version: stateVersion };
    expect(upgrade("Site", outputs)).toEqual(outputs);
  });

  it.each([4, 0, 1.5, "1", null])("refuses a state of version %j, which is unknown", (version) => {
    const attempt = () => upgrade("Site", { __version: version }, steps);
    expect(attempt).toThrow(new RegExp(`^Site: .* version ${JSON.stringify(version)}, .* up to 3`));
    if (version === 4) expect(attempt).toThrow(expect.toHaveWording("a state of a newer version"));
  });
});

describe("the handlers", () => {
  const environment = { ...process.env };
  let emulator: Emulator;
  beforeEach(async () => {
    emulator = await startEmulator();
    Object.assign(process.env, settingsOf(emulator));
  });
  afterEach(async () => {
    process.env = { ...environment };
    await emulator.close();
  });

  const old = { name: "Product docs", organizationId: "acme", siteId: "site_product" };
  const run = new Run();
  const handlerOfSite = () => new ResourceHandler(site, { run }, steps);
  const sent = () => emulator.log.filter(({ method }) => method !== "GET");

  it("accept an old state in each call", async () => {
    const handler = handlerOfSite();
    expect(await handler.diff("site_product", old, { title: "Product docs" })).toMatchObject({ changes: false });
    expect(await handler.diff("site_product", old, { title: "Other" })).toMatchObject({ changes: true });
    expect(await handler.read("site_product", old)).toMatchObject({ inputs: { title: "Product docs" } });
    expect(await handler.update("site_product", old, { title: "Product docs", allowReplace: true })).toMatchObject({
      outs: { title: "Product docs", siteSpaces: 0 },
    });
    expect(sent()).toEqual([]);
    await handler.delete("site_product", old);
    expect(sent()).toMatchObject([{ method: "DELETE", path: "/v1/orgs/acme/sites/site_product" }]);
  });

  it.each([
    ["diff", (handler: ResourceHandler, state: Properties) => handler.diff("site_product", state, {})],
    ["read", (handler: ResourceHandler, state: Properties) => handler.read("site_product", state)],
    ["update", (handler: ResourceHandler, state: Properties) => handler.update("site_product", state, {})],
    ["delete", (handler: ResourceHandler, state: Properties) => handler.delete("site_product", state)],
  ] as const)("refuse a newer state in %s, before any request", async (_, call) => {
    await expect(call(handlerOfSite(), { ...old, __version: 9 })).rejects.toThrow(/Site: its state has version 9/);
    expect(emulator.log).toEqual([]);
  });
});
