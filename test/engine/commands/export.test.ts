import { rm } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Stack } from "../../../scripts/stack";
import { exporting } from "../../export/support";
import { latest, seedOf } from "../../states/everything";
import { engineBench } from "../bench";

afterEach(() => void vi.unstubAllEnvs());

/** The commands that an export prints. */
const commandsIn = (stdout: string): string[][] =>
  [...stdout.matchAll(/^ {2}pulumi ([^#\n]+)/gm)].map(([, command = ""]) => command.trim().split(" "));

const plugin = {
  options: async () => ({ seed: await seedOf(latest) }),
  args: ["--host", "plugin", "--format", "resources"],
  /** What the commands print: the import, a preview, the up and another preview. */
  printed: ["= 8 imported", "+ 1 to create", "+ 1 created", "10 unchanged"],
};
const dynamic = {
  options: async () => ({}),
  args: ["--format", "resources"],
  printed: ["= 13 imported", "14 unchanged", "14 unchanged"],
};

describe.each([
  ["an organization with every kind of object, with the plugin", plugin],
  ["the built-in organization, with dynamic providers", dynamic],
])("docs-org export of %s", async (_, { options, args, printed }) => {
  const bench = engineBench(await options());
  const { stackOf, done, refused, writes } = bench;

  /** The folder of a new project, which has the package as npm installs it. */
  async function emptyProject(): Promise<Stack> {
    const stack = await stackOf({ text: "" });
    for (const file of ["index.ts", "Pulumi.yaml", "tsconfig.json"]) await rm(path.join(stack.folder, file));
    await stack.linkPackage();
    return stack;
  }

  it("writes a program with which the printed commands take over the organization without a write", async () => {
    const stack = await emptyProject();
    for (const [name, value] of Object.entries(stack.environment)) vi.stubEnv(name, value ?? "");
    const { code, stdout, stderr } = await exporting("--out", stack.folder, "--name", "taken", ...args);
    if (code !== 0) throw new Error(stderr);
    done(await stack.run("stack", "init", "test"));
    const outputs: string[] = [];
    for (const command of commandsIn(stdout)) outputs.push(done(await stack.run(...command)).output);
    expect(outputs).toEqual(printed.map((text) => expect.stringContaining(text)));
    expect(outputs.join("\n")).not.toMatch(/to (delete|replace)/);
    expect(await stack.stateFile()).not.toContain(bench.emulator.token);
    expect(writes()).toEqual([]);
    const protectedSites = (await stack.resources()).filter(({ type, protect }) => /:Site$/.test(type) && protect);
    expect(protectedSites).toHaveLength(2);
    refused(await stack.destroy(), /is protected/);
    expect(writes().filter((write) => /^DELETE .*\/sites\/[^/]+$/.test(write))).toEqual([]);
  });
});
