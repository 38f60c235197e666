import { ConnectionError, DocsError, isUnauthorized, ownError } from "../api/http/errors";

/** One thing of many that are to be done, for one person each. */
export interface Step {
  /** Whom it is about, in a message. */
  readonly name: string;
  /** Whether it gives somebody the office that others may lose, or takes it. */
  readonly office?: "gives" | "takes";
  /** What is true of the person afterwards, in a message: `is now read`. */
  readonly result: string;
  readonly run: () => Promise<void>;
}

/** What became of the steps. */
export interface Outcome {
  /** `Ada Abbott (ada@acme.test, user_ada) is now read`, for each step that succeeded. */
  readonly done: readonly string[];
  readonly failed: readonly Failed[];
}

export interface Failed {
  readonly name: string;
  readonly error: unknown;
}

/** As many as the limiter ever lets through at once; what waits here has not begun, and need not. */
const atOnce = 64;
/** A message names this many; nobody reads more. */
const mostNamed = 50;

/**
 * Carries out all steps and tells which ones failed. Who gets an office comes first; those who lose it wait for each other
 * anyway. What fails for everybody, as a token does, ends it. `missing` are people who are to have the office and can not.
 */
export async function carryOut(steps: readonly Step[], missing: readonly string[] = []): Promise<Outcome> {
  const failed: Failed[] = [];
  const done: string[] = [];
  const noted = steps.map((step): Step => {
    const run = () => step.run().then(() => void done.push(`${step.name} ${step.result}`));
    return { ...step, run };
  });
  const of = (office: Step["office"]) => noted.filter((step) => step.office === office);
  await sideBySide(of("gives"), failed);
  const without = [...missing, ...failed.map(({ name }) => name)];
  const takes = of("takes").map((step) => (without.length > 0 ? kept(step, without) : step));
  await Promise.all([sideBySide(of(undefined), failed), sideBySide(takes, failed)]);
  return { done, failed };
}

/** Nobody loses the office while somebody who is to have it does not. */
function kept({ name, result }: Step, without: readonly string[]): Step {
  const run = () =>
    Promise.reject(new DocsError(`${name} stays an administrator until ${enumerated(without)} can become one`));
  return { name, result, run };
}

async function sideBySide(steps: readonly Step[], failed: Failed[]): Promise<void> {
  const waiting = steps.values();
  const worker = async () => {
    for (const { name, run } of waiting) {
      if (failed.some(({ error }) => failsForAll(error))) return;
      await run().catch((error) => void failed.push({ name, error }));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, steps.length) }, worker));
}

const failsForAll = (error: unknown): boolean => isUnauthorized(error) || error instanceof ConnectionError;

/**
 * What is said when some of many failed: each reason with whom it is about, or the one reason that holds for all; then those
 * who were changed already.
 */
export function failureOf(failed: readonly Failed[], done: readonly string[], rest = "the rest was"): unknown {
  const common = failed.find(({ error }) => failsForAll(error)) ?? (failed.length === 1 ? failed[0] : undefined);
  const already = done.length > 0 ? `\nchanged already: ${enumerated(done, "; ")}` : "";
  if (common) return withName(common, already);
  const reasons = [...byReason(failed)];
  const lines = reasons.slice(0, mostNamed).map((one) => `- ${one}`);
  if (reasons.length > mostNamed) lines.push(`- and ${reasons.length - mostNamed} more`);
  const text = `not everything could be done; ${rest}, and the next run tries these again:\n${lines.join("\n")}`;
  const message = text + already;
  // Of the one reason, what kind it is says more to whoever shows it.
  const [first] = failed;
  if (reasons.length > 1 || !(first?.error instanceof DocsError)) return new DocsError(message);
  return Object.assign(ownError(first.error), { message });
}

/** Each reason once, after those whom it is about. */
function byReason(failed: readonly Failed[]): string[] {
  const names = new Map<string, string[]>();
  for (const one of failed) names.set(messageOf(one), [...(names.get(messageOf(one)) ?? []), one.name]);
  return [...names].map(([message, about]) => textOf({ name: enumerated(about), error: message }));
}

function withName(failed: Failed, already: string): unknown {
  const { error } = failed;
  return error instanceof DocsError ? Object.assign(ownError(error), { message: textOf(failed) + already }) : error;
}

/** Most messages name the person themselves. */
function textOf({ name, error }: Failed): string {
  const message = messageOf({ error });
  return message.startsWith(name) ? message : `${name}: ${message}`;
}

const messageOf = ({ error }: Pick<Failed, "error">): string =>
  error instanceof Error ? error.message : String(error);

/** `a, b and 3 more`. */
export function enumerated(names: readonly string[], separator = ", "): string {
  const more = names.length - mostNamed;
  const shown = names.slice(0, mostNamed).join(separator);
  return more > 0 ? `${shown} and ${more} more` : shown;
}
