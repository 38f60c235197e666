import { type Notes, urnOf } from "./component";
import type { Recorded, Stack } from "./stack";

export type States = ReadonlyMap<string, Recorded>;

/** The preview that the engine prints for the declared resources, from the states before and after its refresh. */
export function previewOf(
  before: States,
  { recorded, resources }: Pick<Stack, "recorded" | "resources">,
  changing: readonly string[],
  notes: readonly Notes[] = [],
): string {
  const stateOf = (name: string, one: Recorded | undefined) =>
    one && {
      id: one.id,
      inputs: one.properties,
      outputs: one.properties,
      urn: urnOf(one.resource, bare(name, one.resource)),
    };
  const bare = (name: string, resource: string) => name.slice(resource.length + 1);
  const declared = new Map(resources.map((one) => [one.name, one]));
  const names = [...new Set([...declared.keys(), ...recorded.keys()])];
  const refreshes = [...before].map(([name, one]) => ({
    op: "refresh",
    urn: urnOf(one.resource, bare(name, one.resource)),
    oldState: stateOf(name, one),
    newState: stateOf(name, recorded.get(name)),
  }));
  const steps = names.map((name) => {
    const own = declared.get(name);
    const old = recorded.get(name);
    const resource = own?.resource ?? old?.resource ?? "";
    const urn = urnOf(resource, bare(name, resource));
    const op = !own ? "delete" : !old ? "create" : changing.includes(name) ? "update" : "same";
    return {
      op,
      urn,
      ...(old && { oldState: stateOf(name, old) }),
      ...(own && { newState: { urn, inputs: own.inputs } }),
    };
  });
  const components = notes.map(({ type, name, inputs }) => {
    const urn = `urn:pulumi:test::project::docs:index:Organization$${type}::${name}`;
    return { op: "create", urn, newState: { urn, custom: false, inputs } };
  });
  return JSON.stringify({ steps: [...refreshes, ...steps, ...components], changeSummary: {} });
}
