import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import { providerKey } from "../../../provider/lifecycle/state";
import { pluginStack } from "../../../scripts/plugin-stack";
import type { Stack } from "../../../scripts/stack";
import { latest, seedOfVersion, versions } from "../../states/everything";
import { stateOf } from "../../states/exported";
import { kindOf, resourcesIn, writtenBy } from "../../states/written-by";
import { done } from "../../support/done";
import { settingsOf } from "../../support/settings";
import { moved } from "./plugin-stack";

let emulator: Emulator;
let stack: Stack;
async function start(text: string): Promise<void> {
  stack = await pluginStack({ text }, settingsOf(emulator));
}
afterEach(async () => {
  await stack.remove();
  await emulator.close();
});

const writes = () => emulator.log.filter(({ method }) => method !== "GET");
/** Keeps every resource protected, as the states are imported here. */
const protect =
  "pulumi.runtime.registerStackTransformation(({ props, opts }) => ({ props, opts: { ...opts, protect: true } }));\n";
const protectedProgram = (text: string): string => text.replace(/(?=^const above)/m, protect);

async function importState(state: string): Promise<void> {
  const all = JSON.parse(state);
  for (const one of all.deployment.resources) if (kindOf(one)) one.protect = true;
  const file = path.join(stack.folder, "state.json");
  await writeFile(file, JSON.stringify(all));
  done(await stack.run("stack", "import", "--file", file));
}

describe.each(versions)("a stack of the dynamic host with the state %s", (version) => {
  it("moves to the plugin with every resource without a request that changes something, and cannot move back", async () => {
    emulator = await startEmulator({ seed: await seedOfVersion(version) });
    const state = await stateOf(version, emulator);
    const former = protectedProgram(writtenBy(state).text);
    await start(moved(former));
    await importState(state);

    done(await stack.up("--refresh", "--expect-no-changes"));
    const custom = (await stack.resources()).filter(({ id }) => id !== undefined);
    const before = resourcesIn(state).filter(kindOf);
    expect(custom.map(({ type, id }) => `${type} ${id}`).sort()).toEqual(
      before.map((one) => `docs:index:${kindOf(one)} ${one.id}`).sort(),
    );
    expect(custom.filter((one) => !one.protect)).toEqual([]);
    // The refresh before the move was by the dynamic host. This one is by the plugin, which removes the text of that host.
    done(await stack.refresh("--expect-no-changes"));
    expect((await stack.resources()).filter(({ outputs = {} }) => providerKey in outputs)).toEqual([]);

    await stack.write({ text: former });
    const back = await stack.preview();
    expect(back.status).not.toBe(0);
    expect(back.output).toMatch(/the provider plugin manages .*: MemberRole "bea" and 11 more/);
    expect(back.output).toMatch(/import all classes from "pulumi-docs-org\/plugin"/);
    expect(writes()).toEqual([]);
  });
});

describe("a program of the dynamic host", () => {
  const lines = [
    'import * as pulumi from "@pulumi/pulumi";',
    'import * as docs from "pulumi-docs-org";',
    'const site = new docs.Site("guide", { title: "Guide", published: true });',
    "const schema = { siteId: site.siteId, claims: {}, unsignedClaims: {} };",
    'new docs.SiteAdaptiveSchema("guide", schema, { parent: site });',
    'const above = new pulumi.ComponentResource("own:index:Team", "writers");',
    'new docs.TeamMembership("femi", { teamId: "team_writers", user: "user_femi" }, { parent: above, aliases: [{ name: "old" }] });',
    "export const proxy = site.proxy;",
    "export const url = site.urls;",
  ];

  it("moves with children of other resources, and can change them afterwards", async () => {
    emulator = await startEmulator({ seed: await seedOfVersion(latest) });
    await start(lines.join("\n"));
    done(await stack.up());
    const count = writes().length;
    expect(count).toBeGreaterThan(2);

    const text = moved(lines.join("\n"));
    await stack.write({ text });
    done(await stack.up("--expect-no-changes"));
    expect(writes()).toHaveLength(count);

    await stack.write({ text: text.replace('title: "Guide"', 'title: "Manual"') });
    done(await stack.up());
    expect(writes().slice(count)).toMatchObject([{ method: "PATCH", path: expect.stringContaining("/sites/") }]);
    const [site] = (await stack.resources()).filter(({ type }) => type === "docs:index:Site");
    expect(site?.outputs).toMatchObject({ title: "Manual" });
    expect(site?.outputs).not.toHaveProperty(providerKey);
  });
});
