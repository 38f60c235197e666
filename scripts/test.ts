// npm test: runs all tests, including the engine tests. The last line is "N passed, N failed", and the number of skipped ones.
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { findBrowser, noBrowser } from "./browser";
import { ensureEngine } from "./engine";
import { languages, missingTools } from "./language-tools";
import { root } from "./stack";

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numFailedTestSuites: number;
  testResults: { name: string; startTime: number; endTime: number; assertionResults: { status: string }[] }[];
}

async function main(): Promise<number> {
  // Before the tests, so that the minutes of an installation do not count as theirs, and its error is shown alone.
  await ensureEngine();
  const folder = await mkdtemp(path.join(tmpdir(), "docs-org-tests-"));
  try {
    const file = path.join(folder, "report.json");
    const status = await vitest(file, process.argv.slice(2));
    return summary(JSON.parse(await readFile(file, "utf8")) as Report, status);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function vitest(file: string, args: readonly string[]): Promise<number> {
  const command = path.join(root, "node_modules", "vitest", "vitest.mjs");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const child = spawn(process.execPath, [command, "run", ...reporters, ...args], { cwd: root, stdio: "inherit" });
  return new Promise((resolve) => child.once("close", (code) => resolve(code ?? 1)));
}

/** Counts a file that cannot be loaded as a failure (it has no failed tests), and also a run without tests. */
function summary(report: Report, status: number): number {
  const { numPassedTests: passed, numFailedTests, numPendingTests, numTodoTests } = report;
  const broken = status !== 0 && numFailedTests === 0 ? Math.max(1, report.numFailedTestSuites) : 0;
  const failed = numFailedTests + broken + (passed === 0 && status === 0 ? 1 : 0);
  const skipped = numPendingTests + numTodoTests;
  saySlowest(report);
  sayWithoutBrowser(report);
  sayWithoutLanguages(report);
  sayWithoutShells(report);
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return failed > 0 ? 1 : 0;
}

/** Prints the ten slowest files: speeding up one of them shortens the whole run. */
function saySlowest({ testResults }: Report): void {
  const times = testResults.map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }));
  const slowest = times.sort((one, other) => other.seconds - one.seconds).slice(0, 10);
  console.log("\nThe slowest files, in seconds:");
  for (const { name, seconds } of slowest)
    console.log(`${seconds.toFixed(1).padStart(7)}  ${path.relative(root, name)}`);
  console.log();
}

/** Reports skipped browser tests right above the last line, where nobody overlooks it. */
function sayWithoutBrowser({ testResults }: Report): void {
  const skipped = skippedIn(testResults.filter(({ name }) => name.endsWith(".browser.test.ts")));
  if (skipped > 0 && findBrowser() === undefined) console.log(`\nBROWSER TESTS SKIPPED (${skipped}): ${noBrowser}\n`);
}

/** The same for the tests of a language without its tools. */
function sayWithoutLanguages({ testResults }: Report): void {
  const folder = path.join(root, "test", "languages");
  const skipped = skippedIn(testResults.filter(({ name }) => name.startsWith(folder)));
  const missing = new Set(languages.flatMap((language) => missingTools(language)));
  if (skipped > 0 && missing.size > 0)
    console.log(`\nLANGUAGE TESTS SKIPPED (${skipped}): ${[...missing].join(" and ")} must be on PATH\n`);
}

/** The same for the completion of shells that are not installed. */
function sayWithoutShells({ testResults }: Report): void {
  const skipped = skippedIn(testResults.filter(({ name }) => name.endsWith("completion.test.ts")));
  if (skipped > 0) console.log(`\nSHELL TESTS SKIPPED (${skipped}): zsh and fish must be on PATH\n`);
}

const skippedIn = (results: Report["testResults"]): number =>
  results.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === "skipped").length;

main().then(
  (status) => process.exit(status),
  (error: Error) => {
    console.error(error.message);
    console.log("0 passed, 1 failed");
    process.exit(1);
  },
);
