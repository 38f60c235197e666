import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Removes half-written descriptions from a folder with the state of stacks. The engine keeps a description beside each file,
 * `main.json.attrs`, and writes it in place: killed at that moment, it leaves an empty one, and no command opens the stack
 * ("failed to load checkpoint: EOF", seen in 3.259). The state itself is whole, and the engine needs no description.
 */
export function removeBrokenDescriptions(folder: string): void {
  const places = ["stacks", "locks"].map((name) => join(folder, ".pulumi", name)).filter(existsSync);
  for (const place of places) {
    const files = readdirSync(place, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".attrs"));
    for (const file of files.map((name) => join(place, name))) if (isBroken(file)) rmSync(file, { force: true });
  }
}

function isBroken(file: string): boolean {
  try {
    JSON.parse(readFileSync(file, "utf8"));
    return false;
  } catch (error) {
    return error instanceof SyntaxError;
  }
}
