import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { run } from "./child";
import { CLI, isExecutable, LANGUAGE_HOST } from "./files";
import { isAtLeast, MINIMUM_VERSION } from "./version";

const VERSION_DEADLINE = 20_000;

/** A suitable engine on PATH, or a short reason why there is none. */
export type Found = { folder: string; version: string } | { refusal: string };

/** Finds the first suitable engine on PATH; versions that are too old are skipped. */
export async function searchPath(searched: string): Promise<Found> {
  const folders = searched.split(path.delimiter).filter(path.isAbsolute);
  const refusals: string[] = [];
  for (const folder of folders) {
    if (!(await isExecutable(path.join(folder, CLI)))) continue;
    const found = await judge(folder, folders);
    if ("folder" in found) return found;
    refusals.push(found.refusal);
  }
  return { refusal: [...new Set(refusals)].join("; ") || "it has no pulumi" };
}

async function judge(folder: string, folders: readonly string[]): Promise<Found> {
  const cli = path.join(folder, CLI);
  const version = await versionOf(cli).catch(() => undefined);
  if (!version) return { refusal: `${cli} does not report its version` };
  if (!isAtLeast(version, MINIMUM_VERSION)) return { refusal: `${cli} is ${version}, too old` };
  for (const each of [folder, ...folders]) {
    if (await isExecutable(path.join(each, LANGUAGE_HOST))) return { folder, version };
  }
  return { refusal: `${cli} is ${version}, but ${LANGUAGE_HOST} is neither beside it nor on PATH` };
}

/** The version that a CLI reports, without the "v". */
export async function versionOf(cli: string): Promise<string> {
  // Every call writes a log into PULUMI_HOME; a temporary one keeps the user's own folder unchanged.
  const home = await mkdtemp(path.join(tmpdir(), "pulumi-version-"));
  try {
    const env = { ...process.env, PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "true" };
    const stdout = await run(cli, ["version"], { env, deadline: VERSION_DEADLINE });
    const version = /^v?(\d+\.\d+\.\d+\S*)\s*$/m.exec(stdout)?.[1];
    if (!version) throw new Error(`${cli} version printed no version`);
    return version;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
