import path from "node:path";
import { cachedFolder, type Engine, isExecutable, LANGUAGE_HOST, missingEngine, searchEngine } from "../engine/find";
import { findInstalledPlugin, isPluginBuilt, pluginFolder } from "../engine/plugin";
import { isAtLeast } from "../engine/version";
import { manifest, packageVersion } from "../run/package";
import { type Finding, ok, wrong } from "./check";

/** Whether this Node.js is one that the package supports. */
export function checkNode(version = process.versions.node): Finding {
  const minimum = manifest.engines.node.replace(">=", "");
  if (isAtLeast(version, minimum)) return ok("Node.js", version);
  return wrong("Node.js", `${version} is too old; install Node.js ${minimum} or newer`);
}

export interface FoundEngine {
  readonly engine: Engine | undefined;
  readonly findings: readonly Finding[];
}

/** The engine that the commands would run, and its language host. */
export async function checkEngine(environment: NodeJS.ProcessEnv): Promise<FoundEngine> {
  const found = await searchEngine(environment);
  if (!("folder" in found)) {
    return {
      engine: undefined,
      findings: [wrong("engine", missingEngine(found).message), await checkHost(environment)],
    };
  }
  const engine = ok("engine", `Pulumi ${found.version} in ${found.folder}`);
  return { engine: found, findings: [engine, await checkHost(found.environment)] };
}

async function checkHost(environment: NodeJS.ProcessEnv): Promise<Finding> {
  const folders = [...(environment.PATH ?? "").split(path.delimiter), cachedFolder(environment)];
  for (const folder of folders.filter(path.isAbsolute)) {
    const file = path.join(folder, LANGUAGE_HOST);
    if (await isExecutable(file)) return ok("language host", file);
  }
  return wrong("language host", `${LANGUAGE_HOST} is not on the PATH; install the whole Pulumi CLI, which has it`);
}

/** The provider plugin: that of this package, and a copy among the plugins of the CLI, which other projects use. */
export function checkPlugin(environment: NodeJS.ProcessEnv): Finding {
  if (!isPluginBuilt()) return wrong("plugin", `${pluginFolder} has no index.js; install pulumi-docs-org again`);
  const { folder, content } = findInstalledPlugin(environment);
  const own = `docs ${packageVersion} in the package`;
  if (content === "none") return ok("plugin", `${own}; not installed for projects without the package`);
  if (content === "same") return ok("plugin", `${own}, and the same in ${folder}`);
  return wrong("plugin", `${folder} has another content than the package; run docs-org plugin install`);
}
