import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

/** A script of this folder in a process of its own, which ends with the running test. */
export function start(script: string, ...args: string[]): { child: ChildProcess; lines: AsyncIterable<string> } {
  const file = `${__dirname}/${script}.ts`;
  const child = spawn(process.execPath, ["--expose-gc", "-r", "./scripts/load-typescript.js", file, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, lines: createInterface({ input: child.stdout }) };
}

export async function firstLine(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) return line;
  throw new Error("the process ended without any output");
}
