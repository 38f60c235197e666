import { mkdir, readdir, rename } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { CommandFailed, lastLines, run } from "../../provider/engine/child";
import { ENGINE_VERSION } from "../../provider/engine/version";
import type { Stage, Way } from "./install";

/** Milliseconds. Without an answer, the download of the API's script fails by itself after about 10 seconds. */
const DEADLINE = 5 * 60_000;

/** Downloads the official CLI with `PulumiCommand.install` of the Automation API. */
export const automationApi: Way = {
  step: `downloading pulumi ${ENGINE_VERSION} with the Automation API's installer (once, 5 minutes at most)`,
  remedy: "let the Automation API's installer reach the internet",
  install: async (stage) => {
    const root = path.join(stage.scratch, "root");
    await mkdir(root);
    await callInstaller(root, stage);
    const programs = path.join(root, "bin");
    for (const name of await readdir(programs)) await rename(path.join(programs, name), path.join(stage.folder, name));
  },
};

/**
 * Runs the installer in a process of its own, because the API cannot stop its script. Home and temporary folder are below the
 * stage, so that the script does not change the user's settings and leaves nothing behind.
 */
async function callInstaller(root: string, { scratch, environment, signal }: Stage): Promise<void> {
  const tsNode = createRequire(__filename).resolve("ts-node/register/transpile-only");
  const child = path.join(__dirname, "automation-child.ts");
  const env = {
    ...environment,
    HOME: scratch,
    PULUMI_HOME: scratch,
    TMPDIR: scratch,
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
  try {
    await run(process.execPath, ["-r", tsNode, child, root, ENGINE_VERSION], {
      name: "the installer",
      // ts-node finds its settings from this folder; the child then changes to `root`.
      cwd: path.join(__dirname, "..", ".."),
      env,
      deadline: DEADLINE,
      signal,
    });
  } catch (error) {
    const last = error instanceof CommandFailed && lastLines(error.output, 1)[0];
    throw last ? new Error(last) : error;
  }
}
