import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { type CommandOutcome, outcomeOf, type Written } from "../../scripts/stack";

const script = path.join(__dirname, "resident-cli-process.js");

interface Result {
  readonly status: number;
  readonly written: readonly Written[];
}

let resident: ChildProcess | undefined;
let running: readonly string[] | undefined;

/**
 * Runs docs-org in a process that has loaded what the package depends on, which takes a fifth of the time of most commands. Commands
 * that are killed, that need a terminal or settings of Node.js, or that run beside another one have processes of their own.
 */
export async function runInResident(
  args: readonly string[],
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<CommandOutcome> {
  if (running)
    throw new Error(`docs-org ${running.join(" ")} has not ended; let one of them have processes of its own`);
  running = args;
  const { status, written } = await ask({ args, folder, environment }).finally(() => {
    running = undefined;
  });
  return outcomeOf(status, written);
}

function ask(command: object): Promise<Result> {
  const child = resident ?? fork(script, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  resident = child;
  child.send(command);
  return new Promise((resolve, reject) => {
    const fail = () => {
      resident = undefined;
      reject(new Error(`docs-org has ended the process of the tests: ${JSON.stringify(command)}`));
    };
    child.once("exit", fail).once("message", (result) => {
      child.off("exit", fail);
      resolve(result as Result);
    });
  });
}
