import path from "node:path";
import { defineConfig } from "vitest/config";

/** Tests that run the compiled package, in the engine's own processes. */
const engine = ["test/lifecycle/**/*.test.ts", "test/engine/**/*.test.ts"];

/** What the engine's commands run with in the tests. */
const environment = {
  PATH: [path.resolve("test/support/provider-host/path"), process.env.PATH].join(path.delimiter),
  REAL_NODE: process.execPath,
  REAL_NODE_VERSION: process.version,
  REAL_NODE_SETTINGS: (process.env.NODE_OPTIONS ?? "") + (process.env.NODE_EXTRA_CA_CERTS ?? ""),
  // Most commands of the engine end before it is worth collecting garbage.
  GOGC: "off",
  GOMEMLIMIT: "500MiB",
};

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
          env: process.env.OWN_PROCESSES ? {} : environment,
          globalSetup: "test/support/setup.ts",
          testTimeout: 400_000,
          hookTimeout: 400_000,
        },
      },
    ],
  },
});
