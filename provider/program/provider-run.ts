import * as pulumi from "@pulumi/pulumi";
import { DocsError } from "../api/http/errors";
import { Run } from "../run/run";
import { programRun } from "./program-run";
import { Provider } from "./provider";
import { knownValue } from "./sdk-internals";

/** A run with the connections of the program's own, and the settings of a provider object. */
export async function runOfProvider(provider: Provider): Promise<Run> {
  const declared = Provider.declaredFor(provider);
  if (!declared) throw new DocsError(`docs.client: ${noProviderObject}`);
  const { name, args } = declared;
  const values = new Map<string, string>();
  for (const [key, input] of Object.entries(args)) {
    const { isKnown, value } = await knownValue(pulumi.output(input));
    if (!isKnown) throw new DocsError(unknown(name, key));
    if (value !== undefined) values.set(`docs:${key}`, typeof value === "string" ? value : JSON.stringify(value));
  }
  const { settings, connections } = programRun();
  return new Run({ settings: settings.ofProviderObject(name, (key) => values.get(key)) }, connections);
}

const noProviderObject = "provider is not a provider object; pass one that new docs.Provider(...) made";

const unknown = (name: string, key: string): string =>
  `docs.client: ${key} of the provider object "${name}" is not known in this preview, because a resource that is yet to be created ` +
  "supplies it; call docs.client only if pulumi.runtime.isDryRun() is false";
