import type { z } from "zod";
import { givenId } from "../api/groups/shared";
import { DocsError } from "../api/http/errors";
import { type Context, connect, explained, organizationScoped } from "../run/context";
import type { Run } from "../run/run";
import { inOneLine, mistakesIn } from "../text/mistakes";

/** The part that the arguments of every lookup have. */
export const inOrganization = {
  organizationId: givenId
    .describe(
      "Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId).",
    )
    .optional(),
};

/** Items on a page of a list: the API's maximum. */
export const limit = 1000;

/** A read of the service by a program while it runs. */
export interface Lookup<Arguments extends z.ZodObject = z.ZodObject, Result extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly arguments: Arguments;
  readonly result: Result;
  // A method, so that the registry can have lookups with different arguments.
  read(context: Context, args: z.output<Arguments>): PromiseLike<z.output<Result>>;
}

/** Keeps the exact types of a lookup, and checks it against {@link Lookup}. */
export const lookup = <Arguments extends z.ZodObject, Result extends z.ZodType>(
  one: Lookup<Arguments, Result>,
): Lookup<Arguments, Result> => one;

/** Checks arguments, and returns them as `read` takes them. Each mistake names the argument, what was found and what is allowed. */
export function checkedArguments<Arguments extends z.ZodObject>(
  one: Lookup<Arguments>,
  given: unknown,
): z.output<Arguments> {
  const mistakes = mistakesIn(one.arguments, given);
  if (mistakes.length > 0) throw new DocsError(`${one.name}: ${inOneLine(mistakes)}`);
  return one.arguments.parse(given);
}

/** The organization of the arguments, or else that of the settings. */
export async function contextFor(
  run: Run,
  { organizationId }: { organizationId?: string | undefined },
): Promise<Context> {
  run.settings.requireFor(organizationId);
  return connect(run, organizationId ?? run.settings.requiredOrganizationId());
}

/** The answer to a lookup, which is cached for the run. */
export async function answerOf<Arguments extends z.ZodObject, Result extends z.ZodType>(
  one: Lookup<Arguments, Result>,
  context: Context,
  args: z.output<Arguments>,
): Promise<z.output<Result>> {
  const question = JSON.stringify([one.name, args]);
  const answer = await explained(context, () => askOnce(context, question, () => one.read(context, args)));
  // Each caller gets a copy, so that a caller that sorts or changes it does not affect the others.
  return structuredClone(answer);
}

const answersOf = organizationScoped(() => new Map<string, Promise<unknown>>());

/** Sends each question once in a run. Only a question that failed is sent again. */
export function askOnce<T>(context: Context, question: string, read: () => PromiseLike<T>): Promise<T> {
  const answers = answersOf(context);
  const cached = answers.get(question) as Promise<T> | undefined;
  if (cached) return cached;
  const answer = Promise.resolve(read());
  answers.set(question, answer);
  answer.catch(() => answers.delete(question));
  return answer;
}
