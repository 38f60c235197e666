import { homedir } from "node:os";
import path from "node:path";
import { DocsError } from "../api/http/errors";
import { cut } from "../text/masking";
import { CLI, holdsEngine, isExecutable, LANGUAGE_HOST, PROVIDER_SCRIPT, sdkFolder } from "./files";
import { searchPath } from "./search";
import { ENGINE_VERSION, MINIMUM_VERSION } from "./version";

/** A Pulumi CLI with its Node.js language host. */
export interface Engine {
  folder: string;
  /** Without the "v". */
  version: string;
  /** The process's environment with the engine first on PATH: spawn `pulumi` with it. */
  environment: NodeJS.ProcessEnv;
}

/** The reason why PATH has no engine, and the folder of the cache, where there is none either. */
export interface Missing {
  readonly refusal: string;
  readonly cache: string;
}

/** Says that there is no engine and how to get one, also after a download that failed. */
export function missingEngine({ refusal, cache }: Missing, failure?: Error): DocsError {
  const cause = failure ? `, and its download failed (${cut(failure.message.replace(/\s+/g, " "), 300)})` : "";
  return new DocsError(
    `there is no Pulumi engine on the PATH (${refusal})${cause}; install the Pulumi CLI ${MINIMUM_VERSION} or newer ` +
      `(https://www.pulumi.com/docs/install), or without a network, copy ${CLI} and ${LANGUAGE_HOST} of it into ${cache}`,
    { cause: failure },
  );
}

/** Finds an installed engine, on PATH or in the cache. Installs nothing. */
export async function searchEngine(environment: NodeJS.ProcessEnv): Promise<Engine | Missing> {
  const found = await searchPath(environment.PATH ?? "");
  if ("folder" in found) return engineIn(found, environment);
  const cache = cachedFolder(environment);
  return (await holdsEngine(cache)) ? engineInCache(cache, environment) : { ...found, cache };
}

/** Outside the project, so that all projects share it and none needs to ignore it in git. */
export function cachedFolder(environment: NodeJS.ProcessEnv, content = "engine"): string {
  const cache = environment.XDG_CACHE_HOME;
  // The XDG specification says to ignore a relative path.
  const base = cache && path.isAbsolute(cache) ? cache : path.join(environment.HOME ?? homedir(), ".cache");
  return path.join(base, "pulumi-docs-org", `${content}-${ENGINE_VERSION}-${process.platform}-${process.arch}`);
}

export function engineInCache(folder: string, environment: NodeJS.ProcessEnv): Promise<Engine> {
  // The project pins the version, so a hint to upgrade would only distract.
  const settings = { PULUMI_SKIP_UPDATE_CHECK: "true", ...environment };
  return engineIn({ folder, version: ENGINE_VERSION }, settings);
}

async function engineIn(found: { folder: string; version: string }, environment: NodeJS.ProcessEnv): Promise<Engine> {
  const engine = { ...found, environment: withPath(environment, found.folder) };
  const folders = engine.environment.PATH?.split(path.delimiter) ?? [];
  for (const folder of folders) if (await isExecutable(path.join(folder, PROVIDER_SCRIPT))) return engine;
  // The script works last on PATH, but the engine warns that it is not beside the CLI.
  return { ...engine, environment: withPath(environment, found.folder, sdkFolder()) };
}

function withPath(environment: NodeJS.ProcessEnv, first: string, last?: string): NodeJS.ProcessEnv {
  const folders = [first, environment.PATH, last].filter(Boolean);
  return { ...environment, PATH: folders.join(path.delimiter) };
}
