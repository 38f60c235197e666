import { rm } from "node:fs/promises";
import path from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { exporting } from "../../export/support";
import { engineBench } from "../bench";

const bench = engineBench();
const { stackOf, done, refused, takeWrites } = bench;

afterEach(() => void vi.unstubAllEnvs());

const commandsIn = (stdout: string): string[][] =>
  [...stdout.matchAll(/^ {2}pulumi ([^#\n]+)/gm)].map(([, command = ""]) => command.trim().split(" "));

/** Guides take over files, and a program of dynamic providers differs only in the name of the package. */
it("writes a program of every kind of resource, with which the printed commands take over the organization without a write", async () => {
  const stack = await stackOf({ text: "" });
  for (const file of ["index.ts", "Pulumi.yaml", "tsconfig.json"]) await rm(path.join(stack.folder, file));
  await stack.linkPackage();
  for (const [name, value] of Object.entries(stack.environment)) vi.stubEnv(name, value ?? "");
  const { status, stdout, stderr } = await exporting(
    ...["--out", stack.folder, "--name", "taken", "--host", "plugin", "--format", "resources"],
  );
  if (status !== 0) throw new Error(stderr);
  done(await stack.run("stack", "init", "test"));
  const outputs: string[] = [];
  for (const command of commandsIn(stdout)) outputs.push(done(await stack.run(...command)).output);
  const printed = ["= 12 imported", "+ 1 to create", "+ 1 created", "14 unchanged"];
  expect(outputs).toEqual(printed.map((text) => expect.stringContaining(text)));
  expect(outputs.join("\n")).not.toMatch(/to (delete|replace)/);
  expect(await stack.stateFile()).not.toContain(bench.emulator.token);
  expect(takeWrites()).toEqual([]);

  const protectedSites = (await stack.resources()).filter(({ type, protect }) => /:Site$/.test(type) && protect);
  expect(protectedSites).toHaveLength(2);
  refused(await stack.destroy(), /is protected/);
  expect(takeWrites().filter((write) => /^DELETE .*\/sites\/[^/]+$/.test(write))).toEqual([]);
});
