import { ensureEngine } from "../../scripts/engine";
import { compile } from "./compiled";

/** Compiles the package, which the engine's processes load, and installs the engine, so that a missing one fails here instead of skipping tests. */
export default async function setup(): Promise<void> {
  await compile();
  await ensureEngine();
}
