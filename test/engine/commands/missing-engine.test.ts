import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = path.join(__dirname, "..", "..", "..");
const cli = path.join(root, "dist", "cli", "index.js");
const terminal = path.join(root, "test", "support", "terminal.py");

let folder: string;
let downloads: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "docs-org-missing-engine-"));
  writeFileSync(path.join(folder, "organization.yaml"), "organization: acme\n");
  downloads = path.join(folder, "downloads.cjs");
  writeFileSync(downloads, "globalThis.fetch = () => Promise.reject(new TypeError('fetch failed'));");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs `docs-org` without an engine and without a network, on a terminal if there is an answer to its question. */
function docsOrg(args: readonly string[], answer?: string) {
  const env = { ...process.env, XDG_CACHE_HOME: path.join(folder, "cache"), PULUMI_HOME: path.join(folder, "home") };
  const without = ["env", "PATH=/usr/bin:/bin", `NODE_OPTIONS=--require ${downloads}`, process.execPath, cli, ...args];
  const [command = "", ...rest] = answer === undefined ? without : ["python3", terminal, "[y/N] ", answer, ...without];
  const { status, stdout, stderr } = spawnSync(command, rest, { cwd: folder, env, encoding: "utf8", input: "" });
  return { status, output: stdout + stderr };
}

const byHand = /copy pulumi and pulumi-language-nodejs of it into .*\/engine-3\.259\.0-/;
const missing =
  /^docs-org: there is no Pulumi engine on the PATH \(it has no pulumi\); install the Pulumi CLI 3\.259 or newer/m;

it("refuses to go on without a terminal, and says what to put where", () => {
  const { status, output } = docsOrg(["preview"]);
  expect(status).toBe(1);
  expect(output).toMatch(missing);
  expect(output).toMatch(byHand);
});

it("asks on a terminal, and installs nothing after a no", () => {
  const { status, output } = docsOrg(["preview"], "n\r");
  expect(output).toMatch(/Download the Pulumi CLI 3\.259\.0 from get\.pulumi\.com into .*\? \[y\/N\]/);
  expect(output).toMatch(missing);
  expect(status).toBe(1);
});

it.each([[["up", "--yes"], undefined] as const, [["preview"], "y\r"] as const])(
  "says what to do if the download fails: %j",
  (args, answer) => {
    const { status, output } = docsOrg(args, answer);
    expect(status).toBe(1);
    expect(output).toMatch(/downloading Pulumi 3\.259\.0 from get\.pulumi\.com into .*\/engine-3\.259\.0-/);
    expect(output).toMatch(/download https:\/\/get\.pulumi\.com\/install\.sh: fetch failed/);
    expect(output).toMatch(byHand);
    expect(output).not.toMatch(/^\s+at /m);
    expect(readdirSync(path.join(folder, "cache", "pulumi-docs-org"))).toEqual([]);
  },
);
