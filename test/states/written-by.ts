import { providerKey } from "../../provider/lifecycle/state";
import type { ResourceState } from "../../scripts/stack";
import { componentEntry, programOf, type StateDeclaration } from "./everything";
import type { SavedResource } from "./exported";

export const kindOf = ({ type }: ResourceState) => /^pulumi-nodejs:dynamic\/docs:(\w+)$/.exec(type)?.[1];
export const resourcesIn = (state: string): SavedResource[] => JSON.parse(state).deployment.resources;

/** What the program that wrote a state declared. */
export function declaredInState(state: string): StateDeclaration[] {
  return resourcesIn(state).flatMap((one) => {
    const resource = kindOf(one);
    if (resource === undefined) return [];
    const { [providerKey]: _, ...declares } = one.inputs;
    const parent = one.parent?.includes(componentEntry.component) ? componentEntry.name : undefined;
    return [{ resource, name: String(one.urn.split("::").at(-1)), declares, parent }];
  });
}

/** That program, in TypeScript. */
export const writtenBy = (state: string): { text: string } => programOf(declaredInState(state));
