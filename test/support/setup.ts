import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ensureEngine } from "../../scripts/engine";
import { root } from "../../scripts/stack";

/** The engine's processes load the compiled package; and a missing engine is an error here, not a skipped test later. */
export default async function setup(): Promise<void> {
  await promisify(execFile)("npm", ["run", "build"], { cwd: root });
  await ensureEngine();
}
