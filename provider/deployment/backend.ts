import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Whether the user has chosen where stacks are kept: by a variable, or by `pulumi login`. */
export function isBackendChosen(environment: NodeJS.ProcessEnv): boolean {
  const { PULUMI_BACKEND_URL, PULUMI_ACCESS_TOKEN } = environment;
  return Boolean(PULUMI_BACKEND_URL || PULUMI_ACCESS_TOKEN || currentLogin(environment));
}

/** The backend of the last `pulumi login`, which the CLI notes in its folder (seen in 3.259). */
function currentLogin(environment: NodeJS.ProcessEnv): string | undefined {
  const folder =
    environment.PULUMI_CREDENTIALS_PATH || environment.PULUMI_HOME || join(environment.HOME ?? homedir(), ".pulumi");
  try {
    return (JSON.parse(readFileSync(join(folder, "credentials.json"), "utf8")) as { current?: string }).current;
  } catch {
    // Without a readable file, nobody has logged in; the CLI itself reports a damaged one.
    return undefined;
  }
}

/**
 * The passphrase for a stack that is not kept by a service. Without one, the CLI would ask and fail. An empty one is right here,
 * because nothing in the state is secret: tokens are read from the environment and never recorded.
 */
export function passphraseIn({
  PULUMI_CONFIG_PASSPHRASE,
  PULUMI_CONFIG_PASSPHRASE_FILE,
}: NodeJS.ProcessEnv): Record<string, string> {
  const isSet = PULUMI_CONFIG_PASSPHRASE !== undefined || PULUMI_CONFIG_PASSPHRASE_FILE !== undefined;
  return isSet ? {} : { PULUMI_CONFIG_PASSPHRASE: "" };
}
