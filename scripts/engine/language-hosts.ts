import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { chmod, copyFile, link, mkdir } from "node:fs/promises";
import path from "node:path";
import { runProcess } from "../../provider/engine/child";
import { CLI, isExecutable } from "../../provider/engine/find";
import { ENGINE_VERSION } from "../../provider/engine/version";
import { type BuildSite, build, type GoProgram, goVersion, moduleFlags } from "./go-build";
import { LANGUAGE_HOST_VERSION, moduleFolder, YAML_HOST_VERSION } from "./version";

/** Language hosts that programs in TypeScript do not need. */
export const OTHER_HOSTS = ["go", "python", "yaml"].map(hostOf);
const SDK = "github.com/pulumi/pulumi/sdk/v3";
/** The script that runs programs; a language host expects it beside itself. */
const PYTHON_SCRIPT = "pulumi-language-python-exec";

/** Hosts that run programs, but are too old to write SDKs. */
const hosts: GoProgram[] = [
  ["go", "go/pulumi-language-go"],
  ["nodejs", "nodejs/cmd/pulumi-language-nodejs"],
  ["python", "python/cmd/pulumi-language-python"],
].map(([language = "", folder]) => ({
  module: "language-host",
  package: `${SDK}/${folder}`,
  file: path.join("hosts", hostOf(language)),
  version: LANGUAGE_HOST_VERSION,
}));

/**
 * What the engine starts: a host that writes SDKs and programs with the generators of the engine's version, and starts one of
 * those above for the rest. Its name says which language it serves.
 */
const generatingHost: GoProgram = {
  module: "generating-host",
  package: ".",
  file: hostOf("nodejs"),
  version: ENGINE_VERSION,
};

const yamlHost: GoProgram = {
  module: "generating-host",
  package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
  file: hostOf("yaml"),
  version: YAML_HOST_VERSION,
};

/** Changes with the sources and the versions of what is built. */
export function languagesVersion(): string {
  const hash = createHash("sha256");
  for (const module of ["language-host", "generating-host"] as const) {
    const folder = moduleFolder(module);
    for (const name of readdirSync(folder).sort()) hash.update(readFileSync(path.join(folder, name)));
  }
  return hash.digest("hex").slice(0, 8);
}

/** Whether an engine with this PATH runs programs in all languages. */
export async function findsLanguages(searched: string): Promise<boolean> {
  const folders = searched.split(path.delimiter).filter(path.isAbsolute);
  for (const host of OTHER_HOSTS) {
    const found = await Promise.all(folders.map((folder) => isExecutable(path.join(folder, host))));
    if (!found.includes(true)) return false;
  }
  return true;
}

/** Builds the hosts from source beside the CLI of an engine, because the engine prefers hosts that are beside it. */
export async function buildLanguages(engine: string, site: BuildSite): Promise<void> {
  const { folder } = site;
  site.log("building the language hosts of Go, Python and YAML from Go modules (once; about 2 minutes on 2 cores)");
  site.log(`  ${await goVersion(site)}`);
  await mkdir(path.join(folder, "hosts"));
  for (const program of [...hosts, generatingHost, yamlHost]) await build(program, site);
  const generating = path.join(folder, generatingHost.file);
  for (const language of ["go", "python"]) await linkOrCopy(generating, path.join(folder, hostOf(language)));
  await copyPythonScript(site);
  await linkOrCopy(path.join(engine, CLI), path.join(folder, CLI));
}

/** A cache may be on another device than the engine. */
const linkOrCopy = (file: string, target: string): Promise<void> =>
  link(file, target).catch(() => copyFile(file, target));

async function copyPythonScript({ folder, scratch, environment }: BuildSite): Promise<void> {
  const asked = ["list", ...(await moduleFlags("language-host", scratch)), "-m", "-f", "{{.Dir}}", SDK];
  const env = { ...environment, GOWORK: "off" };
  const stdout = await runProcess("go", asked, { cwd: moduleFolder("language-host"), env, deadline: 60_000 });
  const target = path.join(folder, "hosts", PYTHON_SCRIPT);
  await copyFile(path.join(stdout.trim(), "python", "cmd", PYTHON_SCRIPT), target);
  await chmod(target, 0o755);
}

function hostOf(language: string): string {
  return `pulumi-language-${language}`;
}
