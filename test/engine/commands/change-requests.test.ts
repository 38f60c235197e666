import { execFile } from "node:child_process";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startEmulator } from "../../../provider/emulator";
import { root } from "../../../scripts/stack";

/** The compiled command as a process of its own. */
async function docsOrg(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const { url, token, organizationId, close } = await startEmulator();
  onTestFinished(() => close());
  const env = { ...process.env, DOCS_BASE_URL: url, DOCS_TOKEN: token, DOCS_ORGANIZATION_ID: organizationId };
  const command = [path.join(root, "dist", "cli", "index.js"), ...args];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, command, { env }, (error, stdout, stderr) => {
      resolve({ status: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
    });
    child.stdin?.end("y\n");
  });
}

it("lists change requests, updates them, and checks the conditions afterwards", async () => {
  const { status, stdout, stderr } = await docsOrg("change-requests", "--pull", "--yes", "--fail-on", "broken-links");
  expect(status).toBe(2);
  expect(stdout).toMatch(/^3 open change requests: 1 breaks links, /);
  expect(stderr).toBe(
    "docs-org: outdated: guides #1 Explain rollback in detail\n" +
      "docs-org: 1 change request breaks links (--fail-on broken-links)\n",
  );
});

it("does not accept piped text as an answer to its question", async () => {
  const { status, stderr } = await docsOrg("change-requests", "--pull");
  expect([status, stderr]).toEqual([2, expect.stringMatching(/there is no terminal to answer on; add --yes\n$/)]);
});
