import { readFileSync } from "node:fs";
import path from "node:path";

/** The oldest engine that the project is tested with. */
export const MINIMUM_VERSION = "3.259";

/** What is installed where no engine is found: the newest that the Go module proxy has, so that every way gives the same one. */
export const ENGINE_VERSION = pinned("engine", "github.com/pulumi/pulumi/pkg/v3");

/** The last language host that is part of a tagged module; it runs programs on the engine above. */
export const LANGUAGE_HOST_VERSION = pinned("language-host", "github.com/pulumi/pulumi/sdk/v3");

/** The folder of one of the two Go modules. They are two because each needs a version of sdk/v3 of its own. */
export function moduleFolder(name: "engine" | "language-host"): string {
  return path.join(__dirname, "..", name);
}

/** True if `version` ("v3.259.0", "go1.26.8", "3.260.0-alpha.1") is `minimum` or newer; only major and minor count. */
export function isAtLeast(version: string, minimum: string): boolean {
  const [major, minor] = majorAndMinor(version);
  const [leastMajor, leastMinor] = majorAndMinor(minimum);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

function majorAndMinor(version: string): [number, number] {
  const match = /(\d+)\.(\d+)/.exec(version);
  return match ? [Number(match[1]), Number(match[2])] : [0, 0];
}

/** go.mod is the one place that names a version. */
function pinned(name: "engine" | "language-host", module: string): string {
  const text = readFileSync(path.join(moduleFolder(name), "go.mod"), "utf8");
  const line = text.split("\n").find((each) => each.includes(`${module} v`));
  const version = line && /v(\d+\.\d+\.\d+)/.exec(line.slice(line.indexOf(`${module} v`) + module.length));
  if (!version?.[1]) throw new Error(`scripts/${name}/go.mod does not require ${module}`);
  return version[1];
}
