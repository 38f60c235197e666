import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { constants } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Duplex } from "node:stream";
import { root } from "../../../scripts/stack";
import { programScript } from ".";

const file = path.join(__dirname, "program-process.js");

/** A program that the engine starts. */
export interface Program {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly args: readonly string[];
  /** Files of the standard output and errors. */
  readonly streams: readonly string[];
}

/** The process that runs programs. If one ends it, or the engine kills one, there is another. */
export class Programs {
  private process!: ChildProcess;
  private isReady = false;
  /** Of the program that runs. */
  private socket: Socket | undefined;

  constructor() {
    this.begin();
  }

  /** Writes the status of the program to the socket when it has ended. */
  run(socket: Socket, program: Program): void {
    if (!this.isReady || this.socket) throw new Error("running another program");
    const { process } = this;
    this.socket = socket;
    socket.once("close", () => {
      if (this.socket === socket) process.kill("SIGKILL");
    });
    socket.write("running\n");
    this.channel.write(`${JSON.stringify(program)}\n`);
  }

  private begin(): void {
    this.isReady = false;
    this.process = spawn(process.execPath, [file, programScript, root], {
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

  private end(status: number | string): void {
    const { socket } = this;
    this.socket = undefined;
    socket?.end(`${status}\n`);
  }

  private get channel(): Duplex {
    return this.process.stdio[3] as Duplex;
  }
}
