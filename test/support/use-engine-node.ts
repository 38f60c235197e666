import { expect, inject } from "vitest";

const { testPath = "" } = expect.getState();

/** One project has all files, also those without the engine. */
if (/\/test\/(?:engine|recipes|faults\/(?:crashes|secrets))/.test(testPath)) {
  // Commands that this worker starts find the `node` of engine-node/ on their PATH.
  const environments = inject("commandEnvironments");
  const worker = Number(process.env.VITEST_POOL_ID) - 1;
  Object.assign(process.env, environments[worker % environments.length]);

  // The emulator never answers with what was before a write, so commands need not wait to tell such an answer from a change outside
  // Pulumi. Tests of faults wait as users do.
  if (!testPath.includes("/test/faults/")) process.env.DOCS_SETTLE = "0";
}
