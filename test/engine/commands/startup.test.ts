import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";

const root = path.join(__dirname, "..", "..", "..");
const report = "process.on('exit', () => process.stderr.write('\\n' + JSON.stringify(Object.keys(require.cache))));";

/** The packages and the files of this package that a command has loaded when it ends. */
function loadedBy(args: readonly string[], input = ""): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), "docs-org-startup-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const reporter = path.join(folder, "report.cjs");
  writeFileSync(reporter, report);
  const command = ["--require", reporter, path.join(root, "dist", "cli", "index.js"), ...args];
  const { status, stderr } = spawnSync(process.execPath, command, { encoding: "utf8", input });
  if (status !== 0) throw new Error(stderr);
  const files: string[] = JSON.parse(stderr.split("\n").at(-1) ?? "");
  const inside = files.filter((file) => file !== reporter).map((file) => path.relative(root, file));
  return [...new Set(inside.map((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? file))].sort();
}

it("loads the commands, and nothing that they need, for the help", () => {
  const light = ["commander", "dist/cli/index.js", "dist/shared/command.js"];
  expect(loadedBy(["--help"])).toEqual(light);
  expect(loadedBy(["up", "--help"])).toEqual(light);
});

it("loads neither the SDK nor what sends requests, for the review of a saved preview", () => {
  const urn = "urn:pulumi:dev::acme::docs:index:Site::guide";
  const preview = JSON.stringify({ steps: [{ op: "same", urn, newState: { urn, type: "docs:index:Site" } }] });
  const loaded = loadedBy(["review"], preview);
  expect(loaded).toContain("zod");
  for (const heavy of ["@pulumi/pulumi", "undici", "yaml", "picomatch"]) expect(loaded).not.toContain(heavy);
});
