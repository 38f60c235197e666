import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { PulumiCommand } from "@pulumi/pulumi/automation";
import { CLI, type Engine, engineInCache, holdsEngine, LANGUAGE_HOST, type MissingEngine, missingEngine } from "./find";
import { ENGINE_VERSION, sdkVersion } from "./version";

/**
 * Downloads the official CLI into the user's cache with the Automation API, which runs the installation script of get.pulumi.com
 * and checks the version. It offers no checksum and relies on HTTPS.
 */
export async function downloadEngine(missing: MissingEngine, environment: NodeJS.ProcessEnv): Promise<Engine> {
  try {
    await fillFolder(missing.cache, async (scratch) => {
      await PulumiCommand.install({ root: scratch, version: sdkVersion(ENGINE_VERSION) });
      return path.join(scratch, "bin");
    });
  } catch (error) {
    throw missingEngine(missing, error as Error);
  }
  return engineInCache(missing.cache, environment);
}

/**
 * Puts an engine into a folder by a rename, so that an interrupted installation leaves nothing, and two do not disturb each
 * other. `install` gets an empty folder for its work, and returns the folder below it with the programs.
 */
export async function fillFolder(target: string, install: (scratch: string) => Promise<string>): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true });
  const scratch = await mkdtemp(`${target}.tmp-`);
  try {
    const folder = await install(scratch);
    if (!(await holdsEngine(folder))) throw new Error(`it did not produce both ${CLI} and ${LANGUAGE_HOST}`);
    if (await holdsEngine(target)) return;
    // An incomplete folder was damaged by hand.
    await rm(target, { recursive: true, force: true });
    await rename(folder, target);
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}
