import type { Failure, Properties } from "../../run/properties";
import { Run } from "../../run/run";
import { Settings } from "../../run/settings";
import { CallError, Code } from "./call-error";
import type { Components } from "./component";
import { checkConfiguration, configure } from "./configuration";
import { EngineLog } from "./engine-log";
import { Resources } from "./resources";
import type { Received } from "./values";

interface Options {
  readonly version: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly components?: Components;
}

/** What a component is constructed with. */
export interface Constructing {
  readonly run: Run;
  /** The reference of this provider object, which serves the children. */
  readonly provider: string;
  readonly components: Components;
  warn(text: string, urn: string): void;
}

/** One provider object of a program in one command of the engine, which starts a process for each. It owns the run. */
export class Instance {
  readonly version: string;
  private readonly settings: Settings;
  private log: EngineLog | undefined;
  private configured: Resources | undefined;
  private run: Run | undefined;
  private reference = "";
  private readonly components: Components;

  constructor({ version, environment, components = {} }: Options) {
    this.version = version;
    this.settings = new Settings(environment);
    this.components = components;
  }

  /** The engine has introduced itself: its log shows messages from now on. */
  meet(engineAddress: string): void {
    if (engineAddress !== "") this.log = new EngineLog(engineAddress);
  }

  async schema(): Promise<string> {
    throw new CallError(Code.unimplemented, "the schema is not built in yet");
  }

  checkConfiguration(inputs: Properties): Failure[] {
    return checkConfiguration(inputs);
  }

  /** Never a replacement: the engine would replace every resource of the provider, past every refusal of `diff`. */
  hasChangedConfiguration(olds: Properties, news: Properties): boolean {
    return JSON.stringify(Object.entries(olds).sort()) !== JSON.stringify(Object.entries(news).sort());
  }

  /**
   * Begins the run. The engine names its own providers `default`, or `default_` with a version. The reference is that of this
   * provider object, its URN and its id.
   */
  configure(given: Received, name: string, reference = ""): void {
    if (this.configured) throw new CallError(Code.exists, "the provider is already configured");
    const isDefault = name === "" || name === "default" || name.startsWith("default_");
    configure(this.settings, given, isDefault ? undefined : name);
    this.reference = reference;
    const tell = (line: string) => this.say("info", line);
    this.run = new Run({ settings: this.settings, tell });
    this.configured = new Resources(this.run, (text, urn) => this.say("warning", text, urn));
  }

  resources(): Resources {
    if (this.configured) return this.configured;
    throw new CallError(Code.precondition, "the provider is not configured yet; call Configure first");
  }

  constructing(): Constructing {
    this.resources();
    const { run, reference: provider, components } = this;
    return { run: run as Run, provider, components, warn: (text, urn) => this.say("warning", text, urn) };
  }

  /** The engine calls it when a user interrupts a command, and also at the end of every command. */
  cancel(): void {
    this.run?.connections.stop();
  }

  private say(severity: "info" | "warning", text: string, urn?: string): void {
    if (this.log) this.log.write(severity, text, urn);
    else process.stderr.write(`${text}\n`);
  }
}
