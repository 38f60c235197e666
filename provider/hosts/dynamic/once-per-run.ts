import type * as pulumi from "@pulumi/pulumi";
import { currentRun, typesTo } from "./sdk-internals";

const withoutEngine = {};

/**
 * What lives as long as one run of a program. Programs of the Automation API run in one process, one after another, and so do
 * the unit tests of a program: each run has a connection to the engine of its own, or mocks of its own.
 */
export function oncePerRun<T>(make: () => T): () => T {
  const made = new WeakMap<object, { readonly value: T }>();
  return () => {
    const run = currentRun() ?? withoutEngine;
    const known = made.get(run) ?? { value: make() };
    made.set(run, known);
    return known.value;
  };
}

/**
 * Where a resource is: the types of the components above it, its type and its name, which make its URN. The engine refuses a
 * second resource in the same place; with mocks, the second one is the same program, built once more.
 */
export function placeOf(type: string, name: string, parent: pulumi.Resource | undefined): string {
  return JSON.stringify([...typesTo(parent), type, name]);
}
