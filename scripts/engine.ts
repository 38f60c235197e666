import { homedir } from "node:os";
import path from "node:path";
import { automationApi } from "./engine/automation";
import {
  holdsEngine,
  isExecutable,
  LANGUAGE_HOST,
  PROVIDER_SCRIPT,
  refreshProviderScript,
  sdkFolder,
} from "./engine/files";
import { goBuild } from "./engine/go-build";
import { installEngine, type Way } from "./engine/install";
import { findsLanguages, languagesBuild, OTHER_HOSTS } from "./engine/language-hosts";
import { searchPath } from "./engine/search";
import { ENGINE_VERSION, MINIMUM_VERSION } from "./engine/version";

/** A Pulumi CLI with its Node.js language host. */
export interface Engine {
  folder: string;
  /** Without the "v". */
  version: string;
  /** The process's environment with the engine first on PATH: spawn `pulumi` with it. */
  environment: NodeJS.ProcessEnv;
}

export interface EngineOptions {
  /** Environment from which PATH and the folder of the cache are read; the process's own by default. */
  environment?: NodeJS.ProcessEnv;
  /** Ways to install an engine if there is none, tried in this order. */
  ways?: readonly Way[];
  /** Called with a line for each step of an installation; writes to stderr by default. */
  log?: (line: string) => void;
}

/** Finds an installed engine, on PATH or in the cache; `undefined` if there is none. Installs nothing. */
export async function findEngine({ environment = process.env }: EngineOptions = {}): Promise<Engine | undefined> {
  const found = await searchPath(environment.PATH ?? "");
  if ("folder" in found) return engineOnPath(found, environment);
  const folder = cachedFolder(environment);
  return (await holdsEngine(folder)) ? engineInCache(folder, environment) : undefined;
}

/** Finds an engine, or installs one into the user's cache, which takes minutes, once. */
export async function ensureEngine(options: EngineOptions = {}): Promise<Engine> {
  const { environment = process.env, ways = [automationApi, goBuild], log = logToStderr } = options;
  const found = await searchPath(environment.PATH ?? "");
  if ("folder" in found) return engineOnPath(found, environment);
  const folder = cachedFolder(environment);
  if (!(await holdsEngine(folder))) {
    log(`no engine on PATH (${found.refusal}) nor in ${folder}`);
    const remedy = `put pulumi >= ${MINIMUM_VERSION} and ${LANGUAGE_HOST} on PATH (now: ${found.refusal})`;
    await installEngine(folder, { ways, missing: "There is no Pulumi engine.", remedy, environment, log });
    log(`the engine is in ${folder}`);
  }
  return engineInCache(folder, environment);
}

/** Finds the language hosts of Go, Python and YAML beside an engine or on PATH, or builds them, which takes minutes, once. */
export async function ensureLanguages(options: EngineOptions = {}): Promise<Engine> {
  const { environment = process.env, log = logToStderr } = options;
  const engine = await ensureEngine(options);
  if (await findsLanguages(engine.environment.PATH ?? "")) return engine;
  const folder = cachedFolder(environment, "languages");
  if (!(await holdsEngine(folder))) {
    const missing = "There are no language hosts of Go, Python and YAML.";
    const remedy = `put ${OTHER_HOSTS.join(", ")} on PATH`;
    await installEngine(folder, { ways: [languagesBuild(engine.folder)], missing, remedy, environment, log });
    log(`the engine with its language hosts is in ${folder}`);
  }
  return engineInCache(folder, environment);
}

/** Outside the checkout, so that all checkouts share it and none needs to ignore it in git. */
function cachedFolder(environment: NodeJS.ProcessEnv, content = "engine"): string {
  const cache = environment.XDG_CACHE_HOME;
  // The XDG specification says to ignore a relative path.
  const base = cache && path.isAbsolute(cache) ? cache : path.join(environment.HOME ?? homedir(), ".cache");
  return path.join(base, "pulumi-docs-org", `${content}-${ENGINE_VERSION}-${process.platform}-${process.arch}`);
}

async function engineInCache(folder: string, environment: NodeJS.ProcessEnv): Promise<Engine> {
  await refreshProviderScript(folder);
  // The project pins the version, so a hint to upgrade would only distract.
  const settings = { PULUMI_SKIP_UPDATE_CHECK: "true", ...environment };
  return { folder, version: ENGINE_VERSION, environment: withPath(settings, folder) };
}

async function engineOnPath(
  found: { folder: string; version: string },
  environment: NodeJS.ProcessEnv,
): Promise<Engine> {
  const engine = { ...found, environment: withPath(environment, found.folder) };
  const folders = engine.environment.PATH?.split(path.delimiter) ?? [];
  for (const folder of folders) if (await isExecutable(path.join(folder, PROVIDER_SCRIPT))) return engine;
  // Some distributions omit the script. It works last on PATH, but the engine warns that it is not beside the CLI.
  return { ...engine, environment: withPath(environment, found.folder, sdkFolder()) };
}

function withPath(environment: NodeJS.ProcessEnv, first: string, last?: string): NodeJS.ProcessEnv {
  const folders = [first, environment.PATH, last].filter(Boolean);
  return { ...environment, PATH: folders.join(path.delimiter) };
}

function logToStderr(line: string): void {
  process.stderr.write(`engine: ${line}\n`);
}
