// npm run pulumi -- ARGUMENTS: runs a real Pulumi CLI, installing one first if there is none.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import path from "node:path";
import { CLI } from "../provider/engine/find";
import { type Engine, ensureEngine } from "./engine";

/** npm runs scripts in the package's folder; a user who calls npm in an example's folder wants the CLI to run there. */
function workingFolder(): string {
  const { npm_lifecycle_event: script, INIT_CWD: calledIn } = process.env;
  return (script === "pulumi" && calledIn) || process.cwd();
}

function runCli({ folder, environment }: Engine, args: readonly string[]): Promise<number> {
  // The terminal sends the SIGINT of Ctrl-C to the whole process group, so the CLI gets it already. Forwarding it would send a
  // second one, after which the CLI exits without completing its state.
  process.on("SIGINT", () => undefined);
  const options = { cwd: workingFolder(), env: environment, stdio: "inherit" } as const;
  const child = spawn(path.join(folder, CLI), args, options);
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

ensureEngine()
  .then((engine) => runCli(engine, process.argv.slice(2)))
  .then(
    (status) => process.exit(status),
    (error: Error) => {
      console.error(error.message);
      process.exit(1);
    },
  );
