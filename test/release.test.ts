import { execFileSync } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { stateVersion } from "../provider/lifecycle/state-versions";
import { follows, type Released, release, releasedChangelog, sumOfState } from "../scripts/release/release";
import { root } from "../scripts/stack";
import { folder as states } from "./states/everything";

const date = "2027-01-31";
const releasedIn = async (folder: string): Promise<Released> =>
  JSON.parse(await readFile(path.join(folder, "released.json"), "utf8"));

it("the state of a released version is as it was released", async () => {
  for (const [version, { release: name, sha256 }] of Object.entries(await releasedIn(states)))
    expect(await sumOfState(states, Number(version)), `v${version} was released with ${name}`).toBe(sha256);
});

it.each([
  ["0.1.1", true],
  ["0.2.0", true],
  ["1.0.0", true],
  ["0.1.0", false],
  ["0.1.2", false],
  ["0.2.1", false],
  ["0.0.9", false],
  ["v0.2.0", false],
  ["0.2", false],
  ["", false],
])("whether %j follows 0.1.0: %s", (version, expected) => {
  expect(follows(version, "0.1.0")).toBe(expected);
});

it("the changelog gets the number and the date, and a new place for what is unreleased", () => {
  const entries = "### Added\n\n- A resource.\n";
  const text = `# Changelog\n\n## [Unreleased]\n\n${entries}\n## [0.1.0] - 2026-12-01\n\n- The first one.\n`;
  expect(releasedChangelog(text, "0.2.0", date)).toBe(text.replace("\n\n### A", `\n\n## [0.2.0] - ${date}\n\n### A`));
  expect(() => releasedChangelog(text.replace(entries, ""), "0.2.0", date)).toThrow("CHANGELOG.md has no entry below");
});

/** A clone with the files that a release reads, as they were at version 0.1.0. */
async function clone() {
  const folder = await mkdtemp(path.join(tmpdir(), "docs-org-release-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(states, path.join(folder, "test/states"), { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) {
    const text = await readFile(path.join(root, file), "utf8");
    const { version } = JSON.parse(text) as { version: string };
    await writeFile(path.join(folder, file), text.replaceAll(`"version": "${version}"`, '"version": "0.1.0"'));
  }
  await writeFile(path.join(folder, "CHANGELOG.md"), "## [Unreleased]\n\n### Added\n\n- A resource.\n");
  await writeFile(path.join(folder, "test/states/released.json"), "{}");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" });
  git("init", "--quiet");
  git("add", "--all");
  git("-c", "user.name=t", "-c", "user.email=t@acme.test", "commit", "--quiet", "--no-verify", "--message", "all");
  return { folder, changed: () => git("status", "--porcelain") };
}

it("a release has its version everywhere, and keeps the state", async () => {
  const { folder } = await clone();
  await release({ root: folder, version: "0.2.0", date, stateVersion });
  for (const file of ["package.json", "package-lock.json"])
    expect(JSON.parse(await readFile(path.join(folder, file), "utf8")).version).toBe("0.2.0");
  expect(await readFile(path.join(folder, "CHANGELOG.md"), "utf8")).toContain(
    `## [Unreleased]\n\n## [0.2.0] - ${date}\n`,
  );
  const copied = path.join(folder, "test/states");
  const released = await releasedIn(copied);
  expect(released[stateVersion]).toEqual({ release: "0.2.0", sha256: await sumOfState(copied, stateVersion) });
});

it("a wrong version and uncommitted changes are refused, and nothing is changed", async () => {
  const { folder, changed } = await clone();
  const attempt = (version: string) => release({ root: folder, version, date, stateVersion });
  await expect(attempt("0.3.0")).rejects.toHaveWording("a version that does not follow");
  expect(changed()).toBe("");
  await writeFile(path.join(folder, "other.txt"), "");
  await expect(attempt("0.2.0")).rejects.toThrow("not committed");
  expect(changed()).toBe("?? other.txt\n");
});
