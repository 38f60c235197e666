import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import { identifier } from "../../../api/groups/shared";
import { DocsError, isForbidden, isUnanswered, isUnauthorized } from "../../../api/http/errors";
import {
  type Context,
  connect,
  describeSource,
  explainUnknownOrganization,
  followedBy,
  perOrganization,
} from "../../../run/context";
import { perRun } from "../../../run/run";
import { inOneLine, mistakesIn } from "../../../text/mistakes";
import { keepLateHandlingQuiet } from "../late-rejections";
import { programRun } from "../program-run";
import { type Arguments, refuseConfiguration } from "../resource-class";
import { inspectable, runError } from "../run-error";
import { afterResources, type LookupOptions } from "./dependencies";

/** The argument that every lookup has. */
export interface InOrganization {
  /** Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId). */
  readonly organizationId?: string | undefined;
}

/**
 * The part of each lookup's schema that {@link InOrganization} describes.
 * @internal
 */
export const inOrganization = { organizationId: identifier.optional() };

/** Items on a page of a list: the API's maximum. */
export const limit = 1000;

/**
 * A read of the service by a program while it runs.
 * @internal
 */
export interface Lookup<Args extends InOrganization, Result> {
  /** The function that a program calls. */
  readonly name: string;
  readonly arguments: z.ZodType<Args>;
  readonly read: (context: Context, args: Args) => PromiseLike<Result>;
}

/**
 * Keeps the exact types of a lookup, and checks it against {@link Lookup}.
 * @internal
 */
export const lookup = <Args extends InOrganization, Result>(one: Lookup<Args, Result>): Lookup<Args, Result> => one;

/**
 * The answer to a lookup, which is cached for the run of the program.
 * @internal
 */
export function ask<Args extends InOrganization, Result>(one: Lookup<Args, Result>, args: Args): Promise<Result> {
  return answer(one, args, false);
}

/**
 * The answer to a lookup with arguments that are known later. No request is sent before they are known.
 * @internal
 */
export function askLater<Args extends InOrganization, Result>(
  one: Lookup<Args, Result>,
  args: Arguments<Args>,
  options: LookupOptions = {},
): pulumi.Output<Result> {
  return afterResources(args, options, (known, changed) => answer(one, known, changed)) as pulumi.Output<Result>;
}

async function answer<Result, Args extends InOrganization>(
  one: Lookup<Args, Result>,
  given: unknown,
  anew: boolean,
): Promise<Result> {
  try {
    const args = parseArguments(one, given);
    const context = await contextOf(args, anew);
    const question = JSON.stringify([one.name, args]);
    const found = await explainedLookup(context, () => askOnce(context, question, () => one.read(context, args)));
    // Each caller gets a copy, so that a caller that sorts or changes it does not affect the others.
    return structuredClone(found);
  } catch (error) {
    keepLateHandlingQuiet();
    throw presentable(given, error);
  }
}

function parseArguments<Args extends InOrganization>(one: Lookup<Args, unknown>, given: unknown): Args {
  for (const [name, value] of Object.entries(given ?? {})) {
    if (pulumi.Output.isInstance(value)) {
      throw new DocsError(`${one.name}: ${name} is an output, which is known later; use ${one.name}Output`);
    }
  }
  const found = mistakesIn(one.arguments, given);
  if (found.length > 0) throw new DocsError(`${one.name}: ${inOneLine(found)}`);
  return one.arguments.parse(given);
}

/** @internal */
export async function contextOf({ organizationId }: InOrganization, anew = false): Promise<Context> {
  refuseConfiguration();
  const run = programRun();
  run.settings.refuseMissing(organizationId);
  return connect(anew ? run.startAfresh() : run, organizationId ?? run.settings.requiredOrganizationId());
}

const answersOf = perOrganization(() => new Map<string, Promise<unknown>>());

/**
 * Adds to a 404 where the organization id and the token came from, if the service does not find the organization.
 * @internal
 */
export async function explainedLookup<T>(context: Context, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    await explainUnknownOrganization(context, error);
    throw error;
  }
}

/**
 * Sends the same question once, unless it failed.
 * @internal
 */
export function askOnce<T>(context: Context, question: string, read: () => PromiseLike<T>): Promise<T> {
  const answers = answersOf(context);
  const known = answers.get(question) as Promise<T> | undefined;
  if (known) return known;
  const answer = Promise.resolve(read());
  answers.set(question, answer);
  answer.catch(() => answers.delete(question));
  return answer;
}

/**
 * Returns an error that the engine shows as one sentence without a stack, and only once, even if many lookups fail with it. If
 * the program has ended with lookups still in flight, the SDK also prints the stack of a RunError.
 */
export function presentable(given: unknown, error: unknown): unknown {
  if (!(error instanceof DocsError)) return inspectable(error);
  const refusals = refusalsIn(programRun());
  const origin = originOfSetting(given as InOrganization, error);
  const text = origin === undefined ? error.message : followedBy(error.message, origin);
  const refusal = refusals.get(text) ?? runError(text, error);
  refusals.set(text, refusal);
  return refusal;
}

/** The refusals of a run by message. */
const refusalsIn = perRun(() => new Map<string, pulumi.RunError>());

/** Says where the token or the address came from, which may be another place than the user thinks. */
function originOfSetting(given: InOrganization, error: DocsError): string | undefined {
  const { settings } = programRun();
  if (isUnanswered(error)) return `The address was taken from ${describeSource(settings.baseUrl()?.source ?? "")}.`;
  if (!isUnauthorized(error) && !isForbidden(error)) return undefined;
  const { source } = settings.requiredToken(given.organizationId ?? settings.requiredOrganizationId());
  return `The token was taken from ${describeSource(source)}.`;
}
