import { expect, it, onTestFinished } from "vitest";
import { readState } from "../../provider/audit/state";
import { startEmulator } from "../../provider/emulator";
import { previews } from "../review/previews";
import { latest, seedOfVersion } from "../states/everything";
import { stateOf } from "../states/exported";

it("reads an exported state, without resources of other packages", async () => {
  const emulator = await startEmulator({ seed: await seedOfVersion(latest) });
  onTestFinished(() => emulator.close());
  const { name, resources } = readState(`\uFEFF${await stateOf(latest, emulator)}`, "state.json");
  expect(name).toBe("docs-org-test/test");
  expect(resources.map(({ type, name, id }) => `${type} ${name} ${id}`)).toContain("Site product site_product");
  expect(resources).toHaveLength(12);
});

it("reads the resources of both hosts, and no component", () => {
  const types = ["pulumi-nodejs:dynamic/docs:Site", "docs:index:Translation", "docs:index:Organization"];
  const resources = types.map((type) => ({ urn: `urn:pulumi:prod::docs::${type}::a`, type, id: "id" }));
  const state = readState(JSON.stringify({ deployment: { resources } }), "x");
  expect(state.resources.map(({ type, name }) => `${type} ${name}`)).toEqual(["Site a", "Translation a"]);
});

it("treats a stack without resources as one that declares nothing", () => {
  const text = JSON.stringify({ version: 3, deployment: { manifest: { time: "2026-01-01T00:00:00Z" } } });
  expect(readState(text, "new.json")).toEqual({ name: "new.json", source: "new.json", resources: [], notes: [] });
});

it.each([
  ["no text", ""],
  ["something else", "null"],
  ["something else", '{"version":1,"latest":{}}'],
  ["a preview", previews.change],
  ["resources that are none", '{"deployment":{"resources":[{}]}}'],
])("says what it is instead, in one sentence: %s", (name, text) => {
  expect(() => readState(text, "x")).toThrow(expect.toHaveWording(name));
});

it("says that it is not JSON", () => {
  expect(() => readState("error: no stack", "x")).toThrow(
    /^x is not JSON \(.*\); .* alone, without its standard error$/,
  );
});
