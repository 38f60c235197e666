import type { ResourceName } from "../../provider/resources/names";
import type { Properties } from "../../provider/run/properties";
import { rows } from "../states/everything";
import type { DeclaredObject } from "./stack";

export type FaultOperation = "create" | "read" | "update" | "delete";
/** One resource, or all of them in one program. */
export type Subject = ResourceName | typeof componentType;
export const componentType = "Organization";

export interface FaultProgram {
  /** What is recorded before the operation. */
  readonly existing: readonly (DeclaredObject & { readonly id: string })[];
  readonly declared: readonly DeclaredObject[];
}

const creatable = new Set(rows.filter(({ fresh }) => fresh).map(({ resource }) => resource));
/** What a creation declares in addition, because of what exists already. */
const createdWith: Readonly<Partial<Record<ResourceName, Properties>>> = { TeamMembers: { exclusive: true } };

/** What stays as it is in a program with all resources: only the structure of a published site can be sorted. */
const together: Readonly<Partial<Record<ResourceName, Properties>>> = { Site: { published: true } };

/** What is declared for an operation: what exists, a change of it, or something new. */
export function faultProgram(subject: Subject, operation: FaultOperation): FaultProgram {
  const rowsOfSubject = rows.filter(({ resource }) => subject === componentType || resource === subject);
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
    const { resource, name } = existing[index] as DeclaredObject;
    const changedInputs = { ...declares, ...change };
    const inputs = operation === "create" ? (fresh?.declares ?? changedInputs) : changedInputs;
    const inTogether = subject === componentType ? together[resource] : undefined;
    const more = operation === "create" ? createdWith[resource] : inTogether;
    return { resource, name, inputs: { ...inputs, ...more } };
  });
  return { existing: operation === "create" ? [] : existing, declared: changed };
}
