import { defineConfig } from "vitest/config";

/** Tests that run the compiled package, in the engine's own processes. */
const engine = ["test/lifecycle/**/*.test.ts", "test/engine/**/*.test.ts"];

export default defineConfig({
  test: {
    // The engine tests start several processes each; more files at once only make all of them slower.
    maxWorkers: 2,
    projects: [
      { test: { name: "unit", include: ["test/**/*.test.ts"], exclude: engine, testTimeout: 20_000 } },
      {
        test: {
          name: "engine",
          include: engine,
          globalSetup: "test/support/setup.ts",
          testTimeout: 400_000,
          hookTimeout: 400_000,
        },
      },
    ],
  },
});
