import * as pulumi from "@pulumi/pulumi";
import { perRun } from "../../run/run";
import { keepLateHandlingQuiet } from "./late-rejections";
import { programRun } from "./program-run";
import { runError } from "./run-error";
import { hasTransforms, isInlineProgram } from "./sdk-internals";

interface Admission {
  mistakes: string[];
  /** A transform may still mend these, so only `check` can judge them if the program has one. */
  inValues: string[];
  /** Of the resources that the program declares now, before it waits for anything. */
  gate?: Promise<void> | undefined;
  refusal?: pulumi.RunError;
}

const admissionIn = perRun((): Admission => ({ mistakes: [], inValues: [] }));

/** Lines of one error: who has made more mistakes than these knows enough for now. */
const mostShown = 50;

/**
 * Reports what is wrong with a declaration, together with the mistakes of all other resources that the program declares by
 * then. The constructor throws it if the program has mocks in the place of the engine, or runs inside another program.
 */
export function reportMistakes(mistakes: readonly string[], inValues: readonly string[] = []): void {
  if (mistakes.length + inValues.length === 0) return;
  if (!canWait()) throw refused([...mistakes, ...inValues]);
  admissionIn(programRun()).mistakes.push(...mistakes);
  admissionIn(programRun()).inValues.push(...inValues);
}

/**
 * A unit test would not notice an error that comes later, and an inline program of the Automation API would wait for ever for
 * a resource whose inputs are refused.
 */
const canWait = (): boolean => pulumi.runtime.getEngine() !== undefined && !isInlineProgram();

/**
 * The value, once the program has declared what it declares at this moment. The engine hears of a resource only when all its
 * inputs are known; so if there are mistakes, it hears of none, and shows one error, which all of them share.
 */
export function admitted<T>(value: T): T | Promise<T> {
  if (!canWait()) return value;
  const admission = admissionIn(programRun());
  admission.gate ??= new Promise((resolve) => setImmediate(resolve)).then(() => close(admission));
  return admission.gate.then(() => value);
}

function close(admission: Admission): void {
  const { refusal } = admission;
  const mistakes = [...admission.mistakes, ...(hasTransforms() ? [] : admission.inValues)];
  Object.assign(admission, { gate: undefined, mistakes: [], inValues: [] });
  if (mistakes.length > 0) admission.refusal = refused(mistakes);
  // What a program declares later is not carried out either.
  else if (refusal === undefined) return;
  throw admission.refusal;
}

function refused(mistakes: readonly string[]): pulumi.RunError {
  keepLateHandlingQuiet();
  const more = mistakes.length - mostShown;
  const text = [...mistakes.slice(0, mostShown), ...(more > 0 ? [`and ${more} more mistakes`] : [])].join("\n");
  // Once the program has run to its end, the SDK prints the stack of a RunError as well; and it puts the name of the input in
  // front of the message, which says nothing to the user.
  const error = runError(text);
  return Object.defineProperty(error, "message", { get: () => text, set: () => undefined });
}
