import { readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { importLateModules } from "../../vitest.config.mjs";
import type { Job } from "./mutant.js";

const { MUTANTS_FOLDER: folder = "" } = process.env;
const { sources, tests }: Job = JSON.parse(readFileSync(path.join(folder, "job.json"), "utf8"));

/** Every source contains all of its mutants, and asks which of them is active. */
const instrument = {
  name: "instrument",
  enforce: "pre" as const,
  transform: (_: string, id: string) => sources[path.relative(process.cwd(), id)],
};

export default defineConfig({
  plugins: [instrument, importLateModules],
  test: {
    // The runner judges the mutants before this file.
    include: tests.slice(0, 1),
    runner: "scripts/mutants/runner.mts",
    setupFiles: ["test/support/begin-file.ts"],
    isolate: false,
    maxWorkers: 1,
    testTimeout: 25_000,
    hookTimeout: 25_000,
    // Enough cases for a mutant: the usual number takes half a minute.
    env: { DIFFERENTIAL_CASES: "200", ACCESS_PLANS: "400", MASKING_STEP: "9" },
    experimental: { fsModuleCache: true, fsModuleCachePath: path.join(folder, "compiled") },
    silent: true,
  },
});
