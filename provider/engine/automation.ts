import { mkdir, readdir, rename } from "node:fs/promises";
import path from "node:path";
import { CommandFailed, lastLines, run } from "./child";
import type { Stage, Way } from "./install";
import { ENGINE_VERSION } from "./version";

/** Milliseconds. Without an answer, the download of the API's script fails by itself after two minutes. */
const DEADLINE = 5 * 60_000;

/** The arguments of Node.js that run `automation-child`. */
type Child = readonly string[];

/**
 * Downloads the official CLI with `PulumiCommand.install` of the Automation API, which runs the installation script of
 * get.pulumi.com. The API offers no checksum; it relies on HTTPS, and the version is checked afterwards.
 */
export const automationApi = (child: Child = [path.join(__dirname, "automation-child.js")]): Way => ({
  step: `downloading pulumi ${ENGINE_VERSION} from get.pulumi.com (once, 5 minutes at most)`,
  remedy: "let this machine reach https://get.pulumi.com",
  install: async (stage) => {
    const root = path.join(stage.scratch, "root");
    await mkdir(root);
    await callInstaller(child, root, stage);
    const programs = path.join(root, "bin");
    for (const name of await readdir(programs)) await rename(path.join(programs, name), path.join(stage.folder, name));
  },
});

/**
 * Runs the installer in a process of its own, because the API cannot stop its script. Home and temporary folder are below the
 * stage, so that the script does not change the user's settings and leaves nothing behind.
 */
async function callInstaller(child: Child, root: string, { scratch, environment, signal }: Stage): Promise<void> {
  const env = {
    ...environment,
    HOME: scratch,
    PULUMI_HOME: scratch,
    TMPDIR: scratch,
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
  try {
    const options = { name: "the installer", cwd: path.join(__dirname, "..", ".."), env, deadline: DEADLINE, signal };
    await run(process.execPath, [...child, root, ENGINE_VERSION], options);
  } catch (error) {
    const last = error instanceof CommandFailed && lastLines(error.output, 1)[0];
    throw last ? new Error(last) : error;
  }
}
