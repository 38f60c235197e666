import { Connections } from "./connections";
import { tellOnStderr } from "./presentation";
import { Settings } from "./settings";

interface Options {
  /** Left out, they are read from the environment of the process. */
  readonly settings?: Settings;
  /** Shows one line to the user; left out, it goes to stderr. */
  readonly tell?: (line: string) => void;
  /** Milliseconds; see `Run.patience`. */
  readonly patience?: number;
}

/**
 * One run of a program, of an engine command or of a command of ours. It owns everything that lives as long: settings,
 * connections, what was read, and which resource manages what. Nothing of this is a variable of a module, so two runs in one
 * process know nothing of each other. Only a host or a command keeps a run.
 */
export class Run {
  readonly settings: Settings;
  readonly tell: (line: string) => void;
  /**
   * Milliseconds that a refusal waits for what the engine or the program may still hand over: they do so in any order, and it may
   * change the answer.
   */
  readonly patience: number;
  private readonly parts = new Map<unknown, unknown>();
  private readonly told = new Set<string>();
  private hasProgram = false;
  private handedOver = 0;

  constructor(
    { settings = new Settings(), tell = tellOnStderr, patience = 3_000 }: Options = {},
    readonly connections = new Connections(tell),
  ) {
    this.settings = settings;
    this.tell = tell;
    this.patience = patience;
  }

  /** A run with the same connections that has read nothing yet. */
  startAfresh(): Run {
    return new Run(this, this.connections);
  }

  /** What a module keeps for this run; made when it is first asked for. See `perRun`. */
  part<T>(make: (run: Run) => T): T {
    if (!this.parts.has(make)) this.parts.set(make, make(this));
    return this.parts.get(make) as T;
  }

  /** The engine asks for a difference once in a refresh and once more in the preview after it. */
  tellOnce(line: string): void {
    if (this.told.has(line)) return;
    this.told.add(line);
    this.tell(line);
  }

  noteProgram(): void {
    this.hasProgram = true;
  }

  /**
   * Whether the run executes a program: then `check` saw its resources. `pulumi destroy` and `pulumi refresh` execute none, so
   * whatever a destroy deletes is deleted because everything is.
   */
  runsProgram(): boolean {
    return this.hasProgram;
  }

  noteCall(): void {
    this.handedOver = Date.now();
  }

  /** When the engine last handed over something to be carried out. */
  lastCall(): number {
    return this.handedOver;
  }
}

/** What a module keeps for each run. */
export function perRun<T>(make: (run: Run) => T): (run: Run) => T {
  return (run) => run.part(make);
}
