import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { startEmulator } from "../../provider/emulator";
import { seedOfVersion } from "../../test/states/everything";
import { fileOfState } from "../../test/states/exported";

const run = promisify(execFile);

/** A mistake of the person who releases. */
export class ReleaseError extends Error {}

/** The released states by the number of their version: the first release with it, and the sum that its files must keep. */
export type Released = Readonly<Record<string, { readonly release: string; readonly sha256: string }>>;

const numbersIn = (version: string): number[] =>
  /^\d+\.\d+\.\d+$/.test(version) ? version.split(".").map(Number) : [];

/** Whether a version follows another one: a later patch, minor or major version, with zeros after it. */
export function follows(version: string, before: string): boolean {
  const [major = 0, minor = 0, patch = 0] = numbersIn(before);
  const next = [`${major + 1}.0.0`, `${major}.${minor + 1}.0`, `${major}.${minor}.${patch + 1}`];
  return next.includes(version);
}

/** Gives what is unreleased the number and the date of the release. */
export function releasedChangelog(text: string, version: string, date: string): string {
  const heading = "## [Unreleased]\n";
  const [before, after] = text.split(heading);
  const entries = after?.split(/^## \[/m)[0] ?? "";
  if (before === undefined || after === undefined || !/^- /m.test(entries))
    throw new ReleaseError(
      "CHANGELOG.md has no entry below ## [Unreleased]; a release needs one for each change that users see",
    );
  return `${before}${heading}\n## [${version}] - ${date}\n${after}`;
}

/** The sum of the exported state of a version and of the seed that it was written from. */
export async function sumOfState(folder: string, version: number): Promise<string> {
  const hash = createHash("sha256");
  for (const kind of ["yaml", "json"]) hash.update(await readFile(path.join(folder, `v${version}.${kind}`)));
  return hash.digest("hex");
}

/**
 * Writes the state of this version and notes it as released, unless an earlier release has it. From then on, a test refuses every
 * change of its files, and the engine tests continue stacks of it.
 */
export async function releaseState(folder: string, version: number, release: string): Promise<void> {
  const file = path.join(folder, "released.json");
  const released = JSON.parse(await readFile(file, "utf8")) as Released;
  if (released[version]) return;
  const emulator = await startEmulator({ seed: await seedOfVersion(`v${version}`) });
  await writeFile(path.join(folder, `v${version}.json`), await fileOfState(emulator));
  await emulator.close();
  const next: Released = { ...released, [version]: { release, sha256: await sumOfState(folder, version) } };
  await writeFile(file, `${JSON.stringify(next, undefined, 2)}\n`);
}

export interface Release {
  readonly root: string;
  readonly version: string;
  /** The day of the release, as in 2026-01-31. */
  readonly date: string;
  readonly stateVersion: number;
}

/** Checks everything first, so that a refused release changes nothing. */
export async function release({ root, version, date, stateVersion }: Release): Promise<void> {
  const manifest = JSON.parse(await readFile(path.join(root, "package.json"), "utf8")) as { version: string };
  if (!follows(version, manifest.version))
    throw new ReleaseError(
      `${version} does not follow ${manifest.version}; use the next patch, minor or major version`,
    );
  const { stdout: changed } = await run("git", ["status", "--porcelain"], { cwd: root });
  if (changed !== "")
    throw new ReleaseError(`there are changes that are not committed; commit them first:\n${changed}`);
  const changelog = path.join(root, "CHANGELOG.md");
  const text = releasedChangelog(await readFile(changelog, "utf8"), version, date);
  await run("npm", ["version", version, "--no-git-tag-version", "--ignore-scripts"], { cwd: root });
  await writeFile(changelog, text);
  await releaseState(path.join(root, "test", "states"), stateVersion, version);
}
