import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as definitions from "../../provider/definitions";
import { type Emulator, startEmulator } from "../../provider/emulator";
import { stubOf } from "../../provider/hosts/dynamic/stub";
import { root } from "../../scripts/stack";
import { ProviderProcess } from "../support/provider-process";
import { configOf } from "../support/settings";

/** The texts that released versions wrote into states. They are never changed; a new one is added below them. */
const released = {
  "0.1.0":
    'exports.handler=()=>require("module").createRequire(process.cwd()+"/")("pulumi-docs-org/runtime").handler("Site")',
};

it("has a handler for every resource in the compiled package", () => {
  const { handler } = require(path.join(root, "dist", "hosts", "dynamic", "runtime.js"));
  for (const name of Object.keys(definitions)) expect(handler(name)).toMatchObject({ create: expect.any(Function) });
  expect(() => handler("Sight")).toThrow(/has no resource "Sight"/);
});

describe("the text in the state", () => {
  let emulator: Emulator;
  let project: string;

  beforeAll(async () => {
    emulator = await startEmulator();
    project = await mkdtemp(path.join(tmpdir(), "docs-org-user-"));
    await writeFile(path.join(project, "package.json"), '{ "name": "somebody-elses-program", "private": true }');
    await mkdir(path.join(project, "node_modules"));
    await symlink(root, path.join(project, "node_modules", "pulumi-docs-org"));
  });
  afterAll(async () => {
    await emulator.close();
    await rm(project, { recursive: true, force: true });
  });

  it("is short, and the same as in the released version", () => {
    expect(stubOf("Site")).toBe(Object.values(released).at(-1));
    // A name longer than any resource of the API would have.
    expect(Buffer.byteLength(stubOf("SiteAdaptiveSchemaConditionTemplate"))).toBeLessThanOrEqual(200);
  });

  it.each(Object.entries(released))("works in a project that has the package: version %s", async (_, text) => {
    const provider = await ProviderProcess.start("Site", { config: configOf(emulator), folder: project, text });
    const { id, properties } = await provider.create({ title: "Installed" });
    expect((await provider.read(id, properties))?.inputs).toEqual({ title: "Installed" });
    await provider.stop();
    const next = await ProviderProcess.start("Site", { config: configOf(emulator), folder: project, text });
    await next.delete(id, properties);
    expect(await next.read(id, properties)).toBeUndefined();
    await next.stop();
  });

  it("names the version to install for a resource that this version does not know", async () => {
    const provider = await ProviderProcess.start("Site", { folder: project, text: stubOf("Teapot") });
    await expect(provider.read("id", {})).rejects.toThrow(/has no resource "Teapot"; install the release/);
    await provider.stop();
  });
});
