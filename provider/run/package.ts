import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of the package. The bundle is as deep in it as this file. */
const folder = join(__dirname, "../..");

export const packagePart = (name: string): string => join(folder, name);

export const manifest: { readonly version: string; readonly engines: { readonly node: string } } = JSON.parse(
  readFileSync(packagePart("package.json"), "utf8"),
);

/** The version of the package, which is that of its plugin. */
export const packageVersion = manifest.version;
