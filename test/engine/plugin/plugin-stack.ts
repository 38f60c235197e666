import { writeFile } from "node:fs/promises";
import path from "node:path";
import { packageVersion } from "../../../provider/run/package";
import { pluginStack as stackOf } from "../../../scripts/plugin-stack";
import type { Stack } from "../../../scripts/stack";

/** A separate stack whose program uses the plugin. */
export const pluginStack = (text: string, environment: NodeJS.ProcessEnv): Promise<Stack> =>
  stackOf({ text }, environment);

/** The same program for the plugin: moving is this change of one line. */
export const moved = (text: string): string => text.replace('"pulumi-docs-org"', '"pulumi-docs-org/plugin"');

/** Makes the state one that another version of the package has written: its default provider has another name. */
export async function recordVersion(stack: Stack, version: string): Promise<void> {
  const named = (one: string) => `default_${one.replace(/\W/g, "_")}`;
  const state = (await stack.export()).replaceAll(named(packageVersion), named(version));
  const other = state.replaceAll(`"version": "${packageVersion}"`, `"version": "${version}"`);
  if (!other.includes(`docs::${named(version)}::`)) throw new Error(`no resource has the plugin ${packageVersion}`);
  await writeFile(path.join(stack.folder, "state.json"), other);
  const { status, output } = await stack.run("stack", "import", "--file", "state.json");
  if (status !== 0) throw new Error(output);
}
