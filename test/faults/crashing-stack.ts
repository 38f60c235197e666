import { copyFile, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { Emulator } from "../../provider/emulator";
import { pluginStack } from "../../scripts/plugin-stack";
import { type CommandOutcome, root, Stack } from "../../scripts/stack";
import { builtIn } from "../support/built-in-organization";
import { ownProcesses } from "../support/engine-node";
import { type Process, processesIn } from "../support/processes";
import { Service } from "./service";

export type Host = "dynamic" | "plugin";

const example = path.join(root, "examples", "organization");

/** Seconds until a request of a provider fails; longer than any wait of these tests. */
const deadline = 60;
/** A provider must notice within these milliseconds that its engine is gone. */
const noticed = 15_000;

const providerScript = /\/(dynamic-provider|plugin)\/index\.js\b/;
const fastStart = `--require=${path.join(root, "dist", "start", "index.js")}`;
const leftover = /\/pulumi-language-nodejs |\/cmd\/run\/index\.js --/;

/** State of the stack and of the service at one moment. */
export interface Moment {
  readonly stack: string;
  readonly service: Buffer;
}

/** A stack of `examples/organization` whose processes are killed, and the organization that it manages. */
export class CrashingStack {
  private constructor(
    readonly stack: Stack,
    readonly service: Service,
  ) {}

  static async start(host: Host, emulator: Emulator): Promise<CrashingStack> {
    const service = await Service.start(emulator, { seed: builtIn.acme });
    return new CrashingStack(await exampleStack(host, settingsOfService(service)), service);
  }

  async stop(): Promise<void> {
    await this.stack.remove();
    await this.service.stop();
  }

  async save(): Promise<Moment> {
    return { stack: await this.stack.stateFile(), service: this.service.save() };
  }

  async restore({ stack, service }: Moment): Promise<void> {
    await this.stack.restoreStateFile(stack);
    this.service.restore(service);
  }

  /** Runs a command in processes of its own, which can be killed; they load the SDK as programs of users do. */
  start(...command: readonly string[]): Promise<CommandOutcome> {
    // The shell becomes the engine: a command in the background of a shell would ignore signals.
    const script = 'echo $$ > engine.pid; exec pulumi --non-interactive --color never "$@"';
    return this.stack.execute("sh", ["-c", script, "sh", ...command], { ...ownProcesses, NODE_OPTIONS: fastStart });
  }

  /** Ends the engine, and returns when its provider, whose connection closes then, has noticed. */
  async killEngine(closed: Promise<void>): Promise<void> {
    await this.signalEngine("SIGKILL");
    const late = sleep(noticed, "late", { ref: false });
    expect(await Promise.race([closed, late])).not.toBe("late");
  }

  async killProvider(): Promise<void> {
    const providers = await this.providers();
    expect(providers).not.toEqual([]);
    for (const { id } of providers) kill(id);
  }

  async signalEngine(signal: NodeJS.Signals): Promise<void> {
    process.kill(Number(await readFile(path.join(this.stack.folder, "engine.pid"), "utf8")), signal);
  }

  private async providers(): Promise<Process[]> {
    return (await processesIn(this.stack.folder)).filter(({ command }) => providerScript.test(command));
  }

  /**
   * Ends what a killed engine leaves: the host of programs, a program that the SDK keeps busy with reporting its error, and a
   * provider that has not handled a resource yet.
   */
  async endLeftovers(): Promise<void> {
    const all = await processesIn(this.stack.folder);
    for (const { id, command } of all) if (leftover.test(command) || providerScript.test(command)) kill(id);
  }

  /** What the engine was doing when it was killed. */
  async pendingOperations(): Promise<{ readonly type: string }[]> {
    return JSON.parse(await this.stack.stateFile()).checkpoint.latest?.pending_operations ?? [];
  }

  /** Whether the engine would refuse a command, because another one has not ended. */
  async isLocked(): Promise<boolean> {
    const files = await readdir(this.stack.stateFolder, { recursive: true });
    return files.some((file) => /\blocks\b.*\.json$/.test(file));
  }
}

/** Ends a process that may end by itself at the same moment. */
function kill(id: number): void {
  try {
    process.kill(id, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

export async function exampleStack(host: Host, settings: NodeJS.ProcessEnv): Promise<Stack> {
  const stack = await stackOf(host, await programText(host), settings);
  await copyFile(path.join(example, "okta.pem"), path.join(stack.folder, "okta.pem"));
  return stack;
}

export function stackOf(host: Host, text: string, settings: NodeJS.ProcessEnv): Promise<Stack> {
  return host === "plugin" ? pluginStack({ text }, settings) : Stack.create({ text }, settings);
}

export const settingsOfService = ({ lying, organizationId, token }: Service): NodeJS.ProcessEnv => ({
  DOCS_BASE_URL: lying.url,
  DOCS_TOKEN: token,
  DOCS_ORGANIZATION_ID: organizationId,
  DOCS_DEADLINE: String(deadline),
});

/** The program of the example, as this host runs it. */
export async function programText(host: Host): Promise<string> {
  const text = await readFile(path.join(example, "index.ts"), "utf8");
  return host === "plugin" ? text.replace('"pulumi-docs-org"', '"pulumi-docs-org/plugin"') : text;
}
