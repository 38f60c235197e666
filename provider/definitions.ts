import type { AnyDefinition } from "./lifecycle/definition";
import * as resources from "./resources";

export type ResourceName = keyof typeof resources;

/**
 * The definition of every resource, by the name of its class.
 * @internal
 */
export const definitions: Readonly<Record<ResourceName, AnyDefinition>> = resources;
