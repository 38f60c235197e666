import { writeFile } from "node:fs/promises";
import path from "node:path";
import { Stack } from "../../../scripts/stack";

/** A project below the checkout whose engine finds the plugin of the checkout. */
const project = [
  "name: docs-org-test",
  "runtime: nodejs",
  "main: index.ts",
  "plugins:",
  "  providers:",
  "    - name: docs",
  "      path: ../../plugin",
  "",
].join("\n");

/** A separate stack whose program uses the plugin. */
export async function pluginStack(text: string, environment: NodeJS.ProcessEnv): Promise<Stack> {
  const stack = await Stack.create({ text }, environment);
  await writeFile(path.join(stack.folder, "Pulumi.yaml"), project);
  return stack;
}

/** The same program for the plugin: moving is this change of one line. */
export const moved = (text: string): string => text.replace('"pulumi-docs-org"', '"pulumi-docs-org/plugin"');
