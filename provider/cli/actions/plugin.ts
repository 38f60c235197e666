import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { DocsError } from "../../api/http/errors";
import { packageVersion } from "../../hosts/plugin-classes/version";

const folder = join(__dirname, "../../../plugin");

export function install(): void {
  if (!existsSync(join(folder, "index.js"))) {
    throw new DocsError(`could not install the plugin: ${folder} has no index.js; in a checkout, run: npm run build`);
  }
  const target = installedFolder();
  const found = existsSync(target) ? (isSame(target) ? "same" : "other") : "none";
  if (found === "same") {
    console.log(`The plugin docs ${packageVersion} is already installed in ${target}.`);
    return;
  }
  runPulumi(found === "other" ? ["--reinstall"] : []);
  const instead = found === "other" ? ", in place of one with another content" : "";
  console.log(`The plugin docs ${packageVersion} was installed in ${target}${instead}.`);
}

/** Where the CLI keeps a plugin of this version (seen in 3.259). */
function installedFolder(): string {
  const home = process.env.PULUMI_HOME || join(homedir(), ".pulumi");
  return join(home, "plugins", `resource-docs-v${packageVersion}`);
}

const isSame = (target: string): boolean =>
  readdirSync(folder).every((name) => {
    const installed = join(target, name);
    return existsSync(installed) && readFileSync(installed).equals(readFileSync(join(folder, name)));
  });

function runPulumi(options: readonly string[]): void {
  const args = ["plugin", "install", "resource", "docs", packageVersion, "--file", folder, ...options];
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
