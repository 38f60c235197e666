import { readFileSync } from "node:fs";
import path from "node:path";

/** The oldest engine that the project is tested with. */
export const MINIMUM_VERSION = "3.259";

/** Version to install if no engine is found: the newest on the Go module proxy, so that every way installs the same one. */
export const ENGINE_VERSION = pinned("engine", "github.com/pulumi/pulumi/pkg/v3");

/** Newest version of sdk/v3 that contains the language hosts; newer hosts are modules that the proxy does not have. */
export const LANGUAGE_HOST_VERSION = pinned("language-host", "github.com/pulumi/pulumi/sdk/v3");

/** Newest language host of YAML that compiles with the engine's modules. */
export const YAML_HOST_VERSION = pinned("generating-host", "github.com/pulumi/pulumi-yaml");

/** Go modules that need different versions of sdk/v3, or have code of their own. */
export type Module = "engine" | "language-host" | "generating-host";

export function moduleFolder(name: Module): string {
  return path.join(__dirname, "..", name);
}

/** Whether `version` ("v3.259.0", "go1.26.8", "3.260.0-alpha.1") is `minimum` or newer; only major and minor count. */
export function isAtLeast(version: string, minimum: string): boolean {
  const [major, minor] = majorAndMinor(version);
  const [leastMajor, leastMinor] = majorAndMinor(minimum);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

function majorAndMinor(version: string): [number, number] {
  const match = /(\d+)\.(\d+)/.exec(version);
  return match ? [Number(match[1]), Number(match[2])] : [0, 0];
}

/** Reads a version from go.mod, the only place that pins versions. */
function pinned(name: Module, module: string): string {
  const text = readFileSync(path.join(moduleFolder(name), "go.mod"), "utf8");
  const line = text.split("\n").find((each) => each.includes(`${module} v`));
  const version = line && /v(\d+\.\d+\.\d+)/.exec(line.slice(line.indexOf(`${module} v`) + module.length));
  if (!version?.[1]) throw new Error(`scripts/${name}/go.mod does not require ${module}`);
  return version[1];
}
