import type { TestProject } from "vitest/node" with { "resolution-mode": "import" };
import { compile } from "../../scripts/compiled";
import { ensureEngine } from "../../scripts/engine";
import { EngineNode } from "./engine-node";

declare module "vitest" {
  interface ProvidedContext {
    /** For the engine's commands of each worker; none with OWN_PROCESSES=1. */
    commandEnvironments: readonly Record<string, string>[];
  }
}

/**
 * Compiles the package, which the engine's processes load, and installs the engine, so that a missing one fails here instead of
 * skipping tests. The resident providers load what was compiled, so they start last.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await compile();
  await ensureEngine();
  const node = await EngineNode.start(process.env.OWN_PROCESSES ? 0 : Number(project.config.maxWorkers));
  project.provide("commandEnvironments", node.environments);
  return () => node.stop();
}
