import { spawnSync } from "node:child_process";
import { DocsError } from "../../api/http/errors";
import { findInstalledPlugin, isPluginBuilt, pluginFolder } from "../../engine/plugin";
import { packageVersion } from "../../run/package";

export function install({ for: former }: { readonly for?: string }): void {
  if (!isPluginBuilt())
    throw new DocsError(
      `could not install the plugin: ${pluginFolder} has no index.js; in a checkout, run: npm run build`,
    );
  installAs(packageVersion);
  if (former !== undefined && former !== packageVersion) installAs(former);
}

/** Installs the plugin of this package under a version. An installed plugin that really is of a former version stays. */
function installAs(version: string): void {
  const { folder: target, content: installed } = findInstalledPlugin(process.env, version);
  const isFormer = version !== packageVersion;
  if (installed === "same" || (installed === "other" && isFormer)) {
    console.log(`The plugin docs ${version} is already installed in ${target}.`);
    return;
  }
  runPulumi(version, installed === "other" ? ["--reinstall"] : []);
  const instead = installed === "other" ? ", in place of one with another content" : "";
  const content = isFormer ? `, with the content of ${packageVersion}` : "";
  console.log(`The plugin docs ${version} was installed in ${target}${content}${instead}.`);
}

function runPulumi(version: string, options: readonly string[]): void {
  const args = ["plugin", "install", "resource", "docs", version, "--file", pluginFolder, ...options];
  const { error, status, signal, stdout, stderr } = spawnSync("pulumi", args, { encoding: "utf8" });
  if (error) throw notStarted(error);
  if (status === 0) return;
  const output = `${stdout}${stderr}`.trim() || `it ended with ${signal ?? `status ${status}`}`;
  throw new DocsError(`could not install the plugin: pulumi ${args.join(" ")} failed: ${output}`);
}

function notStarted(error: NodeJS.ErrnoException): DocsError {
  if (error.code !== "ENOENT") return new DocsError(`could not install the plugin: pulumi: ${error.message}`);
  return new DocsError(
    "could not install the plugin: there is no pulumi on the PATH; install the Pulumi CLI " +
      "(https://www.pulumi.com/docs/install), or add its folder to the PATH",
  );
}
