import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import type { ResourceManager } from "../../access/management";
import { type AnyDefinition, warningsOf } from "../../lifecycle/definition";
import { declareManager } from "../../lifecycle/manager";
import { providerKey } from "../../lifecycle/state";
import { refuseConfiguration } from "../../program/configuration";
import { programRun, urnOf } from "../../program/program-run";
import { runError } from "../../program/run-error";
import { isTransformed, packageOf } from "../../program/sdk-internals";
import { keepSourceFrames } from "../../program/source-frames";
import type { Arguments, ResourceOf } from "../../program/types";
import { servicesKey } from "../../run/origin";
import { defined, failuresOf, type Properties, pickAll, unknownValue } from "../../run/properties";
import { runScoped } from "../../run/run";
import { typeIn } from "../../run/urn";
import { warnOfRename } from "./preview-warnings";
import { readKnowledge } from "./stack-resources";
import { stubOf } from "./stub";

export type ResourceClass<Inputs, Outputs> = new (
  name: string,
  args: Arguments<Inputs>,
  options?: pulumi.CustomResourceOptions,
) => ResourceOf<Inputs, Outputs>;

/** A schema of these properties. An editor shows their interface (see `arguments.ts`) with its descriptions. */
type SchemaOf<Properties> = z.ZodObject & { readonly _zod: { readonly output: Properties } };

/**
 * Makes the class that programs use, with typed arguments, typed outputs, and the stub's text for the engine.
 * @internal
 */
export function resourceClass<Inputs, Outputs>(
  kind: string,
  load: () => { readonly inputs: SchemaOf<Inputs>; readonly outputs: SchemaOf<Outputs> },
): ResourceClass<Inputs, Outputs> {
  const loadDefinition = load as () => AnyDefinition;
  const type = typeIn("dynamic", kind);
  const stub = stubOf(kind);
  return class extends pulumi.CustomResource {
    constructor(name: string, args: Arguments<Inputs>, options: pulumi.CustomResourceOptions = {}) {
      refuseConfiguration();
      refuseImpossibleOptions(`${kind} "${name}"`, options);
      const definition = loadDefinition();
      const manager = { name: `${kind} "${name}"`, position: urnOf(type, name, options.parent) };
      const knownArgs = knownIn(args);
      const restore = keepSourceFrames(__filename);
      try {
        const properties = {
          ...pickAll({}, Object.keys(definition.outputs.shape)),
          // The state has the organization also if the program does not declare it.
          organizationId: undefined,
          ...args,
          [providerKey]: stub,
          // A program with mocks instead of the engine writes to no service.
          [servicesKey]: pulumi.runtime.getEngine() && readKnowledge(definition, manager, knownArgs),
        };
        super(type, name, properties, options);
      } finally {
        restore();
      }
      // With mocks, nothing calls `check`, and the test of a program would not notice a mistake. A transformation may still
      // change the arguments, so nothing is known about them here.
      if (!pulumi.runtime.getEngine() && !isTransformed(this)) refuseMistakes(definition, manager, knownArgs);
      tell(this, uselessOptions(options));
      // The SDK would treat the output of an undeclared property as "not known yet" at every preview.
      const absent = Object.keys(definition.inputs.shape).filter((input) => !(input in this));
      for (const input of absent) Reflect.set(this, input, absentIn(programRun()));
      warnOfRename(definition, this, args);
      if (definition.warnings) pulumi.output(args).apply((declared) => tell(this, warningsOf(definition, declared)));
    }
  } as unknown as ResourceClass<Inputs, Outputs>;
}

/** Shared by all absent properties: an output consists of several promises, and most programs omit many properties. */
const absentIn = runScoped(() => pulumi.output(undefined));

/** Replaces values that are known later with the mark for unknown values; `check` validates them when they are known. */
function knownIn(value: unknown): Properties {
  const plain = (inner: unknown): unknown => {
    if (typeof inner !== "object" || inner === null) return inner;
    if (pulumi.Output.isInstance(inner) || pulumi.Resource.isInstance(inner) || isPromise(inner)) return unknownValue;
    if (Array.isArray(inner)) return inner.map(plain);
    return Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, plain(one)]));
  };
  return plain(value ?? {}) as Properties;
}

/** The package of the engine's provider for dynamic resources. */
const dynamicPackage = "pulumi-nodejs";

/** Refuses options that dynamic resources cannot support: the engine would make calls that the provider cannot answer. */
function refuseImpossibleOptions(label: string, { import: imported, id }: pulumi.CustomResourceOptions): void {
  if (imported === undefined && id === undefined) return;
  const [option, verb] = imported === undefined ? ["id", "read"] : ["import", "import"];
  throw runError(
    `${label}: option ${option}: the engine cannot ${verb} a dynamic resource by its id; use ` +
      "pulumi import --file (see node_modules/pulumi-docs-org/docs/guides/take-over.md)",
  );
}

/** Warns of options that have no effect on a dynamic resource, although the program may rely on them. */
function uselessOptions({ replaceOnChanges = [], provider }: pulumi.CustomResourceOptions): string[] {
  const replacing =
    "option replaceOnChanges has no effect, because the engine does not apply it to dynamic resources; the reference says which " +
    "changes replace the resource";
  const providing =
    "option provider has no effect, because dynamic resources have no provider object; the settings name the service and the " +
    "token; for another organization, use organizationId and DOCS_TOKEN_<ORGANIZATION_ID>";
  return [
    ...(replaceOnChanges.length > 0 ? [replacing] : []),
    ...(provider !== undefined && packageOf(provider) !== dynamicPackage ? [providing] : []),
  ];
}

function refuseMistakes(definition: AnyDefinition, manager: ResourceManager, known: Properties): void {
  const failures = failuresOf(definition.inputs, defined(known));
  const mistakes = failures.map(({ property, reason }) => [manager.name, property, reason].filter(Boolean).join(": "));
  const refusal = declareManager(programRun(), definition, manager, known);
  if (refusal !== undefined) mistakes.push(refusal);
  if (mistakes.length > 0) throw runError(mistakes.join("\n"));
}

const isPromise = (value: object): boolean => "then" in value && typeof value.then === "function";

function tell(resource: pulumi.Resource, texts: readonly string[]): void {
  // After the registration: the SDK reports an error for a message about a resource that was refused.
  for (const text of texts) resource.urn.apply(() => pulumi.log.warn(text, resource));
}
