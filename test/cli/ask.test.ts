import { syncBuiltinESMExports } from "node:module";
import tty from "node:tty";
import { expect, onTestFinished, test, vi } from "vitest";
import { docsOrg } from "../support/docs-org";

/** Makes streams of this process look like terminals, or not. */
function terminals(found: { readonly stdin: boolean; readonly stderr: boolean }): void {
  for (const name of ["stdin", "stderr"] as const) {
    const before = Object.getOwnPropertyDescriptor(process[name], "isTTY");
    Object.defineProperty(process[name], "isTTY", { value: found[name], configurable: true });
    onTestFinished(() => {
      if (before) Object.defineProperty(process[name], "isTTY", before);
      else Reflect.deleteProperty(process[name], "isTTY");
    });
  }
}

test.each(["up", "destroy", "cancel", "take-over"])(
  "%s asks only if the question can be seen and answered",
  async (command) => {
    for (const stdin of [false, true]) {
      terminals({ stdin, stderr: !stdin });
      const { status, stdout, stderr } = await docsOrg(command);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr.replace(command, "COMMAND")).toHaveWording("a question that nobody can answer");
    }
  },
);

test.each([
  ["review", "a preview that nobody pipes in"],
  ["audit", "a state that nobody pipes in"],
])("%s does not wait for %s", async (command, name) => {
  const terminal = vi.spyOn(tty, "isatty").mockReturnValue(true);
  syncBuiltinESMExports();
  onTestFinished(() => {
    terminal.mockRestore();
    syncBuiltinESMExports();
  });
  const environment = { DOCS_BASE_URL: "http://127.0.0.1:9", DOCS_TOKEN: "secret-token", DOCS_ORGANIZATION_ID: "acme" };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await docsOrg(command)).toEqual({ status: 1, stdout: "", stderr: expect.toHaveWording(name) });
});
