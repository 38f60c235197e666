import type { Client, ClientOptions } from "../api/client";
import { Limiter } from "../api/http/limiter";
import { tellOnStderr } from "./presentation";
import { Settings } from "./settings";

interface Options {
  /** By default, they are read from the environment of the process. */
  readonly settings?: Settings;
  /** Shows one line to the user; by default, on stderr. */
  readonly tell?: (line: string) => void;
  /** Milliseconds; see `Run.patience`. */
  readonly patience?: number;
  readonly clock?: Clock;
}

/** The time by which a run waits for reads that lag behind writes, in milliseconds. */
export interface Clock {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

/**
 * One execution of a program, of an engine command, or of a `docs-org` command. It owns everything with the same lifetime:
 * settings, connections, cached reads, and which resource manages what. None of this is in module variables, so two runs in
 * one process are independent. Only a host or a command holds a run at module level.
 */
export class Run {
  readonly settings: Settings;
  readonly tell: (line: string) => void;
  /**
   * How long a refusal waits for further calls of the engine or the program, in milliseconds: the calls come in any order, and
   * a later one may make the refusal unnecessary.
   */
  readonly patience: number;
  /** Its pauses end when the user cancels the command. */
  readonly clock: Clock;
  /** When the engine last called `create`, `update` or `delete`. */
  calledAt = 0;
  private readonly parts = new Map<unknown, unknown>();
  private readonly told = new Set<string>();
  private hasProgram = false;

  constructor(
    { settings = new Settings(), tell = tellOnStderr, patience = 3_000, clock }: Options = {},
    readonly connections = new Connections(tell),
  ) {
    this.settings = settings;
    this.tell = tell;
    this.patience = patience;
    this.clock = clock ?? { now: () => performance.now(), sleep: (milliseconds) => connections.sleep(milliseconds) };
  }

  /** Creates a run with the same connections and empty caches. */
  startAfresh(): Run {
    const run = new Run(this, this.connections);
    run.hasProgram = this.hasProgram;
    return run;
  }

  /** Returns what a module keeps for this run, created at the first request. See `runScoped`. */
  part<T>(make: (run: Run) => T): T {
    if (!this.parts.has(make)) this.parts.set(make, make(this));
    return this.parts.get(make) as T;
  }

  /** Shows a line once, although the engine calls `diff` in a refresh and again in the preview after it. */
  tellOnce(line: string): void {
    if (this.told.has(line)) return;
    this.told.add(line);
    this.tell(line);
  }

  noteProgram(): void {
    this.hasProgram = true;
  }

  /**
   * Whether the run executes a program, so that `check` has seen its resources. `pulumi destroy` and `pulumi refresh` execute
   * none: a deletion then means that the whole stack is deleted.
   */
  runsProgram(): boolean {
    return this.hasProgram;
  }
}

/** Keeps one value for each run; `make` creates it at the first request. */
export function runScoped<T>(make: (run: Run) => T): (run: Run) => T {
  return (run) => run.part(make);
}

interface Connection extends Required<Pick<ClientOptions, "baseUrl" | "token" | "deadline" | "readOnly">> {
  readonly logs: boolean;
}

/** The clients of a run. They share one limiter, because the service limits the caller, not the resource. */
class Connections {
  /** Stopped when the user has cancelled the command: no further call of the engine or the program comes. */
  readonly limiter: Limiter;
  private readonly clients = new Map<string, Client>();
  private pauses = 0;

  constructor(private readonly notice: (line: string) => void) {
    this.limiter = new Limiter({ notice });
  }

  /** Whether a request of the run is in flight, or is repeated after a pause. */
  isBusy(): boolean {
    return this.limiter.isBusy() || this.pauses > 0;
  }

  /** Waits, until the user cancels the command at the latest. */
  async sleep(milliseconds: number): Promise<void> {
    this.pauses++;
    await this.limiter.sleep(milliseconds).finally(() => this.pauses--);
  }

  /** Loads the client module at the first call: most programs only declare resources and send no requests themselves. */
  async connect({ deadline, logs, ...address }: Connection): Promise<Client> {
    const { createClient } = await import("../api/client.js");
    const key = JSON.stringify([address, deadline]);
    const { limiter } = this;
    const options = { ...address, limiter, deadline, ...(logs && { log: this.notice }) };
    const client = this.clients.get(key) ?? createClient(options);
    this.clients.set(key, client);
    return client;
  }
}
