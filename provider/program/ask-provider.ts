import * as pulumi from "@pulumi/pulumi";
import { DocsError } from "../api/http/errors";
import type { Lookup } from "../lookups/lookup";
import { typeIn } from "../run/urn";
import { packageOf, unknownOutput } from "./sdk-internals";

/** Has the plugin answer a lookup. `unknownOutput` if the provider object has an input that this preview does not know. */
export async function askProvider(one: Lookup, args: object, provider: pulumi.ProviderResource): Promise<unknown> {
  refuseOtherPackage(one, provider);
  const call = pulumi.runtime.invoke(typeIn("plugin", one.name), args, { provider });
  const result: object = await call.catch((error: Error) => {
    throw new DocsError(withoutFrame(error.message), { cause: error });
  });
  // The engine answers with nothing for a provider object that it could not configure; every lookup has some property.
  if (Object.keys(result).length === 0) return unknownOutput;
  return one.result.def.type === "array" ? (result as { items: unknown }).items : result;
}

function refuseOtherPackage({ name }: Lookup, provider: pulumi.ProviderResource): void {
  const other = packageOf(provider);
  if (other === "docs") return;
  throw new DocsError(
    `${name}: option provider is a provider object of the package ${other}; use a Provider of "pulumi-docs-org/plugin", or omit the option`,
  );
}

/** The message of the plugin, without what the engine and the SDK put before it (seen in 3.259 and 3.270). */
const withoutFrame = (message: string): string =>
  message.replace(/^(?:invocation of \S+ returned an error: |rpc error: code = \w+ desc = )+/i, "");
