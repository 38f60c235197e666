import * as pulumi from "@pulumi/pulumi";
import type { Client } from "../api/client";
import { contextFor } from "../lookups/lookup";
import { Run } from "../run/run";
import { type InOrganization, presentable } from "./ask";
import { refuseConfiguration } from "./configuration";
import { programRun } from "./program-run";
import { Provider } from "./provider";
import { runError } from "./run-error";
import { knownValue } from "./sdk-internals";

/** Those of `client`, whose module a program loads without the types of all operations. */
type Args = InOrganization & { readonly provider?: Provider | undefined };

export async function connectClient({ provider, ...args }: Args): Promise<Client> {
  const run = provider === undefined ? runOfStack() : await runOf(provider);
  try {
    const { client: shared } = await contextFor(run, args);
    return { ...shared, close: async () => undefined };
  } catch (error) {
    throw presentable(error, run);
  }
}

function runOfStack(): Run {
  refuseConfiguration();
  return programRun();
}

/** The program's run with the settings of a provider object. */
async function runOf(provider: Provider): Promise<Run> {
  const declared = Provider.declaredFor(provider);
  if (!declared)
    throw runError("docs.client: provider is not a provider object; pass one that new docs.Provider(...) made");
  const { name, args } = declared;
  const values = new Map<string, string>();
  for (const [key, input] of Object.entries(args)) {
    const { isKnown, value } = await knownValue(pulumi.output(input));
    if (!isKnown) throw runError(unknown(name, key));
    if (value !== undefined) values.set(`docs:${key}`, typeof value === "string" ? value : JSON.stringify(value));
  }
  const { settings, connections } = programRun();
  return new Run({ settings: settings.ofProviderObject(name, (key) => values.get(key)) }, connections);
}

const unknown = (name: string, key: string): string =>
  `docs.client: ${key} of the provider object "${name}" is not known in this preview, because a resource that is yet to be created ` +
  "supplies it; call docs.client only if pulumi.runtime.isDryRun() is false";
