import * as pulumi from "@pulumi/pulumi";
import { DocsError } from "../api/http/errors";
import { Run } from "../run/run";
import { Settings } from "../run/settings";
import { makeUrn } from "../run/urn";
import { Provider } from "./provider";
import { currentRun, knownValue, typesTo } from "./sdk-internals";

/**
 * The runs of programs in this process. Several programs of the Automation API, or several unit tests of a program, can run in
 * one process, one after another. Each has its own connection to the engine, or its own mocks.
 */
const runs = new WeakMap<object, Run>();
const withoutEngine = {};

/** The run of the current program, with the configuration of its stack. */
export function programRun(): Run {
  return runs.get(keyOfProgram()) ?? startRun(new Settings());
}

/** Starts a run with settings from this environment instead of that of the process, for a test of a program. */
export function useSettings(environment: NodeJS.ProcessEnv): void {
  startRun(new Settings(environment));
}

const keyOfProgram = (): object => currentRun() ?? withoutEngine;

function startRun(settings: Settings): Run {
  settings.configure((name) => pulumi.runtime.getConfig(name));
  const run = new Run({ settings });
  run.noteProgram();
  runs.set(keyOfProgram(), run);
  return run;
}

/** A run with the connections of the program's run, and the settings of a provider object. */
export async function runOfProvider(provider: Provider): Promise<Run> {
  const declared = Provider.declaredFor(provider);
  if (!declared)
    throw new DocsError("docs.client: provider is not a provider object; pass one that new docs.Provider(...) made");
  const { name, args } = declared;
  const values = new Map<string, string>();
  for (const [key, input] of Object.entries(args)) {
    const { isKnown, value } = await knownValue(pulumi.output(input));
    if (!isKnown)
      throw new DocsError(
        `docs.client: ${key} of the provider object "${name}" is not known in this preview, because a resource that is yet to be created supplies it; call docs.client only if pulumi.runtime.isDryRun() is false`,
      );
    if (value !== undefined) values.set(`docs:${key}`, typeof value === "string" ? value : JSON.stringify(value));
  }
  const { settings, connections } = programRun();
  return new Run({ settings: settings.ofProviderObject(name, (key) => values.get(key)) }, connections);
}

/**
 * The URN of a resource before the engine returns it. The engine refuses a second resource with the same URN; with mocks, a second
 * one means that the program is built again.
 */
export function urnOf(type: string, name: string, parent: pulumi.Resource | undefined): string {
  return makeUrn({ stack: pulumi.getStack(), project: pulumi.getProject(), above: typesTo(parent), type, name });
}
