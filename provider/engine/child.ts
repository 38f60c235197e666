import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Milliseconds until the program and everything it started is killed. */
  deadline: number;
  /** Name of the program in errors; the command by default. */
  name?: string;
}

export interface Output {
  stdout: string;
  /** stdout and stderr interleaved. */
  all: string;
}

/** A program failed. `output` is its whole output; the caller picks the lines to show. */
export class CommandFailed extends Error {
  constructor(
    message: string,
    readonly output: string,
  ) {
    super(message);
    this.name = "CommandFailed";
  }
}

/**
 * Runs a program without showing its output, in a process group of its own. The whole group is killed when the program ends,
 * because an installer's script or a compiler may leave child processes behind.
 */
export async function run(command: string, args: readonly string[], options: RunOptions): Promise<Output> {
  const { cwd, env, name = path.basename(command) } = options;
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const output = collect(child);
  const stop = () => killGroup(child);
  let overdue = false;
  const late = setTimeout(() => {
    overdue = true;
    stop();
  }, options.deadline);
  process.once("exit", stop);
  try {
    const status = await ended(child);
    if (status === 0) return output;
    const how = overdue ? `took longer than ${options.deadline / 1000} s` : `failed (${status})`;
    throw new CommandFailed(`${name} ${how}`, output.all);
  } finally {
    clearTimeout(late);
    process.off("exit", stop);
  }
}

/** The last lines of an output that are not empty, for an error message. */
export function lastLines(output: string, count: number): string[] {
  const lines = output.split("\n").map((line) => line.trim());
  return lines.filter(Boolean).slice(-count);
}

function collect(child: ChildProcess): Output {
  const output: Output = { stdout: "", all: "" };
  const receive = (text: string) => {
    output.all += text;
  };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output.stdout += text;
    receive(text);
  });
  child.stderr?.setEncoding("utf8").on("data", receive);
  return output;
}

/** Settles once the pipes are closed as well, that is, once no process of the group can write to them. */
function ended(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => killGroup(child));
    child.once("close", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The whole group has ended already.
  }
}
