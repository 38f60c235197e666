import { writeFile } from "node:fs/promises";
import path from "node:path";
import { pluginStack } from "../scripts/plugin-stack";
import { type CommandOutcome, Stack } from "../scripts/stack";
import { type Case, type Command, sizeOf } from "./cases";
import type { Service } from "./service";
import { startWorld } from "./world";

/** Both hosts of this package at 50 ms per request, and resources that do nothing, which show the cost of the engine itself. */
export const sides = ["dynamic", "plugin", "floor"] as const;
export type Side = (typeof sides)[number];

export interface Cost {
  readonly requests: number;
  readonly seconds: number;
  /** Bytes of state per resource, the engine's own part included; only after an up. */
  readonly state?: number;
}

const modules = { dynamic: "pulumi-docs-org", plugin: "pulumi-docs-org/plugin", floor: "../../bench/floor" };
const commands: Readonly<Record<Command, (stack: Stack) => Promise<CommandOutcome>>> = {
  up: (stack) => stack.up("--refresh=false", "--parallel=8"),
  "preview --refresh": (stack) => stack.preview("--refresh", "--expect-no-changes", "--parallel=8"),
  refresh: (stack) => stack.refresh("--expect-no-changes", "--parallel=8"),
  destroy: (stack) => stack.destroy("--refresh=false", "--parallel=8"),
};

/** One side of a case: a stack with its program, and a separate organization. */
export class Contestant {
  private constructor(
    readonly side: Side,
    private readonly stack: Stack,
    private readonly service: Service,
  ) {}

  static async create(one: Case, side: Side): Promise<Contestant> {
    const { service, world } = await startWorld(sizeOf(one), side === "floor" ? 0 : 50);
    const text = `import * as docs from "${modules[side]}";\n${one.declarations(world, one.count)}\n`;
    try {
      const create = side === "plugin" ? pluginStack : Stack.create;
      return new Contestant(side, await create({ text }, { ...service.environment }), service);
    } catch (error) {
      await service.stop();
      throw error;
    }
  }

  async run(command: Command): Promise<Cost> {
    const begun = performance.now();
    const { status, output } = await commands[command](this.stack);
    const seconds = (performance.now() - begun) / 1000;
    const counts = Object.values(await this.service.takeRequests());
    // A failed measurement would meet every bound.
    if (status !== 0) throw new Error(`${command} of ${this.side} failed:\n${output.slice(-4000)}`);
    const requests = counts.reduce((sum, count) => sum + count, 0);
    // Resources that do nothing send no requests; those of this package always do.
    if ((requests === 0) !== (this.side === "floor"))
      throw new Error(`${command} of ${this.side} sent ${requests} requests`);
    return { requests, seconds, ...(command === "up" && { state: await this.bytesOfState() }) };
  }

  private async bytesOfState(): Promise<number> {
    const resources = await this.stack.resources();
    return resources.reduce((sum, one) => sum + JSON.stringify(one).length, 0) / resources.length;
  }

  /** Ids and outputs of all resources, which the floor repeats for its own. */
  async answers(): Promise<unknown[]> {
    const withoutStub = ({ __provider, ...properties }: Record<string, unknown>) => properties;
    return (await this.stack.resources()).map(({ id, inputs, outputs }) => ({
      id,
      inputs: withoutStub(inputs),
      outputs: withoutStub(outputs),
    }));
  }

  /** Gives the floor the answers of a real side. */
  async learn(answers: readonly unknown[]): Promise<void> {
    await writeFile(path.join(this.stack.folder, "answers.json"), JSON.stringify(answers));
  }

  async end(): Promise<void> {
    await this.stack.remove();
    await this.service.stop();
  }
}
