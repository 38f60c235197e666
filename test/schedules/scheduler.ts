import { syncBuiltinESMExports } from "node:module";
import { parse } from "node:querystring";
import timers from "node:timers/promises";
import { deserialize, serialize } from "node:v8";
import type { Dispatcher } from "undici";
import { afterAll } from "vitest";
import "../../provider/api/client";
import { type Request, Transport } from "../../provider/api/http/transport";
import { type Answer, errorAnswer } from "../../provider/emulator/http/errors";
import { exchange } from "../../provider/emulator/server/exchange";
import { findRow } from "../../provider/emulator/server/rows";
import { defaultReadings, type Service } from "../../provider/emulator/store/service";
import { Past, type State } from "../../provider/emulator/store/state";

/**
 * Real runs and the emulator in one process, under a scheduler that decides the order of every request, timer, kill and change by hand.
 * fast-check's scheduler decides the order of promises that are handed to it; it knows neither timers nor which steps commute, and
 * draws orders at random, so this one is our own. HTTP is left out: the transport hands its requests to the emulator's exchange.
 */

/** One thing that can happen next. */
export interface ScheduledStep {
  /** The same in each execution in which the actor has come to the same point. */
  readonly label: string;
  /** What happens, for the reader of a trace. */
  readonly sentence: string;
  readonly actor: string;
  /** `old`: the service answers with what was there before the last write. `lost`: it serves the request, and then the run is killed. */
  readonly kind: "request" | "old" | "lost" | "kill" | "hand";
  readonly isRead: boolean;
  /** The label of its request. */
  readonly of: string;
  /** What it reads or writes, such as `member user_ada`, `member *`, `team a`; nothing for a kill. */
  readonly subjects: readonly string[];
}

/** What the transport reads of an answer. */
type Reply = Pick<Dispatcher.ResponseData, "statusCode" | "headers"> & { readonly body: readonly Buffer[] };

interface Pending {
  readonly step: ScheduledStep;
  readonly request: Request;
  readonly answer: (reply: Reply) => void;
}

interface Timer {
  readonly actor: string;
  readonly at: number;
  readonly fire: () => void;
}

const begin = Date.parse("2026-12-01T12:00:00Z");
/** More promises than follow each other in a run without a request, a timer or an end. */
const manyTicks = 80;
let execution: Execution | undefined;

/** Gives runs the time and the service of the execution; everything outside of runs keeps the real ones. */
export function useScheduler(): void {
  /** The execution, while one of its runs acts. */
  const current = () => (execution?.acting === undefined ? undefined : execution);
  const { setTimeout: timeout, clearTimeout: clear } = globalThis;
  const [sleep, dateNow, performanceNow] = [timers.setTimeout, Date.now, performance.now.bind(performance)];
  const restore = [
    replace(Date, "now", () => current()?.now ?? dateNow()),
    replace(performance, "now", () => current()?.now ?? performanceNow()),
    replace(globalThis, "setTimeout", (work: () => void, ms = 0) => {
      const found = current();
      return found ? found.addTimer(work, ms) : timeout(work, ms);
    }),
    replace(globalThis, "clearTimeout", (timer: NodeJS.Timeout & Timer) => {
      const isOfRun = execution?.timers.delete(timer) ?? false;
      if (!isOfRun) clear(timer);
    }),
    replace(timers, "setTimeout", (ms: number, ...more: []) => {
      const found = current();
      return found ? new Promise<void>((done) => found.addTimer(done, ms)) : sleep(ms, ...more);
    }),
    replace(
      Transport.prototype,
      "dispatch",
      (request: Request) => new Promise((answer) => execution?.arrive(request, answer)),
    ),
  ];
  syncBuiltinESMExports();
  afterAll(() => {
    for (const one of restore) one();
    syncBuiltinESMExports();
  });
}

/** Replaces a method, and returns what undoes it. A spy would keep each call. */
function replace(object: object, name: string, method: unknown): () => void {
  const original = Reflect.get(object, name);
  Reflect.set(object, name, method);
  return () => void Reflect.set(object, name, original);
}

export interface Situation {
  readonly state: State;
  /** The work of each run by its name. A run that works for a second time has begun again. */
  readonly runs: Readonly<Record<string, () => Promise<unknown>>>;
  /** Changes by hand, in their order. */
  readonly hand: readonly { readonly text: string; readonly subject: string; readonly make: (state: State) => void }[];
  readonly kills: number;
  readonly oldReads: number;
  /** Called after each step. */
  readonly observe: (step: ScheduledStep, state: State) => void;
}

export class Execution {
  now = begin;
  readonly timers = new Set<Timer>();
  readonly pending = new Map<string, Pending>();
  readonly dead = new Set<string>();
  readonly trace: ScheduledStep[] = [];
  /** Whose turn it is: after each step, only the run of the step goes on until it waits again. */
  acting: string | undefined;
  private readonly working = new Set<string>();
  private readonly seen = new Map<string, number>();
  private events = 0;
  private handMade = 0;
  private kills = 0;
  private oldReads = 0;
  private before: Buffer | undefined;
  private readonly service: Service;

  constructor(private readonly situation: Situation) {
    const { state } = situation;
    const now = () => new Date(this.now);
    this.service = {
      state,
      past: new Past(state, now),
      version: "0.146",
      readings: defaultReadings,
      now,
      secret: "s",
      url: "http://127.0.0.1:1",
    };
  }

  addTimer(fire: () => void, milliseconds: number): Timer {
    this.events++;
    const timer = {
      actor: this.acting ?? "",
      at: this.now + Math.max(1, milliseconds),
      fire,
      unref: () => timer,
      ref: () => timer,
    };
    this.timers.add(timer);
    return timer;
  }

  arrive(request: Request, answer: Pending["answer"]): void {
    this.events++;
    const actor = this.acting ?? "";
    if (this.dead.has(actor)) return;
    const text = `${actor}: ${request.method} ${request.path}${request.body === undefined ? "" : ` ${JSON.stringify(request.body)}`}`;
    const times = (this.seen.get(text) ?? 0) + 1;
    this.seen.set(text, times);
    const label = times === 1 ? text : `${text} (${times})`;
    const step: ScheduledStep = {
      label,
      sentence: `${actor} ${describe(request)}`,
      of: label,
      actor,
      kind: "request",
      isRead: request.method === "GET",
      subjects: subjectsOf(request),
    };
    this.pending.set(label, { step, request, answer });
  }

  start(name: string, work: () => Promise<unknown>): void {
    this.working.add(name);
    const end = () => {
      this.events++;
      this.working.delete(name);
    };
    this.act(name, () => void work().then(end, end));
  }

  private act(actor: string, work: () => void): void {
    this.acting = actor;
    work();
  }

  /** Lets everything happen that waits for nothing but time. A run's time passes only while it waits for no answer. */
  private async settle(): Promise<void> {
    for (;;) {
      await this.quiet();
      const waiting = new Set([...this.pending.values()].map(({ step }) => step.actor));
      const idle = [...this.timers].filter(({ actor }) => !waiting.has(actor) && !this.dead.has(actor));
      const [next] = idle.sort((one, other) => one.at - other.at);
      if (!next) return;
      this.timers.delete(next);
      this.now = Math.max(this.now, next.at);
      this.act(next.actor, next.fire);
    }
  }

  /** Waits until the runs have made all that they can make without an answer, a timer or another turn of the event loop. */
  private async quiet(): Promise<void> {
    let quietTurns = 0;
    while (quietTurns < 2) {
      const before = this.events;
      for (let ticks = 0; ticks < manyTicks; ticks++) await undefined;
      if (this.pending.size === 0 && this.timers.size === 0) await new Promise(setImmediate);
      if (this.events === before) quietTurns += 1;
    }
    this.acting = undefined;
  }

  /** What can happen next. The order of the kinds is the order in which they are tried. */
  private steps(): ScheduledStep[] {
    const { hand, kills, oldReads } = this.situation;
    const requests = [...this.pending.values()].map(({ step }) => step);
    const steps = [...requests];
    const next = hand[this.handMade];
    if (next)
      steps.push({ ...named(`by hand: ${next.text}`), actor: "by hand", kind: "hand", subjects: [next.subject] });
    if (this.before && this.oldReads < oldReads)
      for (const one of requests.filter(({ isRead }) => isRead))
        steps.push({ ...one, kind: "old", ...extended(one, "and gets an older answer") });
    if (this.kills >= kills) return steps;
    for (const one of requests.filter(({ isRead }) => !isRead))
      steps.push({ ...one, kind: "lost", ...extended(one, "and is killed before the answer") });
    for (const actor of new Set(requests.map((one) => one.actor)))
      steps.push({ ...named(`${actor} is killed`), actor, kind: "kill", subjects: [] });
    return steps;
  }

  private make(step: ScheduledStep): void {
    this.trace.push(step);
    const { state, hand, observe } = this.situation;
    if (step.kind === "kill") this.kill(step.actor);
    else if (step.kind === "hand") {
      this.keepState();
      hand[this.handMade]?.make(state);
      this.handMade += 1;
      observe(step, state);
    } else {
      const { request, answer } = this.pending.get(step.of) as Pending;
      this.pending.delete(step.of);
      if (!step.isRead) this.keepState();
      const reply = this.serve(request, step.kind === "old");
      observe(step, state);
      if (step.kind === "lost") this.kill(step.actor);
      else this.act(step.actor, () => answer(reply));
    }
  }

  private keepState(): void {
    if (this.oldReads < this.situation.oldReads) this.before = serialize(this.situation.state);
  }

  private kill(actor: string): void {
    this.kills++;
    this.dead.add(actor);
    this.working.delete(actor);
    for (const [label, { step }] of this.pending) if (step.actor === actor) this.pending.delete(label);
  }

  private serve(request: Request, isOld: boolean): Reply {
    if (isOld) this.oldReads++;
    const service = isOld ? { ...this.service, state: deserialize(this.before as Buffer) as State } : this.service;
    const { status: statusCode, headers, body } = answerTo(request, service);
    return { statusCode, headers, body: [Buffer.from(body === undefined ? "" : JSON.stringify(body))] };
  }

  /** Runs until nothing more can happen, or `choose` has no choice. Returns whether it came to the end. */
  async run(choose: Choose): Promise<boolean> {
    execution = this;
    for (const [name, work] of Object.entries(this.situation.runs)) {
      this.start(name, work);
      await this.quiet();
    }
    return this.continue(choose);
  }

  async continue(choose: Choose): Promise<boolean> {
    for (;;) {
      await this.settle();
      const steps = this.steps();
      if (this.pending.size === 0 && this.working.size > 0)
        throw new Error(
          `${[...this.working]} wait for nothing\n${this.trace.map(({ sentence }) => sentence).join("\n")}`,
        );
      if (steps.length === 0) return true;
      const step = choose(steps);
      if (!step) return false;
      this.make(step);
    }
  }
}

function answerTo({ method, path, body }: Request, service: Service): Answer {
  const [place = "", query = ""] = path.split("?");
  const received = body && JSON.parse(JSON.stringify(body));
  try {
    const { row, parameters } = findRow(method, place);
    return exchange(row, { path: parameters, query: parse(query), body: received }, service) as Answer;
  } catch (error) {
    return errorAnswer(error);
  }
}

/** A step that is no request. */
const named = (sentence: string) => ({ label: sentence, sentence, of: "", isRead: false });

const extended = ({ label, sentence }: ScheduledStep, text: string) => {
  return { label: `${label}, ${text}`, sentence: `${sentence}, ${text}` };
};

type Body = Readonly<Record<string, unknown>>;
const nameOf = (id: unknown) => String(id).replace("user_", "");
const levelsIn = (memberships: unknown) =>
  Object.entries(memberships ?? {}).map(([id, { role }]) => `makes ${nameOf(id)} ${role}`);

/** What a request does, as one says it. `at` has the ids in the path. */
const sentences: readonly [RegExp, (at: readonly string[], body: Body) => string][] = [
  [/^GET .*\/teams\/(\w+)\/members/, ([team]) => `lists the people of ${team}`],
  [/^GET .*\/members\/user_(\w+)\/teams/, ([person]) => `lists the teams of ${person}`],
  [/^GET .*\/members\/user_(\w+)/, ([person]) => `looks at ${person}`],
  [/^GET .*\/members\?role=admin/, () => "lists the administrators"],
  [/^GET .*\/(members|sites)\?/, ([what]) => `lists the ${what}`],
  [/^PATCH .*\/members\/user_(\w+)/, ([person], { role }) => `makes ${person} ${role ?? "guest"}`],
  [/^PUT .*\/teams\/(\w+)\/members\/user_(\w+)/, ([team, person], { role }) => `makes ${person} ${role} in ${team}`],
  [
    /^PUT .*\/teams\/(\w+)\/members/,
    ([team], { memberships, remove = [] }) =>
      `${[...levelsIn(memberships), ...(remove as string[]).map((id) => `removes ${nameOf(id)}`)].join(", ")} in ${team}`,
  ],
  [/^POST .*\/sites/, (_, { title }) => `creates the site ${title}`],
];

function describe({ method, path, body }: Request): string {
  const text = `${method} ${path}`;
  const found = sentences.find(([pattern]) => pattern.test(text));
  return found ? found[1](found[0].exec(text)?.slice(1) ?? [], body as Body) : text;
}

/** Names what a request reads or writes. */
function subjectsOf({ method, path }: Request): string[] {
  const [, member, rest = ""] = /\/members(?:\/([^/?]+))?([^?]*)/.exec(path) ?? [];
  const team = /\/teams\/([^/?]+)\/members/.exec(path)?.[1];
  if (team) return [`team ${team}`];
  if (rest.startsWith("/teams")) return ["team *"];
  if (method === "DELETE") return [`member ${member}`, "team *"];
  return [`member ${member ?? "*"}`];
}

/** Whether two steps lead to the same, in either order. */
export function commute(one: ScheduledStep, other: ScheduledStep): boolean {
  if (one.isRead && other.isRead) return true;
  if (one.actor === other.actor || one.kind === "old" || other.kind === "old") return false;
  const meets = (a: string, b: string) =>
    a === b || (a.split(" ")[0] === b.split(" ")[0] && (a.endsWith("*") || b.endsWith("*")));
  return !one.subjects.some((a) => other.subjects.some((b) => meets(a, b)));
}

/** How many orders of the same steps lead to the same as this one. The steps of one actor keep their order. */
export function countOrders(steps: readonly ScheduledStep[]): number {
  const actors = [...new Set(steps.map(({ actor }) => actor))];
  const queues = actors.map((actor) => steps.filter((one) => one.actor === actor));
  const place = new Map(steps.map((one, index) => [one, index]));
  const comesFirst = (one: ScheduledStep, other: ScheduledStep) =>
    !commute(one, other) && (place.get(one) ?? 0) < (place.get(other) ?? 0);
  const known = new Map<string, number>();
  /** The number of orders of what is left when the first steps of each queue, as many as `done` says, are done. */
  const countFrom = (done: readonly number[]): number => {
    const found = known.get(done.join());
    if (found !== undefined) return found;
    const left = queues.map((queue, at) => queue.slice(done[at]));
    let count = left.every((queue) => queue.length === 0) ? 1 : 0;
    for (const [at, [step]] of left.entries()) {
      const others = left.filter((queue) => queue[0] !== step).flat();
      if (!step || others.some((one) => comesFirst(one, step))) continue;
      count += countFrom(done.map((number, queue) => (queue === at ? number + 1 : number)));
    }
    known.set(done.join(), count);
    return count;
  };
  return countFrom(queues.map(() => 0));
}

/** Chooses what happens next; without a choice, the execution ends early. */
export type Choose = (steps: readonly ScheduledStep[]) => ScheduledStep | undefined;
type Attempt = (choose: Choose) => Promise<void>;

interface Frame {
  readonly steps: readonly ScheduledStep[];
  readonly asleep: readonly ScheduledStep[];
  readonly tried: ScheduledStep[];
  chosen: ScheduledStep | undefined;
}

/** Executes every order once, except those that differ only in the order of steps that commute (sleep sets). */
export async function exploreSchedules(attempt: Attempt) {
  let [schedules, abandoned] = [0, 0];
  const stack: Frame[] = [];
  const next = ({ steps, asleep, tried }: Frame) =>
    steps.find(({ label }) => ![...asleep, ...tried].some((one) => one.label === label));
  for (;;) {
    let depth = 0;
    let asleep: readonly ScheduledStep[] = [];
    let isAbandoned = false;
    await attempt((steps) => {
      if (depth === stack.length) {
        const frame: Frame = { steps, asleep, tried: [], chosen: undefined };
        frame.chosen = next(frame);
        stack.push(frame);
      }
      const { chosen, asleep: before, tried } = stack[depth] as Frame;
      depth += 1;
      if (!chosen) {
        isAbandoned = true;
        return undefined;
      }
      asleep = [...before, ...tried].filter((one) => commute(one, chosen));
      return steps.find(({ label }) => label === chosen.label) ?? unknownStep(chosen, steps);
    });
    if (isAbandoned) abandoned++;
    else schedules++;
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      if (top.chosen) top.tried.push(top.chosen);
      top.chosen = next(top);
      if (top.chosen) break;
      stack.pop();
    }
    if (stack.length === 0) return { schedules, abandoned };
  }
}

/** Executes orders at random. */
export async function exploreAtRandom(attempt: Attempt, isOver: () => boolean, seed: number) {
  let schedules = 0;
  for (; schedules === 0 || !isOver(); schedules++) {
    const draw = generator(seed * 1_000_003 + schedules);
    await attempt((steps) => steps[Math.floor(draw() * steps.length)]);
  }
  return { schedules, abandoned: 0 };
}

/** Numbers from 0 to below 1 (mulberry32). */
function generator(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function unknownStep({ label }: ScheduledStep, steps: readonly ScheduledStep[]): never {
  throw new Error(
    `the execution is not the same again: ${label} is not among\n${steps.map((one) => one.label).join("\n")}`,
  );
}
