import * as pulumi from "@pulumi/pulumi";
import { perRun } from "../../run/run";
import { keepLateHandlingQuiet } from "./late-rejections";
import { programRun } from "./program-run";
import { runError } from "./run-error";
import { hasTransforms, isInlineProgram } from "./sdk-internals";

interface Admission {
  mistakes: string[];
  /** Mistakes that a transform of the program may still correct: if there is one, only `check` reports them. */
  inValues: string[];
  /** Mistakes in the resources that the program declares before it next waits for anything. */
  gate?: Promise<void> | undefined;
  refusal?: pulumi.RunError;
}

const admissionIn = perRun((): Admission => ({ mistakes: [], inValues: [] }));

/** The maximum number of mistakes in one error. */
const mostShown = 50;

/**
 * A unit test would not notice an error that comes later, and an inline program of the Automation API would wait for ever for
 * a resource whose inputs are refused.
 */
const canWait = (): boolean => pulumi.runtime.getEngine() !== undefined && !isInlineProgram();

/**
 * Reports the mistakes in a declaration, and returns the value once the program waits: together with the mistakes of all
 * resources that it has declared until then. The engine gets a resource only when all its inputs are known, so if there are
 * mistakes, it gets no resource, and shows one error for all of them. `check` would see one resource after another. If the
 * program uses mocks instead of the engine, or runs inside another program, the constructor throws the error.
 */
export function admit<T>(value: T, mistakes: readonly string[], inValues: readonly string[]): T | Promise<T> {
  if (!canWait()) {
    if (mistakes.length + inValues.length > 0) throw refused([...mistakes, ...inValues]);
    return value;
  }
  const admission = admissionIn(programRun());
  admission.mistakes.push(...mistakes);
  admission.inValues.push(...inValues);
  admission.gate ??= new Promise((resolve) => setImmediate(resolve)).then(() => close(admission));
  return admission.gate.then(() => value);
}

function close(admission: Admission): void {
  const mistakes = [...admission.mistakes, ...(hasTransforms() ? [] : admission.inValues)];
  Object.assign(admission, { gate: undefined, mistakes: [], inValues: [] });
  if (mistakes.length > 0) admission.refusal = refused(mistakes);
  // Resources that the program declares later are refused as well.
  if (admission.refusal) throw admission.refusal;
}

function refused(mistakes: readonly string[]): pulumi.RunError {
  keepLateHandlingQuiet();
  const more = mistakes.length - mostShown;
  const text = [...mistakes.slice(0, mostShown), ...(more > 0 ? [`and ${more} more mistakes`] : [])].join("\n");
  // Once the program has run to its end, the SDK prints the stack of a RunError as well. It also puts the name of the internal
  // input before the message, and the user does not know that name.
  return Object.defineProperty(runError(text), "message", { get: () => text, set: () => undefined });
}
