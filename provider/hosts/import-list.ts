import { DocsError } from "../api/http/errors";
import { type ResourceName, resourceNames } from "../resources/names";
import type { Properties } from "../run/properties";
import { nearest } from "../text/mistakes";

/** An existing object, and the resource of a program that will manage it. */
export interface ExistingResource {
  /** The class: `Site`, `MemberRole`, ... */
  readonly resource: ResourceName;
  /** The first argument of the class in the program. */
  readonly name: string;
  /**
   * The id at the service. A `TeamMembership` has team and user (`team_1/user_1`); `TeamMembers` has the id of the team, and a part of a
   * site the id of the site.
   */
  readonly id: string;
  /**
   * The inputs that the program declares; required ones may be omitted, because they are read. Without `inputs`, the file has
   * every property that is set, and the program must declare them all.
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

export type Existing = ExistingResource | ExistingComponent;
type Existings = readonly Existing[];

/** Makes the entries of an import file. Resources for which `makeEntry` returns `undefined` are left out. */
export async function importEntries<Entry extends object>(
  existing: Existings,
  makeEntry: (one: ExistingResource) => Promise<Entry | undefined>,
): Promise<(ImportedComponent | (Entry & { readonly parent?: string }))[]> {
  refuse([...unknownResources(existing), ...wrongParents(existing), ...repeatedNames(existing)]);
  const taken = await Promise.allSettled(
    existing.map(async (one) => {
      if (isComponent(one)) return componentEntry(one, existing);
      const entry = await makeEntry(one).catch(throwNamed(one));
      return entry && { ...entry, ...parentIn(one, existing) };
    }),
  );
  const failures = taken.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  for (const reason of failures) if (!(reason instanceof DocsError)) throw reason;
  refuse(failures.map(({ message }: DocsError) => message));
  return taken.flatMap((one) => (one.status === "fulfilled" && one.value ? [one.value] : []));
}

/** Many entries share the error of one list that cannot be read, so each gets an error with its own name. */
const throwNamed = (one: Existing) => (error: unknown) => {
  throw error instanceof DocsError ? new DocsError(`${labelOf(one)}: ${error.message}`, { cause: error }) : error;
};

const mostShown = 20;

/** Refuses the list with all its mistakes at once, because it may have thousands of entries. */
function refuse(mistakes: readonly string[]): void {
  if (mistakes.length === 0) return;
  const more = mistakes.length - mostShown;
  throw new DocsError([...mistakes.slice(0, mostShown), ...(more > 0 ? [`and ${more} more`] : [])].join("\n"));
}

const isComponent = (one: Existing): one is ExistingComponent => "component" in one;
const kindOf = (one: Existing): string => (isComponent(one) ? one.component : one.resource);
const labelOf = (one: Existing): string => `${kindOf(one)} "${one.name}"`;

function didYouMean(name: string, names: readonly string[]): string {
  const guess = nearest(name, names);
  return guess === undefined ? `use one of ${names.join(", ")}` : `did you mean "${guess}"?`;
}

function unknownResources(existing: Existings): string[] {
  return existing.flatMap((one) => {
    if (isComponent(one) || resourceNames.includes(one.resource)) return [];
    return [`${labelOf(one)}: there is no resource "${one.resource}"; ${didYouMean(one.resource, resourceNames)}`];
  });
}

function wrongParents(existing: Existings): string[] {
  const names = existing.filter(isComponent).map(({ name }) => name);
  return existing.flatMap((one) => {
    const { parent } = one;
    if (parent === undefined || names.includes(parent)) return [];
    const known = names.length > 0 ? didYouMean(parent, names) : "add an entry with component";
    return [`${labelOf(one)}: the list has no component "${parent}"; ${known}`];
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
    return repeated ? [`${labelOf(one)}: the name is used twice; use a different name for each`] : [];
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
