import * as definitions from "../../provider/definitions";
import { dynamicHost } from "../../provider/hosts/dynamic/import-entry";
import { stubOf } from "../../provider/hosts/dynamic/stub";
import { handlerOf } from "../../provider/lifecycle/handler";
import type { ResourceName } from "../../provider/resources/names";
import { noticeOf } from "../../provider/run/presentation";
import { Run } from "../../provider/run/run";
import { Settings } from "../../provider/run/settings";
import { PluginProvider } from "./plugin-provider";
import {
  type CheckResult,
  type DiffResult,
  type PartialFailure,
  type Properties,
  ProviderProcess,
} from "./provider-process";

/** Which host serves the lifecycle tests: each of them runs with both (see vitest.config.mts). */
export const host = process.env.DOCS_TEST_HOST === "plugin" ? "plugin" : "dynamic";

/** Milliseconds that a refusal waits in a run of the tests (see `Run`), which call at once what they call. */
export const patience = 500;

export interface ProviderOptions {
  readonly config?: Record<string, string>;
  readonly environment?: NodeJS.ProcessEnv;
  /** As in `Run`. */
  readonly patience?: number;
}

/** The handlers of one resource, as the engine calls them. */
export type Provider = Pick<
  ProviderProcess,
  "check" | "diff" | "create" | "read" | "update" | "delete" | "stop" | "stderr"
>;

/**
 * Starts a run of its own, as the process that the engine starts has one: a restart is another run. With OWN_PROCESSES=1, it is
 * that process.
 */
export async function startProvider(resource: string, options: ProviderOptions = {}): Promise<Provider> {
  if (host === "plugin") return PluginProvider.start(resource, { patience, ...options });
  if (process.env.OWN_PROCESSES) return ProviderProcess.start(resource, options);
  return RunOfProvider.start(resource as ResourceName, options);
}

/** A run in this process. What goes in and out is what the engine's protocol can say. */
class RunOfProvider implements Provider {
  stderr = "";
  private readonly text: string;
  private readonly handler: Required<ReturnType<typeof handlerOf>>;

  private constructor(resource: ResourceName, { environment = {}, patience: waits = patience }: ProviderOptions) {
    this.text = stubOf(resource);
    const tell = (line: string) => {
      this.stderr += noticeOf(line);
    };
    const dynamic = dynamicHost(new Run({ settings: new Settings(environment), tell, patience: waits }));
    this.handler = handlerOf(definitions[resource], dynamic) as Required<ReturnType<typeof handlerOf>>;
  }

  static async start(resource: ResourceName, options: ProviderOptions): Promise<RunOfProvider> {
    const started = new RunOfProvider(resource, options);
    const { config = {} } = options;
    const get = (key: string) => config[key];
    await started.handler.configure({ config: { get, require: (key) => get(key) ?? "" } });
    return started;
  }

  async check(olds: Properties | undefined, news: Properties): Promise<CheckResult> {
    const call = this.handler.check(olds ? this.sent(olds) : {}, this.sent(news));
    const { inputs, failures = [] } = await answerOf(call);
    return { inputs: this.received(inputs), failures };
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
    return onTheWire({ ...properties, __provider: this.text }) as Properties;
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
    if (id !== undefined) failure.partial = { id, properties: withoutText(properties), reasons };
    throw failure;
  });
}

function withoutText({ __provider, ...properties }: Properties = {}): Properties {
  if (typeof __provider !== "string") throw new Error("a partial failure without the provider's text");
  return onTheWire(properties) as Properties;
}
