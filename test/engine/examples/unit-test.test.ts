import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { root } from "../../../scripts/stack";

/** An environment without the settings of the machine, and with the address of a proxy that does not exist. */
const environment = {
  PATH: process.env.PATH,
  HTTPS_PROXY: "http://127.0.0.1:1",
  HTTP_PROXY: "http://127.0.0.1:1",
  NO_PROXY: "127.0.0.1",
};

it("runs the example of a unit test with Node.js only, without an engine or a network", async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["-r", "ts-node/register/transpile-only", "--test", "--test-reporter=tap", "program.test.ts"],
    { cwd: path.join(root, "examples", "unit-test"), env: environment },
  ).catch((error) => error);
  expect(stdout).toMatch(/^# pass 4$/m);
  expect(stdout).toMatch(/^# fail 0$/m);
});
