import { isDeepStrictEqual } from "node:util";
import { patternKeys } from "../../access/patterns";
import { isSameRole } from "../../access/roles";
import { sameMeaning } from "../../api/groups/rich-text";
import { meanings } from "../../resources/meanings";
import { namesIn, sameCertificate } from "../../resources/saml-provider/certificate";
import { sameClaims, sameSchema } from "../../resources/site-adaptive-schema/breaking";
import { containsUnknown, type Equal, type Properties } from "../../run/properties";
import type { Cause } from "./access";
import { containsSecret, isUnseen, secretValue, unknownValue } from "./masks";
import type { Moment, Operation, Preview, Resource } from "./preview";

/** A property that differs, values as they may be shown: masked, a certificate by its fingerprint. */
export interface PropertyChange {
  readonly name: string;
  /** Absent where it was not declared, or the resource was not there. */
  readonly before?: unknown;
  readonly after?: unknown;
  /** What the state has, where somebody has changed it since. */
  readonly recorded?: unknown;
  /** It says how the package works, and sends nothing to the service. */
  readonly option: boolean;
  /** It says which people are managed: what that sends stands with the people. */
  readonly selection?: true;
  /** URNs of the resources that a value comes from that is known only during the up. */
  readonly sources?: readonly string[];
}

/** A resource that is created, changed, replaced or deleted. */
export interface ResourceChange {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** What people know it by: a title, a label, languages. */
  readonly title?: string;
  readonly id?: string;
  readonly operation: Exclude<Operation, "same">;
  readonly cause: Cause;
  readonly properties: readonly PropertyChange[];
  /** Others have its type and name: the name says below which parents it is. */
  readonly shared?: true;
  /** The engine only forgets it (`retainOnDelete`). */
  readonly retained?: true;
  /** A part of the change does not show: a secret may differ, or nothing differs that the preview shows. */
  readonly unseen?: true;
}

const equal: Readonly<Record<string, Equal>> = {
  certificate: sameCertificate,
  defaultRole: isSameRole,
  instructions: sameMeaning,
  jsonSchema: sameSchema,
  claims: sameClaims,
  unsignedClaims: sameClaims,
  spaces: (a, b) => isDeepStrictEqual([...asList(a)].sort(), [...asList(b)].sort()),
};
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

/** What happens to a resource beside the access that it gives; `undefined` where nothing does. */
export function changeOf(resource: Resource, { refreshed }: Preview): ResourceChange | undefined {
  const { operation, urn, type, name, id, recorded, live, declared, shared, retained } = resource;
  if (operation === "same") return undefined;
  const properties = propertiesOf(resource);
  const again = operation === "create" && refreshed && recorded !== undefined;
  const title = titleOf({ ...live?.inputs, ...recorded?.inputs, ...declared });
  const unseen = operation === "update" && (properties.length === 0 || containsSecret(declared));
  return {
    urn,
    type,
    name,
    ...(title !== undefined && { title }),
    ...(id !== undefined && { id }),
    operation,
    cause: again ? "drift" : causeOf(properties),
    properties,
    ...(shared && { shared }),
    ...(retained && ["delete", "replace"].includes(operation) && { retained: true as const }),
    ...(unseen && { unseen: true as const }),
  };
}

function propertiesOf(resource: Resource): PropertyChange[] {
  const { operation, recorded, live, declared } = resource;
  if (operation === "delete") return [];
  const before = operation === "create" ? {} : (live?.inputs ?? {});
  const state = recorded && operation !== "create" ? recorded : undefined;
  const names = [...new Set([...Object.keys(before), ...Object.keys(declared ?? {})])].sort(mostImportantFirst);
  return names
    .filter((name) => !same(name, before[name], declared?.[name]) && !sameIgnored(resource, name))
    .map((name) => propertyOf(name, before, resource, state));
}

/** The same people are ignored, in another order or case. */
function sameIgnored({ ours, operation, live, declared }: Resource, name: string): boolean {
  const [before, after] = [live?.inputs.ignore, declared?.ignore];
  if (!ours || name !== "ignore" || operation === "create" || isUnseen(before) || isUnseen(after)) return false;
  const keys = patternKeys(before);
  return keys !== undefined && isDeepStrictEqual(keys, patternKeys(after));
}

/** Who can open a site comes before everything else. */
const important = ["visibility", "published", "proxy"];

function mostImportantFirst(a: string, b: string): number {
  const weight = (name: string) => (important.includes(name) ? important.indexOf(name) : important.length);
  return weight(a) - weight(b) || (a < b ? -1 : a > b ? 1 : 0);
}

function propertyOf(
  name: string,
  before: Properties,
  { ours, type, declared: after = {}, sources }: Resource,
  state: Moment | undefined,
): PropertyChange {
  const meaning = ours ? meanings[type]?.[name] : undefined;
  const origin = containsUnknown(after[name]) ? sources?.[name] : undefined;
  const drifted = state !== undefined && !same(name, state.inputs[name], before[name]);
  const side = (key: string, properties: Properties) =>
    properties[name] === undefined ? {} : { [key]: shown(name, properties[name]) };
  return {
    name,
    ...side("before", before),
    ...side("after", after),
    ...(drifted && { recorded: shown(name, state.inputs[name] ?? null) }),
    option: meaning === "option",
    ...(meaning === "selection" && { selection: true as const }),
    ...(origin && { sources: origin }),
  };
}

export function same(name: string, a: unknown, b: unknown): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (isDeepStrictEqual(a, b)) return !containsUnknown(b);
  if ([a, b].some((value) => containsUnknown(value) || containsSecret(value))) return false;
  return equal[name]?.(a, b) ?? false;
}

/** Stands between certificates where all of them are one value. */
export const betweenCertificates = " and ";

export function shown(name: string, value: unknown): unknown {
  if (name !== "certificate" || typeof value !== "string" || [secretValue, unknownValue].includes(value)) return value;
  const names = namesIn(value);
  return names.length === 0 ? "(not a certificate)" : names.join(betweenCertificates);
}

function causeOf(properties: readonly PropertyChange[]): Cause {
  const drifted = properties.filter((one) => "recorded" in one);
  if (drifted.length === 0) return "declared";
  const back = drifted.every(({ recorded, after }) => isDeepStrictEqual(recorded, after ?? null));
  return back && drifted.length === properties.length ? "drift" : "both";
}

/** Secrets and values that are not known yet have no title. */
function titleOf({ title, label, source, language, siteId }: Properties): string | undefined {
  const name = [title, label].find((one) => typeof one === "string");
  if (typeof name === "string") return name === unknownValue || name === secretValue ? undefined : name;
  const from = (source as Properties | undefined)?.space;
  if (typeof from === "string" && typeof language === "string") return `${from} in ${language}`;
  return typeof siteId === "string" && siteId !== unknownValue && siteId !== secretValue ? siteId : undefined;
}
