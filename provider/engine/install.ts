import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { DocsError } from "../api/http/errors";
import { CommandFailed, lastLines } from "./child";
import { CLI, holdsEngine, LANGUAGE_HOST, refreshProviderScript } from "./files";
import { type Engine, engineInCache, type Missing } from "./find";
import { versionOf } from "./search";
import { ENGINE_VERSION, MINIMUM_VERSION } from "./version";

/** Working folders of a way. They are removed afterwards, except `folder` if it contains an engine. */
export interface Stage {
  folder: string;
  /** Folder for everything else: downloads, temporary files. */
  scratch: string;
  environment: NodeJS.ProcessEnv;
  log(line: string): void;
}

/** One way to get an engine: it puts the CLI and the language host of ENGINE_VERSION into the stage's folder. */
export interface Way {
  /** Line to log at the start, with the expected duration. */
  step: string;
  /** What the user can do to make this way work. */
  remedy: string;
  install(stage: Stage): Promise<void>;
}

export interface InstallOptions {
  ways: readonly Way[];
  /** What is missing, as a sentence. */
  missing: string;
  /** What the user can do instead of an installation. */
  remedies: readonly string[];
  environment: NodeJS.ProcessEnv;
  log(line: string): void;
}

/** Installs the engine that a search did not find into the user's cache, which takes minutes, once. */
export async function installMissing(
  { refusal, cache: folder }: Missing,
  { ways, environment, log }: Pick<InstallOptions, "ways" | "environment" | "log">,
): Promise<Engine> {
  log(`no engine on PATH (${refusal}) nor in ${folder}`);
  const remedies = [
    `put pulumi >= ${MINIMUM_VERSION} and ${LANGUAGE_HOST} on PATH (now: ${refusal})`,
    `without a network, copy ${CLI} and ${LANGUAGE_HOST} of Pulumi ${ENGINE_VERSION} into ${folder}`,
  ];
  await installEngine(folder, { ways, missing: "There is no Pulumi engine.", remedies, environment, log });
  log(`the engine is in ${folder}`);
  return engineInCache(folder, environment);
}

/** Installs an engine into `target` in the first way that works, or leaves nothing behind. */
export async function installEngine(target: string, options: InstallOptions): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true });
  const remedies = [...options.remedies];
  for (const way of options.ways) {
    options.log(way.step);
    try {
      return await attempt(way, target, options);
    } catch (error) {
      options.log(`that failed: ${cause(error)}`);
      if (error instanceof CommandFailed) for (const line of lastLines(error.output, 8)) options.log(`  | ${line}`);
      remedies.push(`${way.remedy} (now: ${cause(error)})`);
    }
  }
  throw new DocsError(`${options.missing} Any one of these fixes it:\n  - ${remedies.join("\n  - ")}`);
}

/** Works in a folder beside the target, which the rename then replaces at once: two installers do not disturb each other. */
async function attempt(way: Way, target: string, { environment, log }: InstallOptions): Promise<void> {
  const home = await mkdtemp(`${target}.tmp-`);
  try {
    const stage = { environment, log, folder: path.join(home, "engine"), scratch: path.join(home, "scratch") };
    await mkdir(stage.folder);
    await mkdir(stage.scratch);
    await way.install(stage);
    await verify(stage.folder);
    await refreshProviderScript(stage.folder);
    await putInPlace(stage.folder, target, home);
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function verify(folder: string): Promise<void> {
  if (!(await holdsEngine(folder))) throw new Error(`it did not produce both ${CLI} and ${LANGUAGE_HOST}`);
  const version = await versionOf(path.join(folder, CLI));
  if (version !== ENGINE_VERSION) throw new Error(`it produced pulumi ${version} instead of ${ENGINE_VERSION}`);
}

async function putInPlace(folder: string, target: string, home: string): Promise<void> {
  if (await holdsEngine(target)) return;
  // An incomplete folder was damaged by hand; the rename needs a free name.
  await rename(target, path.join(home, "damaged")).catch(ignoreMissing);
  await rename(folder, target);
}

function cause(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const last = error instanceof CommandFailed ? lastLines(error.output, 1)[0] : undefined;
  const text = last ? `${message}: ${last}` : message;
  return text.replace(/\s+/g, " ").slice(0, 300);
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
