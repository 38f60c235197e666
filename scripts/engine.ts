import { chmod, copyFile, mkdir } from "node:fs/promises";
import path from "node:path";
import { CommandFailed, lastLines } from "../provider/engine/child";
import {
  cachedFolder,
  type Engine,
  engineInCache,
  holdsEngine,
  PROVIDER_SCRIPT,
  sdkFolder,
  searchEngine,
} from "../provider/engine/find";
import { downloadEngine, fillFolder } from "../provider/engine/install";
import { type BuildSite, buildEngine, MINIMUM_GO } from "./engine/go-build";
import { buildLanguages, findsLanguages, languagesVersion, OTHER_HOSTS } from "./engine/language-hosts";

export type { Engine } from "../provider/engine/find";

export interface EngineOptions {
  /** Environment from which PATH and the folder of the cache are read; the process's own by default. */
  environment?: NodeJS.ProcessEnv;
  /** Called with a line for each step of an installation; writes to stderr by default. */
  log?: (line: string) => void;
}

/** Finds an engine, or downloads or builds one into the user's cache, which takes minutes, once. */
export async function ensureEngine({
  environment = process.env,
  log = logToStderr,
}: EngineOptions = {}): Promise<Engine> {
  const found = await searchEngine(environment);
  if ("folder" in found) return found;
  log(`downloading the engine into ${found.cache} (once)`);
  try {
    return await downloadEngine(found, environment);
  } catch (error) {
    const { message } = error as Error;
    log(message);
    await buildInto(found.cache, message, { environment, log }, buildEngine);
  }
  return engineInCache(found.cache, environment);
}

/** Finds the language hosts of Go, Python and YAML beside an engine or on PATH, or builds them beside its CLI (minutes, once). */
export async function ensureLanguages(options: EngineOptions = {}): Promise<Engine> {
  const { environment = process.env, log = logToStderr } = options;
  const engine = await ensureEngine(options);
  if (await findsLanguages(engine.environment.PATH ?? "")) return engine;
  const folder = cachedFolder(environment, `languages-${languagesVersion()}`);
  if (!(await holdsEngine(folder))) {
    const missing = `there are no language hosts of Go, Python and YAML; put ${OTHER_HOSTS.join(", ")} on PATH`;
    await buildInto(folder, missing, { environment, log }, (site) => buildLanguages(engine.folder, site));
  }
  return engineInCache(folder, environment);
}

/** Builds programs into a folder of the cache. An error begins with `missing`, the reason to build, and says what else helps. */
async function buildInto(
  target: string,
  missing: string,
  options: Required<EngineOptions>,
  build: (site: BuildSite) => Promise<void>,
): Promise<void> {
  try {
    await fillFolder(target, async (scratch) => {
      const folder = path.join(scratch, "programs");
      await mkdir(folder);
      await build({ folder, scratch, ...options });
      const script = path.join(folder, PROVIDER_SCRIPT);
      await copyFile(path.join(sdkFolder(), PROVIDER_SCRIPT), script);
      await chmod(script, 0o755);
      return folder;
    });
  } catch (error) {
    const { message } = error as Error;
    const printed = error instanceof CommandFailed ? lastLines(error.output, 8) : [];
    const remedy = `or install Go ${MINIMUM_GO} or newer, and let it reach a Go module proxy`;
    throw new Error([`${missing}; ${remedy} (now: ${message})`, ...printed].join("\n  | "), { cause: error });
  }
  options.log(`the programs are in ${target}`);
}

function logToStderr(line: string): void {
  process.stderr.write(`engine: ${line}\n`);
}
