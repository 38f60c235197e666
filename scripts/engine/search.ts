import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { run } from "./child";
import { CLI, isExecutable, LANGUAGE_HOST } from "./files";
import { isAtLeast, MINIMUM_VERSION } from "./version";

const VERSION_DEADLINE = 20_000;

/** What PATH offers: an engine that will do, or why there is none, in a few words. */
export type Found = { folder: string; version: string } | { refusal: string };

/** Takes the first engine on PATH that will do: an old one in front of a new one is passed over. */
export async function searchPath(searched: string): Promise<Found> {
  const folders = searched.split(path.delimiter).filter(path.isAbsolute);
  const refusals: string[] = [];
  for (const folder of folders) {
    if (!(await isExecutable(path.join(folder, CLI)))) continue;
    const found = await judge(folder, folders);
    if ("folder" in found) return found;
    refusals.push(found.refusal);
  }
  return { refusal: [...new Set(refusals)].join("; ") || "no pulumi is there" };
}

async function judge(folder: string, folders: readonly string[]): Promise<Found> {
  const cli = path.join(folder, CLI);
  const version = await versionOf(cli).catch(() => undefined);
  if (!version) return { refusal: `${cli} does not tell its version` };
  if (!isAtLeast(version, MINIMUM_VERSION)) return { refusal: `${cli} is ${version}, too old` };
  for (const each of [folder, ...folders]) {
    if (await isExecutable(path.join(each, LANGUAGE_HOST))) return { folder, version };
  }
  return { refusal: `${cli} is ${version}, but ${LANGUAGE_HOST} is neither beside it nor on PATH` };
}

/** The version that a CLI reports, without the "v". */
export async function versionOf(cli: string): Promise<string> {
  // Every call writes a log into this folder; asking for the version is to leave no trace in the user's own.
  const home = await mkdtemp(path.join(tmpdir(), "pulumi-version-"));
  try {
    const env = { ...process.env, PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "true" };
    const { stdout } = await run(cli, ["version"], { env, deadline: VERSION_DEADLINE });
    const version = /^v?(\d+\.\d+\.\d+\S*)\s*$/m.exec(stdout)?.[1];
    if (!version) throw new Error(`${cli} version printed no version`);
    return version;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
