import { packageVersion } from "../../../provider/run/package";
import type { Stack } from "../../../scripts/stack";

/** The same program for the plugin: moving is this change of one line. */
export const moved = (text: string): string => text.replace('"pulumi-docs-org"', '"pulumi-docs-org/plugin"');

/** Makes the state one that another version of the package has written: its default provider has another name. */
export async function recordVersion(stack: Stack, version: string): Promise<void> {
  const named = (one: string) => `default_${one.replace(/\W/g, "_")}`;
  const renamed = (await stack.stateFile()).replaceAll(named(packageVersion), named(version));
  const other = renamed.replace(new RegExp(`("version": ?)"${packageVersion}"`, "g"), `$1"${version}"`);
  if (!other.includes(`docs::${named(version)}::`)) throw new Error(`no resource has the plugin ${packageVersion}`);
  await stack.restoreStateFile(other);
}
