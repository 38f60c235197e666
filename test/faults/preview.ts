import { type Notes, urnOfChild } from "./component";
import type { FaultStack, RecordedObject } from "./stack";

export type States = ReadonlyMap<string, RecordedObject>;

/** The preview that the engine prints for the declared resources, from the states before and after its refresh. */
export function previewOf(
  before: States,
  { recorded, resources }: Pick<FaultStack, "recorded" | "resources">,
  changing: readonly string[],
  notes: readonly Notes[] = [],
): string {
  // See `keyOf` in component.ts.
  const bare = (name: string, resource: string) => name.slice(resource.length + 1);
  const stateOf = (name: string, one: RecordedObject | undefined) =>
    one && {
      id: one.id,
      inputs: one.properties,
      outputs: one.properties,
      urn: urnOfChild(one.resource, bare(name, one.resource)),
    };
  const declared = new Map(resources.map((one) => [one.name, one]));
  const names = [...new Set([...declared.keys(), ...recorded.keys()])];
  const refreshes = [...before].map(([name, one]) => ({
    op: "refresh",
    urn: urnOfChild(one.resource, bare(name, one.resource)),
    oldState: stateOf(name, one),
    newState: stateOf(name, recorded.get(name)),
  }));
  const steps = names.map((name) => {
    const declaredOne = declared.get(name);
    const recordedOne = recorded.get(name);
    const resource = declaredOne?.resource ?? recordedOne?.resource ?? "";
    const urn = urnOfChild(resource, bare(name, resource));
    return {
      op: operationOf(declaredOne, recordedOne, changing.includes(name)),
      urn,
      ...(recordedOne && { oldState: stateOf(name, recordedOne) }),
      ...(declaredOne && { newState: { urn, inputs: declaredOne.inputs } }),
    };
  });
  const components = notes.map(({ type, name, inputs }) => {
    const urn = `urn:pulumi:test::project::docs:index:Organization$${type}::${name}`;
    return { op: "create", urn, newState: { urn, custom: false, inputs } };
  });
  return JSON.stringify({ steps: [...refreshes, ...steps, ...components], changeSummary: {} });
}

function operationOf(declared: unknown, recorded: unknown, isChanged: boolean): string {
  if (!declared) return "delete";
  if (!recorded) return "create";
  return isChanged ? "update" : "same";
}
