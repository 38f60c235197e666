// npm test: runs the main suite, or with --all every suite; --suite NAME runs one of the others. Other
// arguments are those of vitest, for example a file. The last line is "N passed, N failed", and the number of skipped tests.
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { findBrowser, noBrowser } from "./browser";
import { ensureEngine } from "./engine";
import { installedLanguages, missingTools } from "./language-tools";
import { root } from "./stack";

interface Assertion {
  status: string;
  fullName: string;
  failureMessages: string[];
}

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  /** Files that failed as a whole. */
  numFailedTestSuites: number;
  testResults: { name: string; status: string; startTime: number; endTime: number; assertionResults: Assertion[] }[];
}

type Results = Report["testResults"];

/** Projects of vitest.config.mts, by suite. All suites are one run, in which no worker waits for the last file of a suite. */
const suites: Readonly<Record<string, readonly string[]>> = {
  main: ["unit", "generated", "lifecycle", "smoke"],
  engine: ["engine", "processes", "plugin"],
  commands: ["commands"],
  languages: ["languages"],
  faults: ["faults", "faults-plugin", "faults-engine"],
  all: ["languages", "all", "all-plugin"],
};

async function main(): Promise<number> {
  // Engines and compilers in Go take a fifth of their time to collect garbage. With this, they use more memory instead.
  process.env.GOGC ??= "400";
  // Before the tests, so that the minutes of an installation do not count as theirs, and its error is shown alone.
  await ensureEngine();
  const folder = await mkdtemp(path.join(tmpdir(), "docs-org-tests-"));
  try {
    const file = path.join(folder, "report.json");
    const status = await vitest(file, argumentsOf(process.argv.slice(2)));
    const report = JSON.parse(await readFile(file, "utf8")) as Report;
    return printSummary(report, brokenFiles(report, status));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function argumentsOf(args: readonly string[]): readonly string[] {
  const [option, name = "", ...rest] = args;
  const projects = (suite: string) => suites[suite]?.flatMap((project) => ["--project", project]) ?? [];
  if (option === undefined) return projects("main");
  if (option === "--all") return projects("all");
  if (option !== "--suite") return args;
  if (!(name in suites)) throw new Error(`there is no suite ${name}; use one of ${Object.keys(suites).join(", ")}`);
  return [...projects(name), ...rest];
}

function vitest(file: string, args: readonly string[]): Promise<number> {
  const command = path.join(root, "node_modules", "vitest", "vitest.mjs");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const child = spawn(process.execPath, [command, "run", ...reporters, ...args], { cwd: root, stdio: "inherit" });
  return new Promise((resolve) => child.once("close", (code) => resolve(code ?? 1)));
}

/** What fails beside tests: a run without tests, or the files that cannot be loaded, which count if no test has failed. */
function brokenFiles({ numPassedTests, numFailedTests, numFailedTestSuites }: Report, status: number): number {
  if (status === 0 && numPassedTests === 0) return 1;
  if (status === 0 || numFailedTests > 0) return 0;
  return Math.max(1, numFailedTestSuites);
}

function printSummary(report: Report, failedFiles: number): number {
  const failed = report.numFailedTests + failedFiles;
  const skipped = report.numPendingTests + report.numTodoTests;
  saySlowest(report.testResults);
  saySkipped(report.testResults);
  sayFailed(report.testResults);
  console.log(`${report.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return failed > 0 ? 1 : 0;
}

/** Prints what failed once more at the end: the part of a log that everybody sees. */
function sayFailed(testResults: Results): void {
  const failed = testResults.filter(({ status }) => status === "failed");
  if (failed.length > 0) console.log("Failed (the whole error is above, at the end of its run of vitest):");
  for (const { name, assertionResults } of failed) {
    const tests = assertionResults.filter(({ status }) => status === "failed");
    console.log(`  ${path.relative(root, name)}`);
    for (const { fullName, failureMessages } of tests)
      console.log([`    ${fullName}`, ...failureMessages.map(beginOf)].join("\n"));
  }
  if (failed.length > 0) console.log();
}

/** The part of an error that tells which assertion failed, and where. */
function beginOf(message: string): string {
  const lines = stripVTControlCharacters(message).split("\n");
  const place = lines.find((line) => /^ +at .*\/test\//.test(line)) ?? "";
  return [...lines.slice(0, 8).map((line) => line.slice(0, 400)), place.trim().replace(root, "")]
    .filter((line) => line !== "")
    .map((line) => `      ${line}`)
    .join("\n");
}

/** Prints the ten slowest files: speeding up one of them shortens the whole run. */
function saySlowest(testResults: Results): void {
  const times = testResults.map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }));
  const slowest = times.sort((one, other) => other.seconds - one.seconds).slice(0, 10);
  console.log("\nThe slowest files, in seconds:");
  for (const { name, seconds } of slowest)
    console.log(`${seconds.toFixed(1).padStart(7)}  ${path.relative(root, name)}`);
  console.log();
}

/** Reports skipped tests right above the last line, where nobody overlooks them, and what this machine lacks. */
function saySkipped(testResults: Results): void {
  const missing = [...new Set(installedLanguages.flatMap((language) => missingTools(language)))];
  const report = (kind: string, isOne: (name: string) => boolean, reason: string | undefined) => {
    const skipped = skippedIn(testResults.filter(({ name }) => isOne(name)));
    if (skipped > 0 && reason) console.log(`\n${kind} TESTS SKIPPED (${skipped}): ${reason}\n`);
  };
  report("BROWSER", (name) => name.endsWith(".browser.test.ts"), findBrowser() ? undefined : noBrowser);
  const folder = path.join(root, "test", "languages");
  report(
    "LANGUAGE",
    (name) => name.startsWith(folder),
    missing.length > 0 ? `${missing.join(" and ")} must be on PATH` : undefined,
  );
  report("SHELL", (name) => name.endsWith("completion.test.ts"), "zsh and fish must be on PATH");
}

const skippedIn = (results: Results): number =>
  results.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === "skipped").length;

main().then(
  (status) => process.exit(status),
  (error: Error) => {
    console.error(error.message);
    console.log("0 passed, 1 failed");
    process.exit(1);
  },
);
