import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { packagePart, packageVersion } from "../run/package";

export const pluginFolder = packagePart("plugin");

export interface InstalledPlugin {
  /** Where the CLI keeps a plugin of this version (seen in 3.259). */
  readonly folder: string;
  /** Whether it has the content of this package; `none` if it is not installed. */
  readonly content: "same" | "other" | "none";
}

/** Whether the plugin was built; an installed package always has it. */
export const isPluginBuilt = (): boolean => existsSync(join(pluginFolder, "index.js"));

export function findInstalledPlugin(environment: NodeJS.ProcessEnv, version = packageVersion): InstalledPlugin {
  const home = environment.PULUMI_HOME || join(environment.HOME ?? homedir(), ".pulumi");
  const folder = join(home, "plugins", `resource-docs-v${version}`);
  if (!existsSync(folder)) return { folder, content: "none" };
  return { folder, content: isSame(folder) ? "same" : "other" };
}

const isSame = (folder: string): boolean =>
  readdirSync(pluginFolder).every((name) => {
    const installed = join(folder, name);
    return existsSync(installed) && readFileSync(installed).equals(readFileSync(join(pluginFolder, name)));
  });
