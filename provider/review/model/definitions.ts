import * as definitions from "../../definitions";
import { type AnyDefinition, metaOf } from "../../lifecycle/definition";
import type { ReviewPart } from "../../lifecycle/review";
import { resourceAt } from "../../resources/urns";
import type { Resource } from "./preview";

const byName: ReadonlyMap<string, AnyDefinition> = new Map(Object.entries(definitions));

/** The definition of a resource; `undefined` for resources of other packages or of a newer version of this package. */
export function definitionOf({ isOwn, component, type }: Pick<Resource, "isOwn" | "component" | "type">) {
  return isOwn && !component ? byName.get(type) : undefined;
}

export const definitionAt = (urn: string): AnyDefinition | undefined => byName.get(resourceAt(urn) ?? "");

/** The kinds of objects that an audit compares, in the order of their definitions. */
export const auditedKinds: readonly string[] = [...byName.values()].flatMap(({ audited }) => audited ?? []);

/** The kind of an input that is not sent to the service; `undefined` for other inputs. */
export function inputKindOf(definition: AnyDefinition | undefined, name: string): "option" | "selection" | undefined {
  const meta = definition && metaOf(definition, name);
  if (meta?.option) return "option";
  return meta?.selection ? "selection" : undefined;
}

/** The function that makes a long value readable, such as a certificate. For a resource without a definition, the name of the input decides. */
export function shownBy(definition: AnyDefinition | undefined, name: string): ((value: string) => string) | undefined {
  return definition ? definition.review?.shown?.[name] : shownAnywhere[name];
}

const shownAnywhere = Object.assign({}, ...[...byName.values()].map(({ review }) => review?.shown)) as NonNullable<
  ReviewPart["shown"]
>;
