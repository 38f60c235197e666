import * as definitions from "../../definitions";
import { type AnyDefinition, metaOf } from "../../lifecycle/definition";
import type { ReviewPart } from "../../lifecycle/review";
import type { Resource } from "./preview";

const byName: ReadonlyMap<string, AnyDefinition> = new Map(Object.entries(definitions));

/** What a resource of this package is; none for what other packages declare, and for what a newer version of this one has. */
export function definitionOf({ ours, component, type }: Pick<Resource, "ours" | "component" | "type">) {
  return ours && !component ? byName.get(type) : undefined;
}

/** How the definition of this name tells of its resources. */
export const reviewPartOf = (type: string): ReviewPart => byName.get(type)?.review ?? {};

/** Whether resources of this name manage everybody in a team. */
export const managesWholeTeam = (type: string): boolean => byName.get(type)?.wholeArea !== undefined;

/** The kinds of objects that an audit compares, in the order of their definitions. */
export const auditedKinds: readonly string[] = [...byName.values()].flatMap(({ audit }) => audit?.kind ?? []);

/** The inputs of a sign-in with what people get by it. */
export const signInInputs: readonly string[] = [...byName.values()].flatMap(({ review }) =>
  review?.signIn ? [review.signIn.role, review.signIn.team] : [],
);

/** What an input is that is no property of the service. */
export function inputKindOf(definition: AnyDefinition | undefined, name: string): "option" | "selection" | undefined {
  const { option, selection } = (definition && metaOf(definition, name)) ?? {};
  return option ? "option" : selection ? "selection" : undefined;
}

/** How the value of an input is shown. What nobody knows is shown as an input of that name: it may be a certificate as well. */
export function shownBy(definition: AnyDefinition | undefined, name: string): ((value: string) => string) | undefined {
  return definition ? definition.review?.shown?.[name] : shownAnywhere[name];
}

const shownAnywhere = Object.assign({}, ...[...byName.values()].map(({ review }) => review?.shown)) as NonNullable<
  ReviewPart["shown"]
>;
