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

export interface ImportedResource {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  /** Name of its parent component. */
  readonly parent?: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

/** The content of the file for `pulumi import --file`, to be written as JSON. */
export interface ImportFile {
  readonly resources: readonly (ImportedResource | ImportedComponent)[];
}

export interface ImportOptions {
  /** By default, the organization of the settings (DOCS_ORGANIZATION_ID). */
  readonly organizationId?: string | undefined;
}

export interface ImportedComponent {
  readonly type: string;
  readonly name: string;
  /** The name in the program, if `name` is a different one because another entry has the same name. */
  readonly logicalName?: string;
  readonly component: true;
  readonly parent?: string;
  readonly inputs?: Properties;
}

export type ExistingEntry = ExistingResource | ExistingComponent;

/**
 * Makes the entries of an import file. Resources for which `makeEntry` returns `undefined` are left out. The engine refuses names that
 * are used twice, and unknown parents, so these are not looked for.
 */
export async function importEntries<Entry extends object>(
  existing: readonly ExistingEntry[],
  makeEntry: (one: ExistingResource) => Promise<Entry | undefined>,
): Promise<(ImportedComponent | (Entry & { readonly parent?: string }))[]> {
  const settled = await Promise.allSettled(
    existing.map(async (one) => {
      if ("component" in one) return componentEntry(one, existing);
      refuseUnknown(one);
      const entry = await makeEntry(one).catch(throwNamed(one));
      return entry && { ...entry, ...parentIn(one, existing) };
    }),
  );
  const failures = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  for (const reason of failures) if (!(reason instanceof DocsError)) throw reason;
  refuse(failures.map(({ message }: DocsError) => message));
  return settled.flatMap((one) => (one.status === "fulfilled" && one.value ? [one.value] : []));
}

function refuseUnknown(one: ExistingResource): void {
  if (resourceNames.includes(one.resource)) return;
  const guess = nearest(one.resource, resourceNames);
  const use = guess === undefined ? `use one of ${resourceNames.join(", ")}` : `did you mean "${guess}"?`;
  throw new DocsError(`${labelOf(one)}: there is no resource "${one.resource}"; ${use}`);
}

/** Many entries share the error of one list that cannot be read, so each gets an error with its own name. */
const throwNamed = (one: ExistingResource) => (error: unknown) => {
  throw error instanceof DocsError ? new DocsError(`${labelOf(one)}: ${error.message}`, { cause: error }) : error;
};

const mostShown = 20;

/** Refuses the list with all its mistakes at once, because it may have thousands of entries. */
function refuse(mistakes: readonly string[]): void {
  if (mistakes.length === 0) return;
  const more = mistakes.length - mostShown;
  throw new DocsError([...mistakes.slice(0, mostShown), ...(more > 0 ? [`and ${more} more`] : [])].join("\n"));
}

const labelOf = ({ resource, name }: ExistingResource): string => `${resource} "${name}"`;

/** The name by which other entries refer to a component. It must be unique in the file. */
function entryName(name: string, existing: readonly ExistingEntry[]): string {
  const isUnique = existing.filter((one) => one.name === name).length < 2;
  return isUnique ? name : `component ${name}`;
}

function parentIn({ parent }: ExistingEntry, existing: readonly ExistingEntry[]): { parent?: string } {
  return parent === undefined ? {} : { parent: entryName(parent, existing) };
}

function componentEntry(one: ExistingComponent, existing: readonly ExistingEntry[]): ImportedComponent {
  const name = entryName(one.name, existing);
  const renamed = name !== one.name && { logicalName: one.name };
  const inputs = one.inputs && { inputs: one.inputs };
  return { type: one.component, name, ...renamed, component: true, ...parentIn(one, existing), ...inputs };
}
