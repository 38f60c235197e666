import type { ResourceName } from "../../provider/resources/names";
import type { Properties } from "../../provider/run/properties";
import { rows } from "../states/everything";
import type { Declared } from "./stack";

export type Operation = "create" | "read" | "update" | "delete";
/** One resource, or all of them in one program. */
export type Subject = ResourceName | typeof organization;
export const organization = "Organization";

export interface Program {
  /** What is recorded before the operation. */
  readonly existing: readonly (Declared & { readonly id: string })[];
  readonly declared: readonly Declared[];
}

const creatable = new Set(rows.filter(({ fresh }) => fresh).map(({ resource }) => resource));
/** What a creation declares in addition, because of what exists already. */
const createdWith: Readonly<Partial<Record<ResourceName, Properties>>> = { TeamMembers: { exclusive: true } };

/** What stays as it is in a program with all resources: only the structure of a published site can be sorted. */
const together: Readonly<Partial<Record<ResourceName, Properties>>> = { Site: { published: true } };

/** What is declared for an operation: what exists, a change of it, or something new. */
export function programOf(subject: Subject, operation: Operation): Program {
  const rowsOfSubject = rows.filter(({ resource }) => subject === organization || resource === subject);
  // A creation creates what can exist twice (`fresh`). What always exists, it takes over and changes.
  const usedRows = rowsOfSubject.filter(
    ({ resource, fresh }) => operation !== "create" || fresh || !creatable.has(resource),
  );
  const existing = usedRows.map(({ resource, name, id, declares }) => ({
    resource,
    name: `${resource} ${name}`,
    id,
    inputs: declares,
  }));
  if (operation === "read" || operation === "delete") return { existing, declared: existing };
  const changed = usedRows.map(({ declares, change, fresh }, index) => {
    const { resource, name } = existing[index] as Declared;
    const changedInputs = { ...declares, ...change };
    const inputs = operation === "create" ? (fresh?.declares ?? changedInputs) : changedInputs;
    const inTogether = subject === organization ? together[resource] : undefined;
    const more = operation === "create" ? createdWith[resource] : inTogether;
    return { resource, name, inputs: { ...inputs, ...more } };
  });
  return { existing: operation === "create" ? [] : existing, declared: changed };
}
