// npm run test:planted: plants each fault of test/mutants/planted.txt alone, in a copy of the checkout, and runs the test that is to
// fail because of it. An argument chooses the faults of the files whose path contains it.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type PlantedFault, plantedFaults } from "../test/mutants/planted";
import { root } from "./stack";

const copies = 2;
const notCopied = [".git", "node_modules", "dist"].map((name) => path.join(root, name));

function copyCheckout(): string {
  const copy = mkdtempSync(path.join(tmpdir(), "docs-org-planted-"));
  cpSync(root, copy, { recursive: true, filter: (source) => !notCopied.includes(source) });
  symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"));
  return copy;
}

/** Whether the tests pass. */
function passes(cwd: string, tests: readonly string[]): Promise<boolean> {
  const project = (test: string) => (test.startsWith("test/lifecycle/") ? "lifecycle" : "unit");
  const projects = [...new Set(tests.map(project))].flatMap((name) => ["--project", name]);
  const args = ["node_modules/vitest/vitest.mjs", "run", "--bail=1", "--maxWorkers=1", ...projects, ...tests];
  const child = spawn(process.execPath, args, {
    cwd,
    stdio: "ignore",
    // As many random cases as in CI.
    env: { ...process.env, CI: "true" },
  });
  return new Promise((resolve) => child.once("close", (code) => resolve(code === 0)));
}

/** Plants the fault, prints whether the test fails, and takes the fault out again. */
async function plantAndTest(copy: string, { file, thought, test, before, after }: PlantedFault): Promise<boolean> {
  const source = path.join(copy, file);
  const text = readFileSync(source, "utf8");
  const start = Date.now();
  writeFileSync(
    source,
    text.replace(before, () => after),
  );
  const caught = !(await passes(copy, [test]));
  writeFileSync(source, text);
  const seconds = ((Date.now() - start) / 1000).toFixed(1).padStart(5);
  process.stdout.write(`${caught ? "caught    " : "NOT CAUGHT"} ${seconds} s  ${file}: ${thought} (${test})\n`);
  return caught;
}

async function main(): Promise<void> {
  const faults = plantedFaults().filter(({ file }) => file.includes(process.argv[2] ?? ""));
  const folders = Array.from({ length: copies }, copyCheckout);
  try {
    const [first = ""] = folders;
    if (!(await passes(first, [...new Set(faults.map(({ test }) => test))])))
      throw new Error("without any fault, a test of the list fails; run it alone to see why");
    let caught = 0;
    const waiting = faults.values();
    const plantAll = async (copy: string) => {
      for (const fault of waiting) if (await plantAndTest(copy, fault)) caught++;
    };
    await Promise.all(folders.map(plantAll));
    process.stdout.write(`${caught} of ${faults.length} faults caught\n`);
    if (caught < faults.length) process.exitCode = 1;
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

main();
