import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import { DocsError } from "../api/http/errors";
import { answerOf, checkedArguments, contextFor, type Lookup } from "../lookups/lookup";
import type { Context } from "../run/context";
import { runScoped } from "../run/run";
import { SettingsError } from "../run/settings-error";
import { typeIn } from "../run/urn";
import { afterResources, type LookupOptions, type ProviderOption } from "./after-resources";
import { refuseConfiguration } from "./configuration";
import { programRun, runOfProvider } from "./program-run";
import type { Provider } from "./provider";
import { inspectable, runError } from "./run-error";
import { packageOf, unknownOutput } from "./sdk-internals";
import type { Arguments } from "./types";

/** The argument that every lookup has. */
export interface InOrganization {
  /** Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId). */
  readonly organizationId?: string | undefined;
}

/**
 * The answer to a lookup, which is cached for the run of the program.
 * @internal
 */
export async function ask<Args extends z.ZodObject, Result extends z.ZodType>(
  lookup: Lookup<Args, Result>,
  args: z.input<Args>,
  { provider }: ProviderOption = {},
): Promise<z.output<Result>> {
  const answered = await answer(lookup, args, { provider });
  if (answered !== unknownOutput) return answered;
  const { name } = lookup;
  throw presentableError(new DocsError(`${name}: an input of its provider object is not known yet; use ${name}Output`));
}

/**
 * The answer to a lookup with arguments that are known later. No request is sent before they are known.
 * @internal
 */
export function askLater<Args extends z.ZodObject, Result extends z.ZodType>(
  lookup: Lookup<Args, Result>,
  args: Arguments<z.input<Args>>,
  options: LookupOptions = {},
): pulumi.Output<z.output<Result>> {
  const { provider } = options;
  return afterResources(args, options, (known, changed) => answer(lookup, known, { provider, anew: changed }));
}

/** `anew`: without earlier answers. */
async function answer<Args extends z.ZodObject, Result extends z.ZodType>(
  lookup: Lookup<Args, Result>,
  given: unknown,
  { provider, anew = false }: ProviderOption & { readonly anew?: boolean },
): Promise<z.output<Result>> {
  try {
    refuseOutputs(lookup, given);
    const args = checkedArguments(lookup, given);
    if (provider) return (await askProvider(lookup, args, provider)) as z.output<Result>;
    return await answerOf(lookup, await contextOf(args, { anew }), args);
  } catch (error) {
    keepLateHandlingQuiet();
    throw presentableError(error);
  }
}

/**
 * The runner of programs reports a lookup that failed as soon as it has failed. If the program awaits it later, Node.js would
 * warn of a rejection that was handled late (seen on 20 and 22), which tells the user nothing new.
 */
function keepLateHandlingQuiet(): void {
  if (process.listeners("rejectionHandled").includes(warnUnlessReported)) return;
  process.on("rejectionHandled", warnUnlessReported);
}

/** Node.js warns only if there is no listener, so this one warns of other rejections, unless the program has a listener as well. */
function warnUnlessReported(handled: Promise<unknown>): void {
  handled.catch((error) => {
    if (pulumi.RunError.isInstance(error) || process.listenerCount("rejectionHandled") > 1) return;
    process.emitWarning("Promise rejection was handled asynchronously", "PromiseRejectionHandledWarning");
  });
}

/** Has the plugin answer a lookup. `unknownOutput` if the provider object has an input that this preview does not know. */
async function askProvider(lookup: Lookup, args: object, provider: pulumi.ProviderResource): Promise<unknown> {
  refuseOtherPackage(lookup, provider);
  const call = pulumi.runtime.invoke(typeIn("plugin", lookup.name), args, { provider });
  const result: object = await call.catch((error: Error) => {
    throw new DocsError(withoutFrame(error.message), { cause: error });
  });
  // For a provider object that it could not configure, the engine answers with no property; every answer of the plugin has one.
  if (Object.keys(result).length === 0) return unknownOutput;
  // An answer of the plugin is an object, so a list is in its property `items`.
  return lookup.result.def.type === "array" ? (result as { items: unknown }).items : result;
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

function refuseOutputs(lookup: Lookup, given: unknown): void {
  for (const [name, value] of Object.entries(given ?? {})) {
    if (!pulumi.Output.isInstance(value)) continue;
    throw new DocsError(`${lookup.name}: ${name} is an output, which is known later; use ${lookup.name}Output`);
  }
}

/**
 * The context in which the program sends requests: with the settings of a provider object, or else those of the stack. `anew`: without
 * earlier answers.
 * @internal
 */
export async function contextOf(
  args: InOrganization,
  { provider, anew = false }: { provider?: Provider | undefined; anew?: boolean } = {},
): Promise<Context> {
  if (provider) return contextFor(await runOfProvider(provider), args);
  refuseConfiguration();
  const run = programRun();
  return contextFor(anew ? run.startAfresh() : run, args);
}

/**
 * Returns an error that the engine shows as one sentence without a stack, and only once, even if many lookups fail with it. If
 * the program has ended with lookups still in flight, the SDK also prints the stack of the error, so the sentence stands there, too.
 *
 * @internal
 */
export function presentableError(error: unknown): unknown {
  if (!(error instanceof DocsError)) return inspectable(error);
  const refusals = refusalsIn(programRun());
  const text = textOf(error);
  const refusal = refusals.get(text) ?? runError(text, error);
  refusals.set(text, refusal);
  return refusal;
}

const refusalsIn = runScoped(() => new Map<string, pulumi.RunError>());

/** The message of missing settings ends with a command, so the hint begins a new line. */
const textOf = (error: DocsError): string =>
  error instanceof SettingsError && error.variables.length > 0 ? `${error.message}\n${providerHint}` : error.message;

const providerHint =
  "A lookup uses these settings also beside provider objects, unless it gets the option provider: docs.getSites({}, { provider: acme }).";
