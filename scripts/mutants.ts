// npm run test:mutants: changes one expression at a time in the code that keeps a promise, and prints the changes that no test
// notices. Arguments are places (`provider/access/team.ts` or `provider/access/team.ts:30`), `--tenth N` or `--tenth today` for a
// tenth of the mutants, `--tests TEXT` for the tests whose path contains it, and `--processes N`.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import ts from "typescript";
import { root } from "./stack";

/** A change of the code that a test must notice. */
interface Mutant {
  readonly id: string;
  /** From the folder of the repository. */
  readonly file: string;
  readonly line: number;
  readonly mutator: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** What the processes of vitest read. */
export interface Job {
  readonly sources: Readonly<Record<string, string>>;
  readonly tests: readonly string[];
  readonly mutants: readonly Mutant[];
}

/** What one process judges. */
export interface Part {
  readonly mutants: readonly string[];
  /** How the paths of the tests begin that are tried first. */
  readonly own: readonly string[];
}

/** `uncovered` is what no test runs, `loading` what only the loading of a module runs, and `refused` what the compiler refuses. */
export type Outcome = "begun" | "killed" | "survived" | "uncovered" | "loading" | "refused" | "spoilt" | "finished";

/** The code of each room, and the tests that begin. */
const rooms: Readonly<Record<string, { readonly code: readonly string[]; readonly own: readonly string[] }>> = {
  "access-plan": { code: ["provider/access-plan"], own: ["test/access-plan/", "test/model/"] },
  access: { code: ["provider/access"], own: ["test/access/", "test/lifecycle/"] },
  guards: { code: ["provider/organization/guards"], own: ["test/organization/guards/"] },
  "review-plan": {
    code: ["provider/review/plan", "provider/review/verdict.ts"],
    own: ["test/review/plan/", "test/review/verify"],
  },
  rest: {
    code: ["provider/run/origin.ts", "provider/lifecycle/create-once.ts", "provider/text/masking.ts"],
    own: ["test/text/", "test/lifecycle/origin", "test/lifecycle/create-once"],
  },
  "review-model": { code: ["provider/review/model"], own: ["test/review/"] },
};
const least = 95;
const tests = ["access", "access-plan", "model", "review", "organization", "lifecycle", "text/masking", "run"];
/** These take longest, and what they notice the others notice too. */
const leftOut = /large-organization|read-lag|lies|request-counts|slow-answers|module-state/;
/** A process that notes nothing for so long does not end. */
const silence = 90_000;

const { values: options, positionals: places } = parseArgs({
  allowPositionals: true,
  options: {
    tenth: { type: "string" },
    tests: { type: "string", default: "" },
    processes: { type: "string", default: "2" },
  },
});

const filesIn = (place: string): string[] =>
  statSync(place).isFile()
    ? [place]
    : readdirSync(place, { recursive: true, encoding: "utf8" }).map((name) => path.join(place, name));

async function mutantsIn(files: readonly string[]): Promise<Pick<Job, "sources" | "mutants">> {
  // The package is an ECMAScript module.
  const { Instrumenter } = await import("@stryker-mutator/instrumenter");
  const silent = Object.fromEntries(["debug", "info", "isDebugEnabled"].map((name) => [name, () => false]));
  const contents = files.map((name) => ({ name, mutate: true, content: readFileSync(name, "utf8") }));
  const instrumented = await new Instrumenter(silent as never).instrument(contents, {
    plugins: null,
    excludedMutations: [],
    ignorers: [],
  });
  const texts = new Map(contents.map(({ name, content }) => [name, ts.createSourceFile(name, content, 99)]));
  const mutants = instrumented.mutants.flatMap(({ id, fileName: file, location, mutatorName, replacement }) => {
    const text = texts.get(file) as ts.SourceFile;
    const [start = 0, end = 0] = [location.start, location.end].map(({ line, column }) =>
      text.getPositionOfLineAndCharacter(line, column),
    );
    // Wording is for people; tests compare it in one place.
    if (mutatorName === "StringLiteral" && /[\s`]/.test(text.text.slice(start, end))) return [];
    return { id, file, line: location.start.line + 1, mutator: mutatorName, start, end, replacement };
  });
  return { sources: Object.fromEntries(instrumented.files.map(({ name, content }) => [name, content])), mutants };
}

/** The lines of a mutant before and after, which stay the same when others move. */
function textsOf({ file, start, end, replacement }: Mutant): [before: string, after: string] {
  const text = readFileSync(file, "utf8");
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const to = text.indexOf("\n", end);
  const short = (one: string) => {
    const line = one.trim().replaceAll(/\s+/g, " ");
    return line.length > 160 ? `${line.slice(0, 100)} ... ${line.slice(-50)}` : line;
  };
  return [short(text.slice(from, to)), short(text.slice(from, start) + replacement + text.slice(end, to))];
}

/** Whether a number of ten, the same each time for the same text, is the chosen one. */
function isOfTenth(mutant: Mutant): boolean {
  const { tenth } = options;
  if (tenth === undefined) return true;
  const chosen = tenth === "today" ? Math.floor(Date.now() / 86_400_000) : Number(tenth);
  const hash = createHash("sha256").update([mutant.file, ...textsOf(mutant)].join("\n"));
  return hash.digest().readUInt32BE() % 10 === chosen % 10;
}

/** Ends when the process does, or when it has written nothing for too long. */
function vitest(folder: string, part: string): Promise<void> {
  const command = [
    path.join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    "--config",
    "scripts/mutants/vitest.config.mts",
  ];
  const env = { ...process.env, CI: "true", MUTANTS_FOLDER: folder, MUTANTS_PART: part };
  const log = openSync(path.join(folder, `${part}.log`), "w");
  const child = spawn(process.execPath, command, { cwd: root, env, detached: true, stdio: ["ignore", log, log] });
  const end = () => process.kill(-(child.pid as number), "SIGKILL");
  process.once("exit", end);
  const results = path.join(folder, `${part}.txt`);
  const began = Date.now();
  const watch = setInterval(() => {
    const last = Math.max(began, part ? statSync(results).mtimeMs : Date.now());
    if (Date.now() - last > silence) end();
  }, 5_000);
  return new Promise((resolve) =>
    child.once("close", () => {
      clearInterval(watch);
      process.removeListener("exit", end);
      resolve();
    }),
  );
}

async function judge(
  folder: string,
  part: string,
  { mutants, own }: { mutants: readonly Mutant[]; own: readonly string[] },
): Promise<Map<string, Outcome>> {
  const results = path.join(folder, `${part}.txt`);
  writeFileSync(
    path.join(folder, `${part}.json`),
    JSON.stringify({ mutants: mutants.map(({ id }) => id), own } satisfies Part),
  );
  writeFileSync(results, "");
  for (;;) {
    const before = readFileSync(results, "utf8");
    await vitest(folder, part);
    const written = readFileSync(results, "utf8");
    if (written === before) throw new Error(readFileSync(path.join(folder, `${part}.log`), "utf8"));
    const last = written.trimEnd().split("\n").at(-1) ?? "";
    if (last.startsWith("- finished")) break;
    // It ended its process, or it did not end.
    if (!last.startsWith("- ")) appendFileSync(results, `${last.split(" ")[0]} killed its process\n`);
  }
  const lines = readFileSync(results, "utf8").matchAll(/^(\d+) (\w+)/gm);
  return new Map(Array.from(lines, ([, id = "", outcome]) => [id, outcome as Outcome]));
}

/** Says of a mutant whether the compiler refuses it; names that are no longer used do not count. */
function compiler(): (mutant: Mutant) => boolean {
  const config = ts.readConfigFile("tsconfig.json", ts.sys.readFile).config;
  const { options: settings, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const changed = new Map<string, { text: string; version: number }>();
  let version = 0;
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => ({ ...settings, noUnusedLocals: false, noUnusedParameters: false }),
    getScriptFileNames: () => fileNames.filter((name) => name.includes("/provider/")),
    getScriptVersion: (name) => `${changed.get(name)?.version ?? 0}`,
    getScriptSnapshot: (name) => {
      const text = changed.get(name)?.text ?? ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  });
  return ({ file, start, end, replacement }) => {
    const name = path.resolve(root, file);
    const text = readFileSync(name, "utf8");
    changed.clear();
    changed.set(name, { text: text.slice(0, start) + replacement + text.slice(end), version: ++version });
    return service.getSyntacticDiagnostics(name).length + service.getSemanticDiagnostics(name).length > 0;
  };
}

/** Survivors that somebody has judged: `file: before → after # reason`. */
const accepted = readFileSync(path.join(__dirname, "mutants", "accepted.txt"), "utf8")
  .split("\n")
  .filter(Boolean);

async function main(): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), "docs-org-mutants-"));
  if (!process.env.MUTANTS_KEEP) process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  else console.log(folder);
  const { sources, mutants } = await mutantsIn(Object.values(rooms).flatMap(({ code }) => code.flatMap(filesIn)));
  const chosen = mutants.filter(
    (mutant) =>
      (places.length === 0 || places.some((place) => `${mutant.file}:${mutant.line}:`.startsWith(`${place}:`))) &&
      isOfTenth(mutant),
  );
  const all = filesIn("test").filter((file) => file.endsWith(".test.ts") && !leftOut.test(file));
  const chosenTests = all.filter(
    (file) => tests.some((start) => file.startsWith(`test/${start}`)) && file.includes(options.tests),
  );
  const job: Job = { sources, mutants: chosen, tests: chosenTests };
  writeFileSync(path.join(folder, "job.json"), JSON.stringify(job));
  console.log(`${chosen.length} mutants, ${chosenTests.length} files of tests`, new Date());
  await vitest(folder, "");
  console.log("covered", new Date());
  if (!existsSync(path.join(folder, "coverage.json"))) throw new Error(readFileSync(path.join(folder, ".log"), "utf8"));
  const used = new Set<string>();
  let isFine = true;
  for (const [room, { code, own }] of Object.entries(rooms)) {
    const inRoom = chosen.filter(({ file }) => code.some((place) => `${file}/`.startsWith(`${place}/`)));
    if (inRoom.length > 0 && !(await judgeRoom(folder, room, { mutants: inRoom, own }, used))) isFine = false;
  }
  return isFine ? 0 : 1;
}

async function judgeRoom(
  folder: string,
  room: string,
  { mutants, own }: { readonly mutants: readonly Mutant[]; readonly own: readonly string[] },
  used: Set<string>,
): Promise<boolean> {
  const count = Number(options.processes);
  const parts = Array.from({ length: count }, (_, part) => mutants.filter((_, index) => index % count === part));
  const outcomes = new Map(
    (await Promise.all(parts.map((part, index) => judge(folder, `${room}-${index}`, { mutants: part, own })))).flatMap(
      (one) => [...one],
    ),
  );
  const isRefused = compiler();
  const survivors = mutants.filter((mutant) => {
    const outcome = outcomes.get(mutant.id);
    return (outcome === "survived" || outcome === "uncovered") && !isRefused(mutant);
  });
  const judged = [...outcomes.values()].filter((outcome) => outcome !== "loading").length;
  const score = (100 * (judged - survivors.length)) / judged;
  console.log(`${room}: ${judged} mutants, ${judged - survivors.length} killed, ${score.toFixed(1)} %`);
  let isFine = score >= least;
  for (const mutant of survivors) {
    const text = `${mutant.file}: ${textsOf(mutant).join(" → ")}`;
    const reason = accepted.find((line) => line.startsWith(`${text} # `));
    if (reason) used.add(reason);
    else
      console.log(
        `  ${mutant.file}:${mutant.line} ${mutant.mutator} ${outcomes.get(mutant.id)}: ${textsOf(mutant).join(" → ")}`,
      );
    isFine &&= reason !== undefined;
  }
  return isFine;
}

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
main().then(
  (status) => process.exit(status),
  (error: Error) => {
    console.error(error);
    process.exit(1);
  },
);
