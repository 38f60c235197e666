import { isDeepStrictEqual } from "node:util";
import type { AnyDefinition } from "../../lifecycle/definition";
import type { Operation, PropertyChange, ResourceSnapshot, Titled } from "../../lifecycle/review";
import { compareKeys } from "../../people/user";
import {
  containsSecret,
  containsUnknown,
  type Properties,
  sameValue,
  secretValue,
  unknownValue,
} from "../../run/properties";
import type { Cause } from "./access";
import { definitionOf, inputKindOf, shownBy } from "./definitions";
import type { Preview, Resource } from "./preview";

export interface ResourceChange extends Titled {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly operation: Exclude<Operation, "same">;
  readonly cause: Cause;
  readonly properties: readonly PropertyChange[];
  /** The option because of which a deletion only removes the resource from the state. */
  readonly retained?: string;
  /** The preview does not show a part of the change: a secret may differ, or no visible property differs. */
  readonly unseen?: true;
}

/** Whether this up only sets back what was changed outside Pulumi. */
export const isSetBack = ({ cause }: ResourceChange): boolean => cause === "drift";

/** The change of a resource apart from access; `undefined` if there is none. */
export function changeOf(resource: Resource, { refreshed }: Pick<Preview, "refreshed">): ResourceChange | undefined {
  const { operation, urn, type, name, id, recorded, declared, shared, retained } = resource;
  if (operation === "same") return undefined;
  const properties = propertiesOf(resource);
  const isRecreated = operation === "create" && refreshed && recorded !== undefined;
  const title = titleOf(resource);
  const unseen = operation === "update" && (properties.length === 0 || containsSecret(declared));
  return {
    urn,
    type,
    name,
    title,
    id,
    operation,
    cause: isRecreated ? "drift" : causeOf(properties),
    properties,
    shared,
    ...(retained && ["delete", "replace"].includes(operation) && { retained }),
    ...(unseen && { unseen: true as const }),
  };
}

function propertiesOf(resource: Resource): PropertyChange[] {
  const { operation, recorded, live, declared } = resource;
  if (operation === "delete") return [];
  const before = live?.inputs ?? {};
  const state = recorded && operation !== "create" ? recorded : undefined;
  const names = [...new Set([...Object.keys(before), ...Object.keys(declared ?? {})])].sort(mostImportantFirst);
  const definition = definitionOf(resource);
  return names
    .filter((name) => !same(definition, name, before[name], declared?.[name]))
    .map((name) => propertyOf(name, before, resource, state));
}

/** Properties that decide who can open a site; they come first. */
const important = ["visibility", "published", "proxy"];

function mostImportantFirst(a: string, b: string): number {
  const weight = (name: string) => (important.includes(name) ? important.indexOf(name) : important.length);
  return weight(a) - weight(b) || compareKeys(a, b);
}

function propertyOf(
  name: string,
  before: Properties,
  resource: Resource,
  state: ResourceSnapshot | undefined,
): PropertyChange {
  const { declared: after = {}, sources } = resource;
  const definition = definitionOf(resource);
  const inputKind = inputKindOf(definition, name);
  const origin = containsUnknown(after[name]) ? sources?.[name] : undefined;
  const isDrifted = state !== undefined && !same(definition, name, state.inputs[name], before[name]);
  return {
    name,
    ...(before[name] !== undefined && { before: shownProperty(definition, name, before[name]) }),
    ...(after[name] !== undefined && { after: shownProperty(definition, name, after[name]) }),
    ...(isDrifted && { recorded: shownProperty(definition, name, state.inputs[name] ?? null) }),
    option: inputKind === "option",
    ...(inputKind === "selection" && { selection: true as const }),
    ...(origin && { sources: origin }),
  };
}

/** Whether two values of an input mean the same to the resource. */
function same(definition: AnyDefinition | undefined, name: string, a: unknown, b: unknown): boolean {
  // Two values that are not known yet may differ.
  if (isDeepStrictEqual(a, b)) return !containsUnknown(b);
  if (containsSecret([a, b])) return false;
  try {
    return sameValue(definition?.equal, name, a, b);
  } catch {
    // A state that was edited by hand may have values of any type.
    return false;
  }
}

export function shownProperty(definition: AnyDefinition | undefined, name: string, value: unknown): unknown {
  if (typeof value !== "string" || [secretValue, unknownValue].includes(value)) return value;
  return shownBy(definition, name)?.(value) ?? value;
}

function causeOf(properties: readonly PropertyChange[]): Cause {
  const drifted = properties.filter((one) => "recorded" in one);
  if (drifted.length === 0) return "declared";
  const areSetBack = drifted.every(({ recorded, after }) => isDeepStrictEqual(recorded, after ?? null));
  return areSetBack && drifted.length === properties.length ? "drift" : "both";
}

/** The title of a resource; `undefined` if it is secret or not known yet. */
export function titleOf(resource: Resource): string | undefined {
  const { recorded, live, declared } = resource;
  const properties = { ...live?.inputs, ...recorded?.inputs, ...declared };
  const title = (definitionOf(resource)?.review?.title ?? titleOrLabel)(properties);
  return typeof title === "string" && title !== unknownValue && title !== secretValue ? title : undefined;
}

const titleOrLabel = ({ title, label }: Properties): unknown => [title, label].find((one) => typeof one === "string");
