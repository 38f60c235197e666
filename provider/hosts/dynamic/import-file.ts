import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { DocsError } from "../../api/http/errors";
import * as definitions from "../../definitions";
import { type AnyDefinition, metaOf } from "../../lifecycle/definition";
import { organizationOf, stateOf } from "../../lifecycle/state";
import type { ResourceName } from "../../resources/names";
import { type Context, connect, explained } from "../../run/context";
import { type Properties, pick } from "../../run/properties";
import { Run } from "../../run/run";
import { inOneLine, mistakesIn, nearest } from "../../text/mistakes";
import { type ImportedResource, importEntry } from "./import-entry";

/** An existing object, and the resource of a program that will manage it. */
export interface ExistingResource {
  /** The class: `Site`, `MemberRole`, ... */
  readonly resource: ResourceName;
  /** The first argument of the class in the program. */
  readonly name: string;
  /** The id at the service; for a `TeamMembership`, team and user (`team_1/user_1`); for a part of a site or a team, the id of that. */
  readonly id: string;
  /**
   * The inputs that the program declares. Required properties may be omitted, because they are read. By default, the program
   * must declare every property that is set.
   */
  readonly inputs?: Properties;
  /** Name of the parent component, which must be in the list. */
  readonly parent?: string;
}

/** A component of the program, as the parent of resources. */
export interface ExistingComponent {
  /** Its type: `docs:index:Organization`. */
  readonly component: string;
  readonly name: string;
  readonly parent?: string;
  /** The inputs that it registers with the engine; most components have none. */
  readonly inputs?: Properties;
}

/** A component, as an entry of the file. */
export interface ImportedComponent {
  readonly type: string;
  readonly name: string;
  /** The name in the program, if `name` is a different one because another entry has the same name. */
  readonly logicalName?: string;
  readonly component: true;
  readonly parent?: string;
  readonly inputs?: Properties;
}

/** The content of the file for `pulumi import --file`, to be written as JSON. */
export interface ImportFile {
  readonly resources: readonly (ImportedResource | ImportedComponent)[];
}

export interface ImportOptions {
  /** By default, the organization of the settings (DOCS_ORGANIZATION_ID). */
  readonly organizationId?: string;
}

type Existing = ExistingResource | ExistingComponent;
type Existings = readonly Existing[];

/**
 * Imports existing objects: returns the content of the file for
 * `pulumi import --file import.json --protect=false --generate-code=false`, which sends no request. The inputs in the file are
 * the live values, so the next preview shows where the program declares other ones. The address and the token come from the
 * environment (DOCS_BASE_URL, DOCS_TOKEN).
 */
export function importFile(existing: Existings, options: ImportOptions = {}): Promise<ImportFile> {
  return importFileIn(new Run(), existing, options);
}

/**
 * As `importFile`, in a run that has already read the organization.
 * @internal
 */
export async function importFileIn(run: Run, existing: Existings, options: ImportOptions): Promise<ImportFile> {
  refuse([...unknownResources(existing), ...wrongParents(existing), ...repeatedNames(existing)]);
  const taken = await Promise.allSettled(
    existing.map(async (one) => {
      return isComponent(one) ? componentEntry(one, existing) : resourceEntry(run, one, existing, options);
    }),
  );
  const failures = taken.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  for (const reason of failures) if (!(reason instanceof DocsError)) throw reason;
  refuse(failures.map(({ message }: DocsError) => message));
  return { resources: taken.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])) };
}

const mostShown = 20;

/** Refuses the list with all its mistakes at once, because it may have thousands of entries. */
function refuse(mistakes: readonly string[]): void {
  if (mistakes.length === 0) return;
  const more = mistakes.length - mostShown;
  throw new DocsError([...mistakes.slice(0, mostShown), ...(more > 0 ? [`and ${more} more`] : [])].join("\n"));
}

const isComponent = (one: Existing): one is ExistingComponent => "component" in one;
const kindOf = (one: Existing): string => (isComponent(one) ? one.component : one.resource);
const called = (one: Existing): string => `${kindOf(one)} "${one.name}"`;

function didYouMean(name: string, names: readonly string[]): string {
  const guess = nearest(name, names);
  return guess === undefined ? `use one of ${names.join(", ")}` : `did you mean "${guess}"?`;
}

function unknownResources(existing: Existings): string[] {
  return existing.flatMap((one) => {
    if (isComponent(one) || Object.hasOwn(definitions, one.resource)) return [];
    return [
      `${called(one)}: there is no resource "${one.resource}"; ${didYouMean(one.resource, Object.keys(definitions))}`,
    ];
  });
}

function wrongParents(existing: Existings): string[] {
  const names = existing.filter(isComponent).map(({ name }) => name);
  return existing.flatMap((one) => {
    const { parent } = one;
    if (parent === undefined || names.includes(parent)) return [];
    const known = names.length > 0 ? didYouMean(parent, names) : "add an entry with component";
    return [`${called(one)}: the list has no component "${parent}"; ${known}`];
  });
}

/** The engine identifies a resource by its type, its name and the types of its parent components, not by the names of these. */
function repeatedNames(existing: Existings): string[] {
  const components = new Map(existing.filter(isComponent).map((one) => [one.name, one]));
  const typesAbove = ({ parent }: Existing, seen: readonly string[] = []): string[] => {
    const above = parent === undefined || seen.includes(parent) ? undefined : components.get(parent);
    return above ? [...typesAbove(above, [...seen, above.name]), above.component] : [];
  };
  const urns = new Set<string>();
  return existing.flatMap((one) => {
    const urn = JSON.stringify(isComponent(one) ? one.name : [...typesAbove(one), one.resource, one.name]);
    const repeated = urns.has(urn);
    urns.add(urn);
    return repeated ? [`${called(one)}: the name is used twice; use a different name for each`] : [];
  });
}

/** The name by which other entries refer to a component. It must be unique in the file. */
function fileName(name: string, existing: Existings): string {
  const alone = existing.filter((one) => one.name === name).length === 1;
  return alone ? name : `component ${name}`;
}

function parentIn({ parent }: Existing, existing: Existings): { parent?: string } {
  return parent === undefined ? {} : { parent: fileName(parent, existing) };
}

function componentEntry(one: ExistingComponent, existing: Existings): ImportedComponent {
  const name = fileName(one.name, existing);
  const renamed = name !== one.name && { logicalName: one.name };
  const inputs = one.inputs && { inputs: one.inputs };
  return { type: one.component, name, ...renamed, component: true, ...parentIn(one, existing), ...inputs };
}

async function resourceEntry(
  run: Run,
  one: ExistingResource,
  existing: Existings,
  options: ImportOptions,
): Promise<ImportedResource> {
  const definition = definitions[one.resource];
  try {
    const context = await connect(run, organizationOf(run.settings, one.inputs ?? {}, { ...options }));
    const state = await explained(context, () => liveState(context, definition, one));
    return { ...importEntry(definition, one.id, state, one.name), ...parentIn(one, existing) };
  } catch (error) {
    // Many entries share the error of one list that cannot be read, so each gets an error with its own name.
    throw error instanceof DocsError ? new DocsError(`${called(one)}: ${error.message}`, { cause: error }) : error;
  }
}

/**
 * Reads the live state. If the inputs are not complete, it reads twice: the first read finds the declaration, and how a resource
 * is read depends on its declaration.
 */
async function liveState(context: Context, definition: AnyDefinition, one: ExistingResource): Promise<Properties> {
  const { id, inputs: given = {} } = one;
  refuseMistakes(mistakesIn(definition.inputs, given).filter(({ path: [name = ""] }) => name in given));
  const fromId = inputsFromId(definition, id);
  const assumed = { ...emptyCollections(definition), ...given, ...fromId };
  const found = await observed(context, definition, id, assumed);
  const declared = { ...fromId, ...inputsFromLive(definition, found, one), ...given };
  refuseMistakes(mistakesIn(definition.inputs, declared));
  const live = isDeepStrictEqual(declared, assumed) ? found : await observed(context, definition, id, declared);
  refuseMismatch(definition, { id, fromId, declared }, found, live);
  return stateOf(definition, context, live, declared);
}

function refuseMistakes(mistakes: ReturnType<typeof mistakesIn>): void {
  if (mistakes.length > 0) throw new DocsError(inOneLine(mistakes));
}

function requiredIn({ inputs }: AnyDefinition): [name: string, schema: z.core.$ZodType][] {
  return Object.entries(inputs.shape).filter(([, schema]) => !(schema instanceof z.ZodOptional));
}

/**
 * The inputs that are part of the id. If the service has no id for such an object, the id consists of the required inputs that
 * are identifiers, in their order. Live values replace these inputs.
 */
function inputsFromId(definition: AnyDefinition, id: string): Properties {
  const names = requiredIn(definition).flatMap(([name, schema]) => (schema instanceof z.ZodString ? [name] : []));
  const parts = names.length > 1 ? id.split("/") : [id];
  if (names.length === 0 || (parts.length === names.length && parts.every(Boolean))) {
    return Object.fromEntries(names.map((name, index) => [name, parts[index]]));
  }
  throw new DocsError(`the id is "${id}"; use ${names.join("/")}`);
}

/** Empty values for required lists and maps, for the first read. */
function emptyCollections(definition: AnyDefinition): Properties {
  return Object.fromEntries(
    requiredIn(definition).flatMap(([name, schema]): [string, unknown][] => {
      if (schema instanceof z.ZodRecord) return [[name, {}]];
      return schema instanceof z.ZodArray ? [[name, []]] : [];
    }),
  );
}

async function observed(context: Context, definition: AnyDefinition, id: string, declared: Properties) {
  const live = await definition.lifecycle.observe(context, id, declared, declared);
  const values = live === undefined ? [undefined] : Object.values(definition.lifecycle.values(live, declared));
  // An object without any live property does not exist, for example an e-mail that is in no team.
  if (values.length === 0 || values.some((value) => value !== undefined)) return live;
  throw new DocsError(`${id} does not exist in organization ${context.organizationId}`);
}

/** The live inputs to declare: if the user has named inputs, only the required ones; otherwise all that are set. */
function inputsFromLive(definition: AnyDefinition, live: unknown, { id, inputs: given }: ExistingResource): Properties {
  const { importable, lifecycle } = definition;
  const required = requiredIn(definition).map(([name]) => name);
  const assumed = { ...emptyCollections(definition), ...inputsFromId(definition, id), ...given };
  const all: Properties = { ...lifecycle.values(live, assumed), ...importable?.(live) };
  const missing = required.filter((name) => !given?.[name] && isEmpty(all[name]));
  if (missing.length > 0)
    throw new DocsError(
      `the id does not say what to take over; name it in inputs: { ${missing.map((name) => `${name}: ...`).join(", ")} }`,
    );
  const set = Object.keys(all).filter((name) => all[name] !== null || required.includes(name));
  return pick(all, given ? required : set);
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

interface Identity {
  readonly id: string;
  /** The inputs that are part of the id. */
  readonly fromId: Properties;
  readonly declared: Properties;
}

/** Refuses inputs that mean another object than the id does. A user may be named differently in the inputs. */
function refuseMismatch(
  definition: AnyDefinition,
  { id, fromId, declared }: Identity,
  found: unknown,
  live: unknown,
): void {
  const { equal, lifecycle } = definition;
  const values = lifecycle.values(live, declared);
  const other = Object.keys(fromId).filter((name) => {
    return !(name in values) && !(equal?.[name] ?? isDeepStrictEqual)(fromId[name], declared[name]);
  });
  if (other.length === 0) return;
  const replaced = other.filter((name) => metaOf(definition, name)?.replaces);
  if (replaced.length === 0 && isDeepStrictEqual(lifecycle.outputs(found), lifecycle.outputs(live))) return;
  const words = other.map((name) => `${name} is ${JSON.stringify(declared[name])} in the inputs`);
  throw new DocsError(`the id is "${id}", but ${words.join(" and ")}, which is another object; correct one of them`);
}
