// The runner of vitest that judges mutants. It does so before the first file of tests, and all in the process of this file, because
// loading takes longer than most tests.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { type RunnerTask, type RunnerTestCase, type RunnerTestFile, vi } from "vitest";
import { startTests } from "vitest/internal/browser";
import { VitestTestRunner } from "vitest/runners";
import type { Job, MutantOutcome, Part } from "./mutant.js";

/** How often the code of each mutant runs, by its id. */
type Hits = Record<string, number>;

interface KnownTest {
  readonly name: string;
  readonly file: string;
  readonly milliseconds: number;
  readonly hits: Hits;
}

/** What the runner of vitest keeps to itself. */
interface Hidden {
  readonly moduleRunner: unknown;
  readonly _otel: unknown;
  readonly workerState: {
    filepath: string;
    readonly evaluatedModules: {
      readonly fileToModulesMap: ReadonlyMap<string, Set<object>>;
      invalidateModule(module: object): void;
    };
  };
}
const hiddenIn = (runner: VitestTestRunner) => runner as unknown as Hidden;

/** How long the tests of a mutant take without it, in milliseconds: those of its room, and others. The shortest of each begin. */
const budgets = { own: 6_000, others: 1_500 };
/** Code that runs so much more often than without the mutant would not end. */
const patience = 20;
/** Neighbours are often killed by the same test. */
const rememberedKillers = 5;

// The same cases for every mutant, and no search for a smaller one.
fc.configureGlobal({ seed: 1, endOnFailure: true });

/** The variables of the instrumented sources, which never ask for the object of the hits again. */
const hits: { static: Hits; perTest: Record<string, Hits> } = { static: {}, perTest: {} };
const switches: { activeMutant?: string; currentTestId?: string; hitCount?: number; hitLimit?: number } = {};
Object.assign(globalThis, { __stryker__: Object.assign(switches, { mutantCoverage: hits }) });

const testsIn = (tasks: readonly RunnerTask[]): RunnerTestCase[] =>
  tasks.flatMap((task) => ("tasks" in task ? testsIn(task.tasks) : task));

/** As many of the tests as the time is enough for, but at least one. */
function affordable(tests: readonly KnownTest[], budget: number): KnownTest[] {
  let total = 0;
  return tests.filter(({ milliseconds }, index) => {
    total += milliseconds;
    return index === 0 || total <= budget;
  });
}

/** Runs the chosen tests of a file up to the first that fails, and says nothing to vitest. */
class QuietRunner extends VitestTestRunner {
  readonly passed: { name: string; milliseconds: number }[] = [];
  failed: string | undefined;
  reason: string | undefined;
  private readonly names = new Map<RunnerTask, string>();
  private begun = process.cpuUsage();

  constructor(
    private readonly parent: VitestTestRunner,
    private readonly file: string,
    private readonly isChosen: (name: string) => boolean,
    private readonly limitOf: (name: string) => number,
  ) {
    super(parent.config);
    const { moduleRunner, _otel } = hiddenIn(parent);
    Object.assign(this, { moduleRunner, _otel });
  }

  /** Workers would keep every runner for their end. */
  override onCleanupWorkerContext(): void {}

  async run(): Promise<this> {
    const { workerState } = hiddenIn(this.parent);
    const absolute = path.resolve(this.file);
    for (const module of workerState.evaluatedModules.fileToModulesMap.get(absolute) ?? [])
      workerState.evaluatedModules.invalidateModule(module);
    workerState.filepath = absolute;
    hits.perTest = {};
    switches.currentTestId = this.file;
    vi.useRealTimers();
    vi.restoreAllMocks();
    const [file] = await startTests([absolute], this);
    if (file?.result?.state === "fail") this.failed ??= this.file;
    return this;
  }

  onCollected([file]: RunnerTestFile[]): void {
    for (const [index, test] of testsIn(file?.tasks ?? []).entries()) {
      const name = `${this.file} ${index}: ${test.name}`;
      this.names.set(test, name);
      if (test.mode === "run" && !this.isChosen(name)) test.mode = "skip";
    }
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    if (this.failed) test.mode = "skip";
    const name = this.names.get(test) ?? "";
    Object.assign(switches, { currentTestId: name, hitCount: 0, hitLimit: this.limitOf(name) });
    this.begun = process.cpuUsage();
    await super.onBeforeRunTask(test);
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    switches.currentTestId = this.file;
    const name = this.names.get(test) ?? "";
    if (test.result?.state === "fail") {
      this.failed ??= name;
      this.reason ??= test.result.errors?.[0]?.message;
    }
    // The time of the processor, because the machine may do other things.
    const { user, system } = process.cpuUsage(this.begun);
    if (test.result?.state === "pass") this.passed.push({ name, milliseconds: (user + system) / 1000 });
    super.onAfterRunTask(test);
  }
}

export default class MutantRunner extends VitestTestRunner {
  private isBegun = false;

  async onBeforeCollect(): Promise<void> {
    if (this.isBegun) return;
    this.isBegun = true;
    const { MUTANTS_FOLDER: folder = "", MUTANTS_PART: part } = process.env;
    const coverage = path.join(folder, "coverage.json");
    const { tests }: Job = JSON.parse(readFileSync(path.join(folder, "job.json"), "utf8"));
    const loading: Hits = {};
    for (const file of tests) {
      await this.run(file, () => false);
      Object.assign(loading, hits.perTest[file]);
    }
    if (part) await this.judge(path.join(folder, part), JSON.parse(readFileSync(coverage, "utf8")), loading);
    else writeFileSync(coverage, JSON.stringify(await this.cover(tests)));
    Object.assign(switches, { activeMutant: undefined, hitLimit: Number.POSITIVE_INFINITY });
  }

  /** With a limit of how often the code of the mutant may run in a test. */
  private run(file: string, isChosen: (name: string) => boolean, limitOf = (_: string) => Number.POSITIVE_INFINITY) {
    return new QuietRunner(this, file, isChosen, limitOf).run();
  }

  /** Which tests run the code of which mutant. */
  private async cover(files: readonly string[]): Promise<KnownTest[]> {
    const tests: KnownTest[] = [];
    for (const file of files) {
      const failing = new Set<string>();
      let ran = await this.run(file, () => true);
      // Each test must pass after all others in one process, and on a machine that does other things.
      for (; ran.failed; ran = await this.run(file, (name) => !failing.has(name))) {
        if (ran.failed === file || failing.has(ran.failed)) throw new Error(`fails without a mutant: ${file}`);
        failing.add(ran.failed);
        process.stdout.write(`left out, because it fails without a mutant: ${ran.failed}: ${ran.reason}\n`);
      }
      // Hooks and tables of tests concern all tests of the file.
      for (const test of ran.passed)
        tests.push({ ...test, file, hits: { ...hits.perTest[file], ...hits.perTest[test.name] } });
    }
    return tests.sort((one, other) => one.milliseconds - other.milliseconds);
  }

  /** Notes what becomes of each mutant that is not noted yet. */
  private async judge(part: string, tests: readonly KnownTest[], loading: Hits): Promise<void> {
    const { ids, own }: Part = JSON.parse(readFileSync(`${part}.json`, "utf8"));
    const isOwn = ({ file }: KnownTest) => own.some((start) => file.startsWith(start));
    const noted = new Set(readFileSync(`${part}.txt`, "utf8").match(/^\d+(?= (?!begun))/gm));
    const note = (id: string, outcome: MutantOutcome, test = "") =>
      appendFileSync(`${part}.txt`, `${id} ${outcome} ${test}\n`);
    let killers: string[] = [];
    let isFirst = true;
    for (const id of ids) {
      if (noted.has(id)) continue;
      note(id, "begun");
      const all = tests.filter((test) => test.hits[id]);
      const others = all.filter((test) => !isOwn(test));
      const covering = [...affordable(all.filter(isOwn), budgets.own), ...affordable(others, budgets.others)];
      switches.activeMutant = id;
      const killer = await this.killerOf(id, covering, killers);
      switches.activeMutant = "";
      // What the mutant left in the process must not kill the next one. Another process then judges this one again.
      if (killer && !isFirst && !(await this.passes(covering, killer))) return note("-", "spoilt", killer);
      isFirst = false;
      if (killer) note(id, "killed", killer);
      else if (covering.length > 0) note(id, "survived");
      else note(id, id in loading ? "loading" : "uncovered");
      if (killer) killers = [killer, ...killers.filter((name) => name !== killer)].slice(0, rememberedKillers);
    }
    note("-", "finished");
  }

  private async killerOf(id: string, covering: readonly KnownTest[], killers: string[]): Promise<string | undefined> {
    const limits = new Map(covering.map(({ name, hits }) => [name, 10_000 + patience * (hits[id] ?? 0)]));
    const likely = covering.filter(({ name }) => killers.includes(name));
    for (const group of [likely, covering.filter((test) => !likely.includes(test))]) {
      for (const file of new Set(group.map((test) => test.file))) {
        const names = new Set(group.flatMap((test) => (test.file === file ? test.name : [])));
        const { failed } = await this.run(
          file,
          (name) => names.has(name),
          (name) => limits.get(name) ?? 10_000,
        );
        if (failed) return failed;
      }
    }
    return undefined;
  }

  private async passes(covering: readonly KnownTest[], killer: string): Promise<boolean> {
    const { file = killer } = covering.find(({ name }) => name === killer) ?? {};
    return !(await this.run(file, (name) => killer === file || name === killer)).failed;
  }
}
