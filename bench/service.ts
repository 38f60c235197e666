import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { root } from "../scripts/stack";

export type Requests = Readonly<Record<string, number>>;

/** An emulator in a process of its own, so that its work is not counted as that of its caller. */
export class Service {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    readonly token: string,
    readonly organizationId: string,
  ) {}

  /** Starts an emulator with options of `docs-org emulate`. */
  static async start(...options: string[]): Promise<Service> {
    const command = path.join(root, "dist", "cli", "index.js");
    const child = spawn(process.execPath, [command, "emulate", ...options], { stdio: ["ignore", "pipe", "inherit"] });
    const line = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).once("line", resolve);
      child.once("error", reject);
      child.once("close", (code) => reject(new Error(`the emulator ended with ${code}`)));
    });
    const { url, token, organizationId } = JSON.parse(line) as Record<"url" | "token" | "organizationId", string>;
    return new Service(child, url, token, organizationId);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get environment(): NodeJS.ProcessEnv {
    return { DOCS_BASE_URL: this.url, DOCS_TOKEN: this.token, DOCS_ORGANIZATION_ID: this.organizationId };
  }

  /** Returns the requests since the last call, and begins to count anew. */
  async takeRequests(): Promise<Requests> {
    const response = await fetch(`${this.url}/_emulator/requests`, { method: "DELETE" });
    return (await response.json()) as Requests;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once("close", resolve));
    this.child.kill("SIGTERM");
    await ended;
  }
}
