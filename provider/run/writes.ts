import { createHash } from "node:crypto";
import type { RecentWrites, Trace } from "../api/cache/overlay";
import { type Context, organizationScoped } from "./context";
import type { Properties } from "./properties";

/**
 * The output that records recent writes, so that a later run does not take an older read for a change. The engine hides names that
 * begin with `__`.
 */
export const writtenKey = "__written";

interface Write {
  /** Milliseconds, by the clock of the service. */
  readonly at: number;
  /** What reads showed before the write. A read that shows this is older than the write; any other read is believed. */
  readonly was: readonly Trace[];
  /** When this run learned of the write, by its own clock: the clock of the service may stand still. */
  readonly since: number;
  /** The ids in the subject. */
  readonly ids: readonly string[];
  /** Whether the write comes from a state. The writes of this run are newer. */
  readonly isRestored: boolean;
}

/** As the state records it: seconds, and what reads showed before, by subject. */
interface Recorded {
  readonly at: number;
  readonly was: Readonly<Record<string, readonly Trace[]>>;
}

/** Pauses between two questions about one write, in milliseconds; the last one repeats until the settle time is over. */
const pauses = [250, 500, 1_000, 2_000];
const second = 1_000;

/**
 * The writes of a run, and those of earlier runs that the state records. Reads of a service may lag behind writes, so a read within
 * the settle time that shows what was there before a write is an older read: neither drift nor "gone".
 */
export class Writes {
  private readonly writes = new Map<string, Write>();

  constructor(private readonly context: Context) {}

  /** Records that a write of this run changed what reads show of the subject. */
  note(subject: string, before: Trace, now: Trace): void {
    const was = new Set([...(this.recent(subject)?.was ?? []), before]);
    was.delete(now);
    this.set(subject, { at: this.now(), was: [...was], isRestored: false });
  }

  /** Whether an answer shows what was there before a recent write. */
  isOld(subject: string, shown: Trace): boolean {
    return this.recent(subject)?.was.includes(shown) ?? false;
  }

  /** Waits before a question is repeated. The first times are short, because most replicas lag for less than a second. */
  async pause(times: number, subject: string): Promise<void> {
    const { run } = this.context;
    if (times > 0)
      run.tellOnce(
        `${subject}: a recent change is not visible; waiting, because the service may answer with older data, or somebody has changed it`,
      );
    await run.clock.sleep(pauses[Math.min(times, pauses.length - 1)] ?? 0);
  }

  /** Recently written subjects of one kind. */
  *among(kind: string): Iterable<string> {
    for (const subject of this.writes.keys())
      if (subject.startsWith(kind) && this.recent(subject)) yield subject.slice(kind.length);
  }

  /**
   * Takes over what the state of a resource records. Several states may record a subject: the newest counts, because the
   * other states were last saved before that write. A value of another form is ignored.
   */
  restore(recorded: unknown): void {
    const { at, was } = (recorded ?? {}) as Partial<Recorded>;
    if (typeof at !== "number" || typeof was !== "object") return;
    for (const [subject, traces] of Object.entries(was ?? {})) {
      const knownWrite = this.writes.get(subject);
      const isNewer = !knownWrite || (knownWrite.isRestored && knownWrite.at < at * second);
      if (Array.isArray(traces) && isNewer) this.set(subject, { at: at * second, was: traces, isRestored: true });
    }
  }

  /** What the state of a resource records: recent writes of the subjects that it names, or that are keys of its recorded `__written`. */
  recordOf(...properties: readonly Properties[]): Properties {
    const names = new Set(properties.flatMap(textsIn));
    const isNamed = (subject: string, { ids }: Write) => names.has(subject) || ids.every((id) => names.has(id));
    const isOwn = ([subject, write]: [string, Write]) => isNamed(subject, write) && this.recent(subject);
    const ownWrites = [...this.writes].filter(isOwn);
    if (ownWrites.length === 0) return {};
    const at = Math.max(...ownWrites.map(([, write]) => write.at));
    const was = Object.fromEntries(ownWrites.map(([subject, write]) => [subject, write.was]));
    return { [writtenKey]: { at: Math.ceil(at / second), was } satisfies Recorded };
  }

  private set(subject: string, write: Omit<Write, "since" | "ids">): void {
    const [, ...ids] = subject.split(/[:/]/);
    this.writes.set(subject, { ...write, since: this.context.run.clock.now(), ids });
  }

  private recent(subject: string): Write | undefined {
    const write = this.writes.get(subject);
    if (!write) return undefined;
    const { clock, settings } = this.context.run;
    // A write far in the future is not recent either: the clock of the service was set back.
    const age = Math.max(Math.abs(this.now() - write.at), clock.now() - write.since);
    return age < settings.settleTime() ? write : undefined;
  }

  private now(): number {
    return this.context.client.now().getTime();
  }
}

export const writesOf = organizationScoped((context) => new Writes(context));

/** The recent writes of one kind of subject, for the `BatchedReader` of them. */
export function recentWrites<Item>(context: Context, kind: string, trace: (item: Item) => string): RecentWrites<Item> {
  const writes = writesOf(context);
  return {
    trace,
    note: (key, before, now) => writes.note(kind + key, before, now),
    isOld: (key, shown) => writes.isOld(kind + key, shown),
    written: () => writes.among(kind),
    pause: (times, name) => writes.pause(times, name),
    isBusy: () => context.run.connections.isBusy(),
  };
}

/** Reads and writes of one subject that no snapshot caches. `kind` names the subject in messages, with its id. */
export class Written<T> {
  private readonly subject: string;

  constructor(
    private readonly writes: Writes,
    private readonly kind: string,
    private readonly id: string,
    private readonly traceOf: (answer: T) => Trace,
  ) {
    this.subject = `${kind}:${id}`;
  }

  /** Reads the subject, and repeats the read while the answer is older than a write. */
  async read(read: () => Promise<T>): Promise<T> {
    for (let times = 0; ; times++) {
      const answer = await read();
      if (!this.writes.isOld(this.subject, this.traceOf(answer))) return answer;
      await this.writes.pause(times, `${this.kind} ${this.id}`);
    }
  }

  /** Records a write, with what reads showed before it and show now. */
  note(before: T, now: T): void {
    const was = this.traceOf(before);
    const is = this.traceOf(now);
    if (was !== is) this.writes.note(this.subject, was, is);
  }
}

/** A short form of values that are too long for the state. */
export const digest = (...values: unknown[]): string =>
  createHash("sha256").update(JSON.stringify(values)).digest("base64url").slice(0, 10);

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
}
