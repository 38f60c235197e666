import { writeFile } from "node:fs/promises";
import path from "node:path";
import { type Program, Stack } from "./stack";

/** A project below the checkout whose engine finds the plugin of the checkout. */
export const pluginProject = [
  "name: docs-org-test",
  "runtime: nodejs",
  "main: index.ts",
  "plugins:",
  "  providers:",
  "    - name: docs",
  "      path: ../../plugin",
  "",
].join("\n");

/** A separate stack whose program uses the provider plugin, as `npm run build` made it. */
export async function pluginStack(program: Program, environment: NodeJS.ProcessEnv): Promise<Stack> {
  const stack = await Stack.create(program, environment);
  await writeFile(path.join(stack.folder, "Pulumi.yaml"), pluginProject);
  return stack;
}
