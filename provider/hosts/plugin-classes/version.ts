import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The version of the package, which is that of its plugin. */
export const packageVersion: string = JSON.parse(
  readFileSync(join(__dirname, "../../../package.json"), "utf8"),
).version;
