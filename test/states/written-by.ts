import { providerKey } from "../../provider/lifecycle/state";
import type { ResourceState } from "../../scripts/stack";
import { component, programOf } from "./everything";
import type { SavedResource } from "./portable";

export const kindOf = ({ type }: ResourceState) => /^pulumi-nodejs:dynamic\/docs:(\w+)$/.exec(type)?.[1];
export const resourcesIn = (state: string): SavedResource[] => JSON.parse(state).deployment.resources;

/** The program that a state was written by. */
export function writtenBy(state: string): { text: string } {
  const declarations = resourcesIn(state).flatMap((one) => {
    const resource = kindOf(one);
    if (resource === undefined) return [];
    const { [providerKey]: _, ...declares } = one.inputs;
    const parent = one.parent?.includes(component.component) ? component.name : undefined;
    return [{ resource, name: String(one.urn.split("::").at(-1)), declares, parent }];
  });
  return programOf(declarations);
}
