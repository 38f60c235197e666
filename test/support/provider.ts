import * as definitions from "../../provider/definitions";
import { stubOf } from "../../provider/hosts/dynamic/stub";
import { ResourceHandler } from "../../provider/lifecycle/handler";
import type { ResourceName } from "../../provider/resources/names";
import { noticeOf } from "../../provider/run/presentation";
import { type Clock, Run } from "../../provider/run/run";
import { Settings } from "../../provider/run/settings";
import { TestClock } from "./clock";
import { PluginProvider } from "./plugin-provider";
import {
  type CheckResult,
  type DiffResult,
  failureAt,
  type PartialFailure,
  type Properties,
} from "./protocol-provider";
import { ProviderProcess } from "./provider-process";

/** Which host serves the lifecycle tests: each of them runs with both (see vitest.config.mts). */
export const host = process.env.DOCS_TEST_HOST === "plugin" ? "plugin" : "dynamic";

/** Milliseconds that a refusal waits for other calls (`patience` of `Run`); few, because tests make their calls at the same time. */
export const patience = 500;

export interface ProviderOptions {
  readonly config?: Record<string, string>;
  readonly environment?: NodeJS.ProcessEnv;
  /** As in `Run`. */
  readonly patience?: number;
  /** By default, one whose pauses take no time. */
  readonly clock?: Clock;
  /** Those of an earlier run, so that no new ones are opened. */
  readonly connections?: Run["connections"];
}

/** The handlers of one resource, as the engine calls them. */
export type Provider = Pick<
  ProviderProcess,
  "check" | "diff" | "create" | "read" | "update" | "delete" | "stop" | "stderr"
>;

/** A run of one engine command, with several resources. */
export interface ProviderOfRun extends Provider {
  /** The handlers of another resource in the same run; `name` is what the program calls it. */
  of(resource: ResourceName, name?: string): ProviderOfRun;
  /** Reads an existing object for an import, by its id. */
  readExisting(id: string): Promise<{ properties: Properties; inputs: Properties } | undefined>;
}

/**
 * Starts a run of its own, as the process that the engine starts has one: a restart is another run. With OWN_PROCESSES=1, it is
 * that process.
 */
export async function startProvider(resource: string, options: ProviderOptions = {}): Promise<Provider> {
  if (host === "plugin") return PluginProvider.start(resource, { patience, clock: new TestClock(), ...options });
  if (process.env.OWN_PROCESSES) return ProviderProcess.start(resource, options);
  return RunOfProvider.start(resource as ResourceName, options);
}

/** The same with a run in this process, in which several resources take part. */
export function startRun(resource: ResourceName, options: ProviderOptions): Promise<ProviderOfRun> {
  if (host === "plugin") return PluginProvider.start(resource, { patience, clock: new TestClock(), ...options });
  return RunOfProvider.start(resource, options);
}

/** A run in this process. What goes in and out is what the engine's protocol can say. */
class RunOfProvider implements ProviderOfRun {
  private readonly stub: string;
  private readonly handler: ResourceHandler;

  private constructor(
    resource: ResourceName,
    private readonly run: Run,
    private readonly told: { text: string },
  ) {
    this.stub = stubOf(resource);
    this.handler = new ResourceHandler(definitions[resource], { run });
  }

  static async start(resource: ResourceName, options: ProviderOptions): Promise<RunOfProvider> {
    const { config = {}, environment = {}, clock = new TestClock(), connections } = options;
    const told = { text: "" };
    const tell = (line: string) => {
      told.text += noticeOf(line);
    };
    const run = new Run(
      { settings: new Settings(environment), tell, patience: options.patience ?? patience, clock },
      connections,
    );
    const started = new RunOfProvider(resource, run, told);
    const get = (key: string) => config[key];
    await started.handler.configure({ config: { get, require: (key) => get(key) ?? "" } });
    return started;
  }

  get stderr(): string {
    return this.told.text;
  }

  of(resource: ResourceName): RunOfProvider {
    return new RunOfProvider(resource, this.run, this.told);
  }

  async check(olds: Properties | undefined, news: Properties): Promise<CheckResult> {
    const call = this.handler.check(olds ? this.sent(olds) : {}, this.sent(news));
    const { inputs, failures = [] } = await answerOf(call);
    return { inputs: this.received(inputs), failures: failures.map((one) => failureAt(one.property, one.reason)) };
  }

  async diff(id: string, olds: Properties, news: Properties): Promise<DiffResult> {
    const call = this.handler.diff(id, this.sent(olds), this.sent(news));
    const { changes = false, replaces = [], deleteBeforeReplace = false } = await answerOf(call);
    return { changes, replaces, deleteBeforeReplace };
  }

  async create(inputs: Properties): Promise<{ id: string; properties: Properties }> {
    const { id, outs } = await answerOf(this.handler.create(this.sent(inputs)));
    return { id: String(id), properties: this.received(outs) };
  }

  async read(id: string, properties: Properties): Promise<{ properties: Properties; inputs: Properties } | undefined> {
    const { id: found, props, inputs } = await answerOf(this.handler.read(id, this.sent(properties)));
    return found ? { properties: this.received(props), inputs: this.received(inputs) } : undefined;
  }

  async readExisting(id: string): Promise<{ properties: Properties; inputs: Properties } | undefined> {
    const { id: found, props, inputs } = await answerOf(this.handler.readExisting(id, {}));
    return found ? { properties: this.received(props), inputs: this.received(inputs) } : undefined;
  }

  async update(id: string, olds: Properties, news: Properties): Promise<Properties> {
    const { outs } = await answerOf(this.handler.update(id, this.sent(olds), this.sent(news)));
    return this.received(outs);
  }

  async delete(id: string, properties: Properties): Promise<void> {
    await answerOf(this.handler.delete(id, this.sent(properties)));
  }

  async stop(): Promise<void> {
    // Requests in flight continue, as those of a killed process do at the service.
  }

  private sent(properties: Properties): Properties {
    return onTheWire({ ...properties, __provider: this.stub }) as Properties;
  }

  private received(properties: Properties | undefined): Properties {
    const { __provider, ...rest } = properties ?? {};
    return onTheWire(rest) as Properties;
  }
}

/** The protocol has no `undefined`, and sorts properties by name. */
function onTheWire(value: unknown): unknown {
  if (value === undefined) throw new Error("the engine's protocol cannot transfer undefined");
  if (Array.isArray(value)) return value.map(onTheWire);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, onTheWire(inner)]));
}

/** The engine gets the message of an error, and the state of a partly applied creation or update. */
function answerOf<T>(call: Promise<T>): Promise<T> {
  return call.catch((error) => {
    const { id, properties, reasons = [] } = error as { id?: string; properties?: Properties; reasons?: string[] };
    const failure: PartialFailure = new Error(error.message, { cause: error });
    if (id !== undefined) failure.partial = { id, properties: withoutStub(properties), reasons };
    throw failure;
  });
}

function withoutStub({ __provider, ...properties }: Properties = {}): Properties {
  if (typeof __provider !== "string") throw new Error("a partial failure without the stub (stub.ts)");
  return onTheWire(properties) as Properties;
}
