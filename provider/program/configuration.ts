import * as pulumi from "@pulumi/pulumi";
import { describePlainToken } from "../run/settings";
import { nearest } from "../text/mistakes";
import { runError } from "./run-error";
import { isConfigSecret } from "./sdk-internals";

const knownKeys = ["docs:baseUrl", "docs:organizationId", "docs:token", "docs:tokens"];

/** Refuses configuration that would be ignored, or that should not be readable. */
export function refuseConfiguration(): void {
  for (const key of Object.keys(pulumi.runtime.allConfig())) {
    if (!key.startsWith("docs:")) continue;
    if (!knownKeys.includes(key)) throw unknownKey(key);
    if (key.startsWith("docs:token") && !isConfigSecret(key)) throw runError(describePlainToken(key));
  }
}

function unknownKey(key: string): Error {
  const guess = nearest(key, knownKeys);
  const hint = guess ? `did you mean ${guess}?` : `known are ${knownKeys.join(", ")}.`;
  return runError(`there is no configuration ${key}; ${hint} Remove it with: pulumi config rm ${key}`);
}
