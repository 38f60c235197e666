import { execFile } from "node:child_process";
import path from "node:path";

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Milliseconds until the program is killed. */
  deadline: number;
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

/** Runs a program without showing its output, and returns what it wrote to stdout. */
export function runProcess(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { cwd, env, deadline } = options;
  const limits = { timeout: deadline, killSignal: "SIGKILL", maxBuffer: Number.POSITIVE_INFINITY } as const;
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd, env, ...limits }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      // The program could not be started.
      if (error.syscall !== undefined) return reject(error);
      const how = error.killed ? `took longer than ${deadline / 1000} s` : `failed (${error.code ?? error.signal})`;
      reject(new CommandFailed(`${path.basename(command)} ${how}`, stdout + stderr));
    }).stdin?.end();
  });
}

/** The last lines of an output that are not empty, for an error message. */
export function lastLines(output: string, count: number): string[] {
  const lines = output.split("\n").map((line) => line.trim());
  return lines.filter(Boolean).slice(-count);
}
