import { accessSync, constants } from "node:fs";
import path from "node:path";
import { stateFolder } from "../deployment/backend";
import { placeOfState } from "../deployment/project";
import { CommandFailed, lastLines, runProcess } from "../engine/child";
import { CLI, type Engine } from "../engine/find";
import { withoutPassword, withoutPasswordOf } from "../text/masking";
import { type Check, ok, skippedCheck, wrong } from "./check";

const deadline = 30_000;

export async function checkBackend(root: string, environment: NodeJS.ProcessEnv, engine?: Engine): Promise<Check> {
  const place = placeOfState(root, environment);
  if (place === undefined) return ok("backend", `none was chosen; the state will be kept in ${stateFolder}`);
  if (place !== "local") return checkChosen(place.chosenIn, engine);
  try {
    accessSync(path.join(root, stateFolder), constants.R_OK | constants.W_OK);
    return ok("backend", `${stateFolder}, on this machine only`);
  } catch {
    return wrong("backend", `${stateFolder} cannot be written by this user; change its permissions`);
  }
}

/** Asks the CLI, which logs in to the backend. */
async function checkChosen(folder: string, engine: Engine | undefined): Promise<Check> {
  if (!engine) return skippedCheck("backend", "there is no engine");
  const cli = path.join(engine.folder, CLI);
  const args = ["whoami", "--json", "--non-interactive"];
  try {
    const stdout = await runProcess(cli, args, { cwd: folder, env: engine.environment, deadline });
    const { url, user } = JSON.parse(stdout) as { url: string; user: string };
    return ok("backend", `${withoutPassword(url)}, as ${user}`);
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    const output = withoutPasswordOf(engine.environment, error.output);
    const reason = lastLines(output, 1)[0]?.replace(/^error: /, "") ?? error.message;
    return wrong("backend", `${reason}; check PULUMI_BACKEND_URL, or run pulumi login`);
  }
}
