import { pluginStack as stackOf } from "../../../scripts/plugin-stack";
import type { Stack } from "../../../scripts/stack";

/** A separate stack whose program uses the plugin. */
export const pluginStack = (text: string, environment: NodeJS.ProcessEnv): Promise<Stack> =>
  stackOf({ text }, environment);

/** The same program for the plugin: moving is this change of one line. */
export const moved = (text: string): string => text.replace('"pulumi-docs-org"', '"pulumi-docs-org/plugin"');
