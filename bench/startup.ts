import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { root } from "../scripts/stack";
import { grouped, median } from "./numbers";
import type { Verdict } from "./verdicts";

const runs = 9;
const most = 120;

/** Loads the runtime after the SDK, which the provider process loads anyway, like the text of the stub. */
const script = `
require("@pulumi/pulumi");
const begun = performance.now();
require("pulumi-docs-org/runtime");
console.log(performance.now() - begun);`;

/** What loading the runtime adds to a bare \`require("@pulumi/pulumi")\`: the median of as many processes. */
export async function startup(): Promise<Verdict> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], { cwd: root });
    times.push(Number(stdout));
  }
  const found = median(times);
  const what = `loading the runtime, beside \`require("@pulumi/pulumi")\`: milliseconds (median of ${runs} processes)`;
  return { what, found: grouped(found), bound: `${most}`, holds: found <= most };
}
