import { writeFile } from "node:fs/promises";
import path from "node:path";
import { pluginStack } from "../scripts/plugin-stack";
import { type Outcome, type ResourceState, Stack } from "../scripts/stack";
import { type Case, type Command, sizeOf } from "./cases";
import { watchProviders } from "./processes";
import type { Requests, Service } from "./service";
import { startWorld } from "./world";

/** A provider at a latency of the service; the floor sends no requests. */
export type Side =
  | { readonly provider: "dynamic" | "plugin" | "naive"; readonly latency: number }
  | { readonly provider: "floor" };

/** Cost of one command of the engine. */
export interface Cost {
  readonly requests: Requests;
  /** Wall time in seconds. */
  readonly seconds: number;
  /** Peak memory of the provider process, in MiB. */
  readonly memory: number;
  /** Bytes of state per resource, including the engine's own part; only for commands that leave resources. */
  readonly state?: number;
}

/** Modules that the programs import. The first two are the hosts of this package. */
const modules = {
  dynamic: "pulumi-docs-org",
  plugin: "pulumi-docs-org/plugin",
  floor: "../../bench/floor",
  naive: "../../bench/naive",
};
const commands: Readonly<Record<Command, (stack: Stack, ...args: string[]) => Promise<Outcome>>> = {
  up: (stack, ...args) => stack.up("--refresh=false", ...args),
  "preview --refresh": (stack, ...args) => stack.preview("--refresh", "--expect-no-changes", ...args),
  refresh: (stack, ...args) => stack.refresh("--expect-no-changes", ...args),
  destroy: (stack, ...args) => stack.destroy("--refresh=false", ...args),
};

/** One side of a case: a stack with its program, and a separate organization. */
export class Contestant {
  private constructor(
    readonly side: Side,
    private readonly parallel: number,
    private readonly stack: Stack,
    private readonly service: Service,
  ) {}

  /** `environment` is added to the settings of the service in the engine's environment. */
  static async create(one: Case, side: Side, count: number, environment: NodeJS.ProcessEnv = {}): Promise<Contestant> {
    const latency = side.provider === "floor" ? 0 : side.latency;
    const { service, world } = await startWorld(sizeOf(one, count), { latency, rate: one.rate });
    const text = `import * as docs from "${modules[side.provider]}";\n${one.declarations(world, count)}\n`;
    try {
      const create = side.provider === "plugin" ? pluginStack : Stack.create;
      const stack = await create({ text }, { ...service.environment, ...environment });
      return new Contestant(side, one.parallel ?? 8, stack, service);
    } catch (error) {
      await service.stop();
      throw error;
    }
  }

  async run(command: Command): Promise<Cost> {
    const watch = watchProviders();
    const begun = performance.now();
    const outcome = await commands[command](this.stack, "--parallel", String(this.parallel));
    const seconds = (performance.now() - begun) / 1000;
    const memory = watch.stop() / 1024;
    const requests = await this.service.countedRequests();
    this.refuse(command, outcome, requests, memory);
    const resources = command === "up" ? await this.stack.resources() : [];
    return { requests, seconds, memory, ...(resources.length > 0 && { state: bytesOf(resources) }) };
  }

  /** Refuses failed measurements, because they would meet every bound. */
  private refuse(command: Command, { status, output }: Outcome, requests: Requests, memory: number): void {
    const what = `${command} of ${this.side.provider}`;
    if (status !== 0) throw new Error(`${what} failed:\n${output.slice(-4000)}`);
    if (memory === 0) throw new Error(`the provider process of ${what} was not seen`);
    const silent = Object.keys(requests).length === 0;
    if (silent !== (this.side.provider === "floor"))
      throw new Error(`${what} sent ${silent ? "no requests" : "requests"}`);
  }

  /** Ids and outputs of all resources, which the floor repeats for its own. */
  async answers(): Promise<unknown[]> {
    const own = ({ __provider, ...properties }: Record<string, unknown>) => properties;
    return (await this.stack.resources()).map(({ id, inputs, outputs }) => ({
      id,
      inputs: own(inputs),
      outputs: own(outputs),
    }));
  }

  async learn(answers: readonly unknown[]): Promise<void> {
    await writeFile(path.join(this.stack.folder, "answers.json"), JSON.stringify(answers));
  }

  async end(): Promise<void> {
    await this.stack.remove();
    await this.service.stop();
  }
}

function bytesOf(resources: readonly ResourceState[]): number {
  return resources.reduce((sum, one) => sum + JSON.stringify(one).length, 0) / resources.length;
}
