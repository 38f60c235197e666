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

/** What the projects of one run share: their files run in the same workers, whose numbers choose a resident. */
interface Shared {
  readonly node: Promise<EngineNode>;
  projects: number;
}

/** Each project loads this file again. */
const run = globalThis as { engineNode?: Shared };

/** Starts the residents for the first project, and ends them after the last one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  run.engineNode ??= { node: start(Number(project.config.maxWorkers)), projects: 0 };
  const shared = run.engineNode;
  shared.projects++;
  const node = await shared.node;
  project.provide("commandEnvironments", node.environments);
  return async () => {
    shared.projects--;
    if (shared.projects > 0) return;
    run.engineNode = undefined;
    await node.stop();
  };
}

/**
 * Compiles the package, which the engine's processes load, and installs the engine, so that a missing one fails here instead of
 * skipping tests. The resident providers load what was compiled, so they start last.
 */
async function start(workers: number): Promise<EngineNode> {
  await compile();
  await ensureEngine();
  return EngineNode.start(process.env.OWN_PROCESSES ? 0 : workers);
}
