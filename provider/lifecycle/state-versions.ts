import { DocsError } from "../api/http/errors";
import type { Properties } from "../run/properties";

/** Converts the outputs of a resource to the next version; returns them unchanged if the step does not concern the resource. */
export type StateStep = (resource: string, outputs: Properties) => Properties;

/**
 * The first step converts version 1 to version 2. A released step is never changed or removed, because stored states need it.
 * When the shape of the state changes, a new step is added at the end.
 */
const steps: readonly StateStep[] = [];

/** The output that records which version wrote the state. The first version needs none, which saves 14 bytes for each resource. */
export const versionKey = "__version";
const versionAfter = (known: readonly StateStep[]): number => known.length + 1;
export const stateVersion = versionAfter(steps);
export const versionMark: Properties = stateVersion === 1 ? {} : { [versionKey]: stateVersion };

/** Converts outputs of any earlier version to the current one; outputs without a version are of the first one. */
export function upgrade(resource: string, outputs: Properties, known: readonly StateStep[] = steps): Properties {
  const { [versionKey]: found = 1 } = outputs;
  const current = versionAfter(known);
  if (!isVersion(found) || found > current) throw unknownVersion(resource, found, current);
  const upgraded = known.slice(found - 1).reduce((before, step) => step(resource, before), outputs);
  return { ...upgraded, [versionKey]: current };
}

const isVersion = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 1;

function unknownVersion(resource: string, found: unknown, current: number): DocsError {
  return new DocsError(
    `${resource}: its state has version ${JSON.stringify(found)}, but this pulumi-docs-org knows only versions up to ` +
      `${current}, so a newer release wrote it; install the release that last changed the stack, or a newer one: ` +
      "npm install pulumi-docs-org@latest",
  );
}
