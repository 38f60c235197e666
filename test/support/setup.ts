import { ensureEngine } from "../../scripts/engine";
import { compile } from "./compiled";

/** The engine's processes load the compiled package; and a missing engine is an error here, not a skipped test later. */
export default async function setup(): Promise<void> {
  await compile();
  await ensureEngine();
}
