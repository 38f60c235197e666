import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { startEmulator } from "../../../provider/emulator";
import { root } from "../../../scripts/stack";
import { settingsOf } from "../../support/settings";

/** Runs a file of an example with Node.js only, in an environment without the settings of the machine. */
async function run(example: string, args: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const options = { cwd: path.join(root, "examples", example), env: { PATH: process.env.PATH, ...environment } };
  const command = ["-r", "ts-node/register/transpile-only", ...args];
  // The error of a program that fails has its output as well.
  const { stdout } = await promisify(execFile)(process.execPath, command, options).catch((error) => error);
  return stdout;
}

it("lists the members of every team without Pulumi", async () => {
  const emulator = await startEmulator();
  onTestFinished(() => emulator.close());
  const output = await run("client", ["list-team-members.ts"], settingsOf(emulator));
  for (const title of ["Writers", "Engineers", "Support"]) expect(output).toContain(`${title} (team_`);
  expect(output.match(/^ {2}.+, (owner|member)$/gm)).toHaveLength(10);
});

it("runs the example of a unit test without an engine or a network", async () => {
  // The address of a proxy that does not exist.
  const proxy = { HTTPS_PROXY: "http://127.0.0.1:1", HTTP_PROXY: "http://127.0.0.1:1", NO_PROXY: "127.0.0.1" };
  const output = await run("unit-test", ["--test", "--test-reporter=tap", "program.test.ts"], proxy);
  expect(output).toMatch(/^# pass 4$/m);
  expect(output).toMatch(/^# fail 0$/m);
});
