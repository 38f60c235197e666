import path from "node:path";
import { cachedFolder, isExecutable, LANGUAGE_HOST, missingEngine, searchEngine } from "../engine/find";
import { findInstalledPlugin, isPluginBuilt, pluginFolder } from "../engine/plugin";
import { isAtLeast } from "../engine/version";
import { manifest, packageVersion } from "../run/package";
import { type Check, note, ok, wrong } from "./check";

export function checkNode(version = process.versions.node): Check {
  const minimum = manifest.engines.node.replace(">=", "");
  if (isAtLeast(version, minimum)) return ok("Node.js", version);
  return wrong("Node.js", `${version} is too old; install Node.js ${minimum} or newer`);
}

export async function checkEngine(environment: NodeJS.ProcessEnv) {
  const found = await searchEngine(environment);
  const engine = "folder" in found ? found : undefined;
  const finding =
    "folder" in found
      ? ok("engine", `Pulumi ${found.version} in ${found.folder}`)
      : wrong("engine", missingEngine(found).message);
  return { engine, findings: [finding, await checkHost(engine?.environment ?? environment)] };
}

async function checkHost(environment: NodeJS.ProcessEnv): Promise<Check> {
  const folders = [...(environment.PATH ?? "").split(path.delimiter), cachedFolder(environment)];
  for (const folder of folders.filter(path.isAbsolute)) {
    const file = path.join(folder, LANGUAGE_HOST);
    if (await isExecutable(file)) return ok("language host", file);
  }
  return wrong("language host", `${LANGUAGE_HOST} is not on the PATH; install the whole Pulumi CLI, which has it`);
}

/** The provider plugin: that of this package, and a copy among the plugins of the CLI, which other projects use. */
export function checkPlugin(environment: NodeJS.ProcessEnv): Check {
  if (!isPluginBuilt()) return wrong("plugin", `${pluginFolder} has no index.js; install pulumi-docs-org again`);
  const { folder, content } = findInstalledPlugin(environment);
  const packaged = `docs ${packageVersion} in the package`;
  if (content === "none") return ok("plugin", `${packaged}; not installed for projects without the package`);
  if (content === "same") return ok("plugin", `${packaged}, and the same in ${folder}`);
  return wrong("plugin", `${folder} has another content than the package; run docs-org plugin install`);
}

/** Variables that change what every run does, and are easily forgotten. */
export function checkVariables(environment: NodeJS.ProcessEnv): readonly Check[] {
  const setVariables = Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== "");
  const findings = setVariables.flatMap(([name, value = ""]) => findingOf(name, value, environment) ?? []);
  return findings.length > 0 ? findings : [ok("variables", "none changes what a run does")];
}

function findingOf(name: string, value: string, environment: NodeJS.ProcessEnv): Check | undefined {
  if (name === "DOCS_NOW") return note(name, `grants end as of ${value}; unset it, unless this is a test`);
  if (name === "NODE_TLS_REJECT_UNAUTHORIZED" && value === "0") {
    return wrong(
      name,
      "certificates are not checked, so anybody in between can read the token; unset it, and name the certificate of a proxy in NODE_EXTRA_CA_CERTS",
    );
  }
  const [, option] = /^PULUMI_OPTION_(\w+)$/.exec(name) ?? [];
  if (option !== undefined) {
    const flag = `--${option.toLowerCase().replaceAll("_", "-")}`;
    return note(name, `every command of pulumi runs with ${flag}, if it has it; unset it, unless this is intended`);
  }
  if (!proxies.includes(name) || reachesEngine(environment)) return undefined;
  return note(
    name,
    'the SDK of a program also uses this proxy for the engine on this machine ("14 UNAVAILABLE: No connection established"); set no_grpc_proxy=127.0.0.1,localhost. The commands of docs-org do so themselves',
  );
}

/** What the gRPC library of the SDK reads, in lower case only (seen in @grpc/grpc-js 1.14). */
const proxies = ["grpc_proxy", "https_proxy", "http_proxy"];

const reachesEngine = ({ no_grpc_proxy, no_proxy }: NodeJS.ProcessEnv): boolean =>
  (no_grpc_proxy || no_proxy || "").split(",").some((host) => host.trim() === "127.0.0.1");
