import { constants } from "node:fs";
import { access, mkdtemp, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { DocsError } from "../api/http/errors";
import { userCache } from "../start/user-cache";
import { cut } from "../text/masking";
import { runProcess } from "./child";
import { ENGINE_VERSION, isAtLeast, MINIMUM_VERSION } from "./version";

/** The files of an engine's folder. Some distributions omit the script, which the SDK has as well. */
export const CLI = "pulumi";
export const LANGUAGE_HOST = "pulumi-language-nodejs";
export const PROVIDER_SCRIPT = "pulumi-resource-pulumi-nodejs";

/** Folder of the installed SDK, which contains the script that starts dynamic providers. */
export function sdkFolder(): string {
  return path.dirname(createRequire(__filename).resolve("@pulumi/pulumi/package.json"));
}

export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** Whether the folder has both programs. Folders are put in place by a rename, so one with both programs is complete. */
export async function holdsEngine(folder: string): Promise<boolean> {
  return (await isExecutable(path.join(folder, CLI))) && (await isExecutable(path.join(folder, LANGUAGE_HOST)));
}

/** A Pulumi CLI with its Node.js language host. */
export interface Engine {
  folder: string;
  /** Without the "v". */
  version: string;
  /** The process's environment with the engine first on PATH: spawn `pulumi` with it. */
  environment: NodeJS.ProcessEnv;
}

/** The reason why PATH has no engine, and the folder of the cache, where there is none either. */
export interface MissingEngine {
  readonly refusal: string;
  readonly cache: string;
}

/** Says that there is no engine and how to get one, also after a download that failed. */
export function missingEngine({ refusal, cache }: MissingEngine, failure?: Error): DocsError {
  const cause = failure ? `, and its download failed (${cut(failure.message.replace(/\s+/g, " "), 300)})` : "";
  return new DocsError(
    `there is no Pulumi engine on the PATH (${refusal})${cause}; install the Pulumi CLI ${MINIMUM_VERSION} or newer ` +
      `(https://www.pulumi.com/docs/install), or without a network, copy ${CLI} and ${LANGUAGE_HOST} of it into ${cache}`,
    { cause: failure },
  );
}

/** Finds an installed engine, on PATH or in the cache. Installs nothing. */
export async function searchEngine(environment: NodeJS.ProcessEnv): Promise<Engine | MissingEngine> {
  const cache = cachedFolder(environment);
  const found = await searchPath(environment.PATH ?? "", cache);
  if ("folder" in found) return engineIn(found, environment);
  return (await holdsEngine(cache)) ? engineInCache(cache, environment) : { ...found, cache };
}

/** Outside the project, so that all projects share it and none needs to ignore it in git. */
export const cachedFolder = (environment: NodeJS.ProcessEnv, content = "engine"): string =>
  path.join(userCache(environment), `${content}-${ENGINE_VERSION}-${process.platform}-${process.arch}`);

export function engineInCache(folder: string, environment: NodeJS.ProcessEnv): Promise<Engine> {
  // The project pins the version, so a hint to upgrade would only distract.
  const settings = { PULUMI_SKIP_UPDATE_CHECK: "true", ...environment };
  return engineIn({ folder, version: ENGINE_VERSION }, settings);
}

async function engineIn(found: { folder: string; version: string }, environment: NodeJS.ProcessEnv): Promise<Engine> {
  const engine = { ...found, environment: withPath(environment, found.folder) };
  const folders = engine.environment.PATH?.split(path.delimiter) ?? [];
  for (const folder of folders) if (await isExecutable(path.join(folder, PROVIDER_SCRIPT))) return engine;
  // The script of the SDK works at the end of PATH. Any other one is preferred, because the engine warns that it is not beside the CLI.
  return { ...engine, environment: withPath(environment, found.folder, sdkFolder()) };
}

function withPath(environment: NodeJS.ProcessEnv, first: string, last?: string): NodeJS.ProcessEnv {
  const folders = [first, environment.PATH, last].filter(Boolean);
  return { ...environment, PATH: folders.join(path.delimiter) };
}

const VERSION_DEADLINE = 20_000;

/** A suitable engine on PATH, or a short reason why there is none. */
type Found = { folder: string; version: string } | { refusal: string };

/** Finds the first suitable engine on PATH; versions that are too old are skipped. */
async function searchPath(searched: string, cache: string): Promise<Found> {
  const folders = searched.split(path.delimiter).filter(path.isAbsolute);
  const refusals: string[] = [];
  for (const folder of folders) {
    if (!(await isExecutable(path.join(folder, CLI)))) continue;
    // The engine of the cache need not be started to learn its version.
    const isCached = folder === cache && (await holdsEngine(cache));
    const found = isCached ? { folder, version: ENGINE_VERSION } : await judge(folder, folders);
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
  for (const each of [folder, ...folders])
    if (await isExecutable(path.join(each, LANGUAGE_HOST))) return { folder, version };
  return { refusal: `${cli} is ${version}, but ${LANGUAGE_HOST} is neither beside it nor on PATH` };
}

async function versionOf(cli: string): Promise<string> {
  // Every call writes a log into PULUMI_HOME; a temporary one keeps the user's own folder unchanged.
  const home = await mkdtemp(path.join(tmpdir(), "pulumi-version-"));
  try {
    const env = { ...process.env, PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "true" };
    const stdout = await runProcess(cli, ["version"], { env, deadline: VERSION_DEADLINE });
    const version = /^v?(\d+\.\d+\.\d+\S*)\s*$/m.exec(stdout)?.[1];
    if (!version) throw new Error(`${cli} version printed no version`);
    return version;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
