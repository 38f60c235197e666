import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { root } from "../../scripts/stack";

const sdk = "@pulumi/pulumi";
const start = "pulumi-docs-org/start";

/** What each process loads: modules before it, and what is counted after them. */
const processes = {
  "the SDK alone": [[], sdk],
  "the SDK alone, after `pulumi-docs-org/start`": [[start], sdk],
  "`pulumi-docs-org`, after the SDK": [[start, sdk], "pulumi-docs-org"],
  "`pulumi-docs-org/plugin`, after the SDK": [[start, sdk], "pulumi-docs-org/plugin"],
  "the runtime of dynamic providers, after the SDK": [[start, sdk], "pulumi-docs-org/runtime"],
  "`docs-org`": [[], path.join(root, "dist", "cli", "program.js")],
  "`docs-org review`, after `docs-org`": [
    [path.join(root, "dist", "cli", "program.js")],
    path.join(root, "dist", "cli", "actions", "review.js"),
  ],
} as const;

const runs = 7;

/** Milliseconds and modules of a load, the fastest of as many processes. */
export interface Load {
  readonly words: string;
  readonly modules: number;
  readonly milliseconds: number;
}

export async function measureLoads(): Promise<Load[]> {
  const loads: Load[] = [];
  for (const [words, [before, module]] of Object.entries(processes)) {
    const script = `
${before.map((name) => `require(${JSON.stringify(name)});`).join("")}
const count = () => Object.keys(require.cache).length;
const [begun, modules] = [performance.now(), count()];
require(${JSON.stringify(module)});
console.log(JSON.stringify([performance.now() - begun, count() - modules]));`;
    const found: [number, number][] = [];
    for (let run = 0; run < runs; run++) {
      const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], { cwd: root });
      found.push(JSON.parse(stdout));
    }
    const [milliseconds, modules] = found.sort(([a], [b]) => a - b)[0] as [number, number];
    loads.push({ words, modules, milliseconds: Math.round(milliseconds) });
  }
  return loads;
}
