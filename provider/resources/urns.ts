import { prefixes, typeAt } from "../run/urn";
import { type ResourceName, resourceNames } from "./names";

export interface OwnType {
  readonly name: string;
  readonly isComponent: boolean;
}

/** Returns `undefined` for a type of another package. Components have the prefix of the plugin, also those of programs. */
export function ownTypeOf(type: string): OwnType | undefined {
  if (type.startsWith(prefixes.dynamic)) return { name: type.slice(prefixes.dynamic.length), isComponent: false };
  if (!type.startsWith(prefixes.plugin)) return undefined;
  const name = type.slice(prefixes.plugin.length);
  return { name, isComponent: !(resourceNames as readonly string[]).includes(name) };
}

export const isComponentAt = (urn: string): boolean => ownTypeOf(typeAt(urn))?.isComponent === true;

/** The name of the resource that a URN is of; `undefined` for components, and for resources of other packages. */
export function resourceAt(urn: string): ResourceName | undefined {
  const ownType = ownTypeOf(typeAt(urn));
  return ownType && !ownType.isComponent ? (ownType.name as ResourceName) : undefined;
}
