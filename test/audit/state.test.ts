import { expect, it, onTestFinished } from "vitest";
import { readState } from "../../provider/audit/state";
import { startEmulator } from "../../provider/emulator";
import { previews } from "../review/previews";
import { latest, seedOf } from "../states/everything";
import { stateOf } from "../states/exported";

it("reads an exported state, without resources of other packages", async () => {
  const emulator = await startEmulator({ seed: await seedOf(latest) });
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
  expect(readState(text, "new.json")).toEqual({ name: "new.json", source: "new.json", resources: [] });
});

it.each([
  [
    "",
    "x is empty; pipe in what pulumi stack export prints, or name a file with --state; if that command failed, its standard error says why",
  ],
  [
    "error: no stack",
    /^x is not JSON \(.*\); use the standard output of pulumi stack export alone, without its standard error$/,
  ],
  ["null", "x is not the state of a stack: it has no deployment; use what pulumi stack export prints"],
  [
    '{"version":1,"latest":{}}',
    "x is not the state of a stack: it has no deployment; use what pulumi stack export prints",
  ],
  [previews.change, "x is a preview, not the state of a stack; use what pulumi stack export prints"],
  [
    '{"deployment":{"resources":[{}]}}',
    "x has a deployment that cannot be read: its resources are not those of a state; use what pulumi stack export prints",
  ],
])("says what it is instead, in one sentence: %.40s", (text, message) => {
  expect(() => readState(text, "x")).toThrow(message);
});
