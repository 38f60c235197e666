import { readFileSync } from "node:fs";
import path from "node:path";
import { ENGINE_VERSION } from "../../provider/engine/version";

/** Newest version of sdk/v3 that contains the language hosts; newer hosts are modules that the proxy does not have. */
export const LANGUAGE_HOST_VERSION = pinned("language-host", "github.com/pulumi/pulumi/sdk/v3");

/** Newest language host of YAML that compiles with the engine's modules. */
export const YAML_HOST_VERSION = pinned("generating-host", "github.com/pulumi/pulumi-yaml");

const built = pinned("engine", "github.com/pulumi/pulumi/pkg/v3");
if (built !== ENGINE_VERSION) {
  throw new Error(
    `scripts/engine/go.mod builds pulumi ${built}, and provider/engine/version.ts says ${ENGINE_VERSION}`,
  );
}

/** Folders with a Go module each, which need different versions of sdk/v3, or have code of their own. */
export type ModuleFolder = "engine" | "language-host" | "generating-host";

export function moduleFolder(name: ModuleFolder): string {
  return path.join(__dirname, "..", name);
}

/** Reads a version from go.mod, which pins what is built. */
function pinned(name: ModuleFolder, dependency: string): string {
  const text = readFileSync(path.join(moduleFolder(name), "go.mod"), "utf8");
  const [, version] = new RegExp(`${dependency} v(\\d+\\.\\d+\\.\\d+)`).exec(text) ?? [];
  if (version === undefined) throw new Error(`scripts/${name}/go.mod does not require ${dependency}`);
  return version;
}
