import type { z } from "zod";
import { inOneLine, mistakesIn } from "../../text/mistakes";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

export const notFound = (kind: string, id: string) => new Refusal(404, `there is no ${kind} "${id}"`);

export function requireExisting<Found>(object: Found | undefined, kind: string, id: string): Found {
  if (object !== undefined) return object;
  throw notFound(kind, id);
}

export const nothingAt = (method: string, path: string) => new Refusal(404, `there is nothing at ${method} ${path}`);

export const badRequest = (text: string) => new Refusal(400, text);

/** Returns the value as it was sent, with the order of its properties: no schema of a request transforms values. */
export function checkInput<Value>(schema: z.ZodType<Value>, value: unknown, place: readonly string[] = []): Value {
  const wrong = mistakesIn(schema, value).map((one) => ({ ...one, path: [...place, ...one.path] }));
  if (wrong.length > 0) throw badRequest(inOneLine(wrong));
  return value as Value;
}

export const forbidden = (text: string) => new Refusal(403, text);

/** 500 for a bug in the emulator, which must not look like an answer of the service. */
export const bug = (text: string) => new Refusal(500, `the emulator has a bug: ${text}`);

export function errorAnswer(error: unknown): Answer {
  const { status, message, headers } = error instanceof Refusal ? error : bug(textOf(error));
  return { status, headers, body: { error: { code: status, message } } };
}

const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
