import * as pulumi from "@pulumi/pulumi";
import { Run } from "../../run/run";
import type { StackClient } from "../dynamic/client";
import type { InOrganization } from "../dynamic/lookups/lookup";
import { Provider } from "./provider";
import { knownValue } from "./sdk-internals";

export interface ClientArgs extends InOrganization {
  /** The provider object whose settings the client has; by default, those of the stack. */
  readonly provider?: Provider | undefined;
}

/**
 * A client for the whole API, with the address and the token that the stack or a provider object has for the organization.
 *
 * The types of all operations are large, so only a program that uses them loads them: call `docs.client<Client>()`, with the type
 * `Client` of `pulumi-docs-org/client`.
 *
 * Its requests are sent when the program runs, in a preview as well: call operations that change something only unless
 * `pulumi.runtime.isDryRun()`.
 */
export async function client<Client extends StackClient = StackClient>(args: ClientArgs = {}): Promise<Client> {
  // Most programs need none, and start faster without what it needs.
  const host = await import("../dynamic/client.js");
  const { provider, ...others } = args;
  if (provider === undefined) return host.client<Client>(others);
  return host.clientOf<Client>(await runOf(provider), others);
}

/** The program's run with the settings of a provider object. */
async function runOf(provider: Provider): Promise<Run> {
  const { programRun } = await import("../dynamic/program-run.js");
  const { runError } = await import("../dynamic/run-error.js");
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
