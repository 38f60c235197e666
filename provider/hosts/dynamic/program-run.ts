import * as pulumi from "@pulumi/pulumi";
import { Run } from "../../run/run";
import { currentRun, typesTo } from "./sdk-internals";

/**
 * The runs of programs in this process. Programs of the Automation API run in one process, one after another, and so do the
 * unit tests of a program: each has a connection to the engine of its own, or mocks of its own.
 */
const runs = new WeakMap<object, Run>();
const withoutEngine = {};

/** The run of the program that asks, with the configuration of its stack. */
export function programRun(): Run {
  const key = currentRun() ?? withoutEngine;
  const known = runs.get(key);
  if (known) return known;
  const run = new Run();
  run.settings.configure((name) => pulumi.runtime.getConfig(name));
  runs.set(key, run);
  return run;
}

/**
 * Where a resource is: the types of the components above it, its type and its name, which make its URN. The engine refuses a
 * second resource in the same place; with mocks, the second one is the same program, built once more.
 */
export function placeOf(type: string, name: string, parent: pulumi.Resource | undefined): string {
  return JSON.stringify([...typesTo(parent), type, name]);
}
