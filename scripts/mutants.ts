// npm run test:mutants: changes one expression at a time in the code that keeps a promise, and prints the changes that no test
// notices. Arguments are places (`provider/access/team.ts:30`, or how its path begins), `--tests TEXT` for only
// the tests whose path contains it, and `--tenth N` or `--tenth today` for a tenth of the mutants.
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
import { compilerOfMutants } from "./mutants/compiler";
import { type Job, type Mutant, type MutantOutcome, mutantsIn, type Part, textOf } from "./mutants/mutant";
import { root } from "./stack";

/** The code of each room, and the tests that are tried first. */
const rooms: Readonly<Record<string, { readonly code: readonly string[]; readonly own: readonly string[] }>> = {
  "access-plan": { code: ["provider/access-plan"], own: ["test/access-plan/", "test/model/"] },
  access: { code: ["provider/access"], own: ["test/access/", "test/lifecycle/", "test/organization/live/"] },
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
/** How the paths of the tests begin. */
const tests = ["access", "model", "review", "organization", "lifecycle", "text/masking", "run"].map(
  (name) => `test/${name}`,
);
/** These take longest, and others notice the same. */
const slowTests = /\.browser\.|large-organization|read-lag|lies|request-counts|slow-answers|module-state/;
/** The least share of the mutants of a room that must be killed. */
const least = 95;
const processes = 2;
/** A process that notes nothing for so long does not end. */
const silence = 240_000;

const { values: options, positionals: places } = parseArgs({
  allowPositionals: true,
  options: {
    tenth: { type: "string" },
    tests: { type: "string", default: "" },
  },
});
/** Lines of accepted survivors that have survived. */
const used = new Set<string>();
const folder = mkdtempSync(path.join(tmpdir(), "docs-org-mutants-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

const filesIn = (place: string): string[] =>
  statSync(place).isFile()
    ? [place]
    : readdirSync(place, { recursive: true, encoding: "utf8" }).map((name) => path.join(place, name));

/** Survivors that somebody has judged: `file: before → after # reason`. */
const accepted = readFileSync(path.join(__dirname, "mutants", "accepted.txt"), "utf8")
  .split("\n")
  .filter(Boolean);

async function main(): Promise<number> {
  const { sources, mutants } = await mutantsIn(Object.values(rooms).flatMap(({ code }) => code.flatMap(filesIn)));
  const isTest = (file: string) => file.endsWith(".test.ts") && tests.some((start) => file.startsWith(start));
  const files = filesIn("test").filter((file) => isTest(file) && file.includes(options.tests) && !slowTests.test(file));
  writeFileSync(path.join(folder, "job.json"), JSON.stringify({ sources, tests: files } satisfies Job));
  // The first process finds which tests run the code of which mutant.
  const log = await vitest("");
  if (!existsSync(path.join(folder, "coverage.json"))) throw new Error(log);
  for (const [line] of log.matchAll(/^left out, .*$/gm)) console.log(line);
  const chosen = mutants.filter((mutant) => isOfPlace(mutant) && isOfTenth(mutant));
  let isFine = true;
  for (const [room, { code, own }] of Object.entries(rooms)) {
    const ofRoom = chosen.filter(({ file }) => code.some((place) => `${file}/`.startsWith(`${place}/`)));
    if (ofRoom.length > 0 && !(await judgeRoom(room, own, ofRoom))) isFine = false;
  }
  const isWhole = places.length === 0 && options.tenth === undefined && options.tests === "";
  const stale = isWhole ? accepted.filter((line) => !used.has(line)) : [];
  for (const line of stale) console.log(`accepted, but no mutant survives with this text: ${line}`);
  return isFine && stale.length === 0 ? 0 : 1;
}

function isOfPlace({ file, line }: Mutant): boolean {
  return places.length === 0 || places.some((place) => `${file}:${line}/`.startsWith(place.replace(/:\d+$/, "$&/")));
}

/** The same text is in the same tenth each time. */
function isOfTenth(mutant: Mutant): boolean {
  const { tenth } = options;
  if (tenth === undefined) return true;
  const chosen = tenth === "today" ? Math.floor(Date.now() / 86_400_000) : Number(tenth);
  const hash = createHash("sha256").update(textOf(mutant)).digest().readUInt32BE();
  return hash % 10 === chosen % 10;
}

/** Prints the score and the survivors of a room. */
async function judgeRoom(room: string, own: readonly string[], mutants: readonly Mutant[]): Promise<boolean> {
  const count = Math.min(processes, mutants.length);
  const parts = Array.from({ length: count }, (_, part) => mutants.filter((_, index) => index % count === part));
  const outcomes = await Promise.all(
    parts.map((part, index) => judge(`${room}-${index}`, { ids: part.map(({ id }) => id), own })),
  );
  const outcomeOf = new Map(outcomes.flat());
  const judged = mutants.filter(({ id }) => outcomeOf.get(id) !== "loading");
  const isRefused = compilerOfMutants();
  const survivors = judged.filter((mutant) => outcomeOf.get(mutant.id) !== "killed" && !isRefused(mutant));
  const score = (100 * (judged.length - survivors.length)) / judged.length;
  const acceptedOf = (mutant: Mutant) => accepted.find((line) => line.startsWith(`${textOf(mutant)} # `));
  const unknown = survivors.filter((mutant) => acceptedOf(mutant) === undefined);
  for (const mutant of survivors) used.add(acceptedOf(mutant) ?? "");
  const counts = `${judged.length} mutants, ${survivors.length} survive, ${survivors.length - unknown.length} of them accepted`;
  console.log(`${room}: ${score.toFixed(1)} % killed (${counts})`);
  for (const mutant of unknown) console.log(`  ${textOf(mutant).replace(mutant.file, `$&:${mutant.line}`)}`);
  return score >= least && unknown.length === 0;
}

/** Starts processes until every mutant of the part is judged: a mutant may end its process, or not end. */
async function judge(name: string, part: Part): Promise<[id: string, outcome: MutantOutcome][]> {
  const results = path.join(folder, `${name}.txt`);
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(part));
  writeFileSync(results, "");
  for (let isFinished = false; !isFinished; ) {
    const before = readFileSync(results, "utf8");
    const log = await vitest(name);
    const after = readFileSync(results, "utf8");
    if (after === before) throw new Error(log);
    const [id, outcome] = after.trimEnd().split("\n").at(-1)?.split(" ") ?? [];
    if (outcome === "begun") appendFileSync(results, `${id} killed\n`);
    isFinished = outcome === "finished";
  }
  const lines = readFileSync(results, "utf8").matchAll(/^(\d+) (\w+)/gm);
  return Array.from(lines, ([, id = "", outcome]) => [id, outcome as MutantOutcome]);
}

/** Runs one process, which ends when it has noted nothing for too long, and returns what it has printed. */
function vitest(part: string): Promise<string> {
  const command = ["node_modules/vitest/vitest.mjs", "run", "--config", "scripts/mutants/vitest.config.mts"];
  const env = { ...process.env, CI: "true", MUTANTS_FOLDER: folder, MUTANTS_PART: part };
  const log = path.join(folder, `${part}.log`);
  const output = openSync(log, "w");
  const child = spawn(process.execPath, command, { cwd: root, env, detached: true, stdio: ["ignore", output, output] });
  const end = () => process.kill(-(child.pid as number), "SIGKILL");
  process.once("exit", end);
  const began = Date.now();
  const watch = setInterval(() => {
    const noted = part ? statSync(path.join(folder, `${part}.txt`)).mtimeMs : Date.now();
    if (Date.now() - Math.max(began, noted) > silence) end();
  }, 5_000);
  return new Promise((resolve) =>
    child.once("close", () => {
      clearInterval(watch);
      process.removeListener("exit", end);
      resolve(readFileSync(log, "utf8"));
    }),
  );
}

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
main().then(
  (status) => process.exit(status),
  (error: Error) => {
    console.error(error);
    process.exit(1);
  },
);
