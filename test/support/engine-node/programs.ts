import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { constants } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Duplex } from "node:stream";
import { root } from "../../../scripts/stack";
import { nodeOptions, programScript } from ".";

const file = path.join(__dirname, "program-process.js");

/**
 * Milliseconds. The engine kills the program of a command that failed. This one ends by itself, because its calls fail; starting
 * a process for the next one would take longer than the command.
 */
const patience = 500;

export interface EngineProgram {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly args: readonly string[];
  /** Files of the standard output and errors. */
  readonly streams: readonly string[];
}

/** The process that runs programs. If a program ends it, or does not end when the engine kills it, another process follows. */
export class Programs {
  private process!: ChildProcess;
  private isReady = false;
  /** Of the program that runs. */
  private socket: Socket | undefined;
  private killing: NodeJS.Timeout | undefined;

  constructor() {
    this.begin();
  }

  /** Writes the status of the program to the socket when it has ended. */
  run(socket: Socket, program: EngineProgram): void {
    if (!this.isReady || this.socket) throw new Error("running another program");
    this.socket = socket;
    socket.once("close", () => {
      if (this.socket === socket) this.killLater();
    });
    socket.write("running\n");
    this.channel.write(`${JSON.stringify(program)}\n`);
  }

  private begin(): void {
    this.isReady = false;
    this.process = spawn(process.execPath, [...nodeOptions, file, programScript, root], {
      // The folder of this process is that of the last provider, whose stack may be gone.
      cwd: root,
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    });
    createInterface(this.channel).on("line", (line) => {
      if (line === "ready") this.isReady = true;
      else this.end(line);
    });
    this.process.once("exit", (status, signal) => {
      this.end(status ?? 128 + constants.signals[signal as NodeJS.Signals]);
      this.begin();
    });
  }

  private killLater(): void {
    const { process } = this;
    this.killing = setTimeout(() => process.kill("SIGKILL"), patience);
  }

  private end(status: number | string): void {
    clearTimeout(this.killing);
    const { socket } = this;
    this.socket = undefined;
    socket?.end(`${status}\n`);
  }

  private get channel(): Duplex {
    return this.process.stdio[3] as Duplex;
  }
}
