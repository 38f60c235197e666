import { mkdir, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Settings } from "../run/settings";
import { CommandFailed, lastLines, run } from "./child";
import type { Stage, Way } from "./install";
import { ENGINE_VERSION } from "./version";

/** Milliseconds. Without an answer, the download of the API's script fails by itself after two minutes. */
const DEADLINE = 5 * 60_000;
/** Milliseconds from the beginning in which a failed download is tried again; a later failure would keep the user waiting. */
const RETRIES_UNTIL = 60_000;
/** Milliseconds before the second and the third attempt. */
const PAUSES: readonly number[] = [2_000, 5_000];

/** The arguments of Node.js that run `automation-child`. */
type Child = readonly string[];

/**
 * Downloads the official CLI with `PulumiCommand.install` of the Automation API, which runs the installation script of
 * get.pulumi.com. The API offers no checksum; it relies on HTTPS, and the version is checked afterwards. A failure is tried again:
 * neither the API nor its script does so.
 */
export const automationApi = (
  child: Child = [path.join(__dirname, "automation-child.js")],
  pauses: readonly number[] = PAUSES,
): Way => ({
  step: `downloading pulumi ${ENGINE_VERSION} from get.pulumi.com (once, 5 minutes at most)`,
  remedy: "let this machine reach https://get.pulumi.com",
  install: async (stage) => {
    const root = path.join(stage.scratch, "root");
    await download(() => callInstaller(child, root, stage), pauses, stage);
    const programs = path.join(root, "bin");
    for (const name of await readdir(programs)) await rename(path.join(programs, name), path.join(stage.folder, name));
  },
});

async function download(attempt: () => Promise<void>, pauses: readonly number[], stage: Stage): Promise<void> {
  const begun = Date.now();
  for (const pause of pauses) {
    try {
      return await attempt();
    } catch (error) {
      stage.signal.throwIfAborted();
      if (Date.now() - begun > RETRIES_UNTIL) throw error;
      stage.log(`that failed: ${(error as Error).message}; trying again in ${pause / 1_000} s`);
      await sleep(pause, undefined, { signal: stage.signal });
    }
  }
  return attempt();
}

/**
 * Runs the installer in a process of its own, because the API cannot stop its script. Home and temporary folder are below the
 * stage, so that the script does not change the user's settings and leaves nothing behind. DOCS_LOG=debug shows what it prints.
 */
async function callInstaller(child: Child, root: string, { scratch, environment, signal, log }: Stage): Promise<void> {
  await rm(root, { recursive: true, force: true });
  await mkdir(root);
  const logs = new Settings(environment).logsRequests();
  const onOutput = (text: string) => {
    for (const line of text.split("\n")) if (logs && line.trim() !== "") log(`  | ${line.trim()}`);
  };
  const env = {
    ...environment,
    HOME: scratch,
    PULUMI_HOME: scratch,
    TMPDIR: scratch,
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
  try {
    const options = {
      name: "the installer",
      cwd: path.join(__dirname, "..", ".."),
      env,
      deadline: DEADLINE,
      signal,
      onOutput,
    };
    await run(process.execPath, [...child, root, ENGINE_VERSION], options);
  } catch (error) {
    const last = error instanceof CommandFailed && lastLines(error.output, 1)[0];
    throw last ? new Error(last) : error;
  }
}
