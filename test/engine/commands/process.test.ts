import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Plan, Review } from "pulumi-docs-org/review";
import { expect, it, onTestFinished } from "vitest";
import { root } from "../../../scripts/stack";
import { exported } from "../../audit/support";
import { previews } from "../../review/previews";
import { cli } from "./folder";

const node = (args: readonly string[], input = "", more: NodeJS.ProcessEnv = {}) =>
  spawnSync(process.execPath, args, { cwd: root, env: { ...process.env, ...more }, input, encoding: "utf8" });

/** The packages and the files of this package that a command has loaded when it ends. */
function loadedBy(args: readonly string[], input?: string): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), "docs-org-startup-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const reporter = path.join(folder, "report.cjs");
  writeFileSync(
    reporter,
    "process.on('exit', () => process.stderr.write('\\n' + JSON.stringify(Object.keys(require.cache))));",
  );
  const { status, stderr } = node(["--require", reporter, cli, ...args], input);
  if (status !== 0) throw new Error(stderr);
  const files: string[] = JSON.parse(stderr.split("\n").at(-1) ?? "");
  const inside = files.filter((file) => file !== reporter).map((file) => path.relative(root, file));
  return [...new Set(inside.map((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? file))].sort();
}

it("loads the commands, and nothing that they need, for the help", () => {
  // The start defers modules that a command may not need.
  const light = ["commander", "dist/cli/index.js", "dist/shared/command.js", "dist/shared/start.js"];
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

it("offers the review to programs by the name of the package, without loading the SDK", () => {
  const script = `
    const { readPreview, reviewOf, markdownOf, htmlOf, planOf } = require("pulumi-docs-org/review");
    const review = reviewOf(readPreview(require("node:fs").readFileSync(0, "utf8"), "a preview"));
    const pulumi = Object.keys(require.cache).filter((file) => file.includes("@pulumi"));
    console.log(JSON.stringify({ review, plan: planOf(review), texts: [markdownOf(review), htmlOf(review)], pulumi }));
  `;
  const { review, plan, texts, pulumi } = JSON.parse(node(["-e", script], previews.change).stdout) as {
    review: Review;
    plan: Plan;
    texts: string[];
    pulumi: string[];
  };
  expect(review.verdict).toMatchObject({ kind: "risky", gains: 6 });
  expect(plan.access.length + plan.resources.length).toBeGreaterThan(20);
  expect(texts).toEqual([expect.stringMatching(/^<!-- docs-org review/), expect.stringMatching(/^<!doctype html>/)]);
  expect(pulumi).toEqual([]);
});

it.each([[[]], [["--state", "-"]]])("reads a state from the standard input: audit %j", (args) => {
  const input = exported("b", { type: "Site", outputs: { organizationId: "globex" } });
  const settings = { DOCS_BASE_URL: "http://127.0.0.1:1", DOCS_TOKEN: "secret", DOCS_ORGANIZATION_ID: "acme" };
  const { status, stderr } = node([cli, "audit", ...args], input, settings);
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^docs-org: the standard input: .* globex.* "acme"/)]);
});
