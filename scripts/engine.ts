import { automationApi } from "../provider/engine/automation";
import { holdsEngine } from "../provider/engine/files";
import { cachedFolder, type Engine, engineInCache, searchEngine } from "../provider/engine/find";
import { installEngine, installMissing, type Way } from "../provider/engine/install";
import { goBuild } from "./engine/go-build";
import { findsLanguages, languagesBuild, languagesVersion, OTHER_HOSTS } from "./engine/language-hosts";

export type { Engine } from "../provider/engine/find";

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
  const found = await searchEngine(environment);
  return "folder" in found ? found : undefined;
}

/** Finds an engine, or installs one into the user's cache, which takes minutes, once. */
export async function ensureEngine(options: EngineOptions = {}): Promise<Engine> {
  const { environment = process.env, ways = [automationApi, goBuild], log = logToStderr } = options;
  const found = await searchEngine(environment);
  if ("folder" in found) return found;
  return installMissing(found, { ways, environment, log });
}

/** Finds the language hosts of Go, Python and YAML beside an engine or on PATH, or builds them, which takes minutes, once. */
export async function ensureLanguages(options: EngineOptions = {}): Promise<Engine> {
  const { environment = process.env, log = logToStderr } = options;
  const engine = await ensureEngine(options);
  if (await findsLanguages(engine.environment.PATH ?? "")) return engine;
  const folder = cachedFolder(environment, `languages-${languagesVersion()}`);
  if (!(await holdsEngine(folder))) {
    const missing = "There are no language hosts of Go, Python and YAML.";
    const remedies = [`put ${OTHER_HOSTS.join(", ")} on PATH`];
    await installEngine(folder, { ways: [languagesBuild(engine.folder)], missing, remedies, environment, log });
    log(`the engine with its language hosts is in ${folder}`);
  }
  return engineInCache(folder, environment);
}

function logToStderr(line: string): void {
  process.stderr.write(`engine: ${line}\n`);
}
