import { type Manager, managementOf } from "../../access/management";
import { describeArea, describeSubject, type Subject } from "../../access/subject";
import type { AnyDefinition } from "../../lifecycle/definition";
import type { Properties } from "../../run/properties";
import { programRun } from "./program-run";
import { runError } from "./run-error";

/**
 * Declares what a resource of the program manages, and refuses a second manager of the same subject with the names of both. Only
 * resource classes know these names, so they call it. Handlers refuse duplicates that only ids reveal (see access/same-person.ts).
 */
export function declareManager({ inputs, subjects, wholeArea }: AnyDefinition, manager: Manager, declared: Properties) {
  // Other mistakes in the inputs are reported by check, on their property.
  if ((!subjects && !wholeArea) || !inputs.safeParse(declared).success) return;
  if (wholeArea) declareArea(manager, declared, wholeArea(declared));
  for (const subject of subjects?.(declared) ?? []) declareSubject(manager, declared, subject);
}

function declareArea(manager: Manager, declared: Properties, area: Parameters<typeof describeArea>[0]): void {
  const management = managementOf(programRun());
  const organizationId = organizationOf(declared);
  const other = management.managerOfArea(organizationId, area) ?? management.managerIn(organizationId, area);
  refuseOther(manager, other, describeArea(area));
  management.declareArea(organizationId, area, manager);
}

function declareSubject(manager: Manager, declared: Properties, subject: Subject): void {
  const management = managementOf(programRun());
  const organizationId = organizationOf(declared);
  const other = management.managerOf(organizationId, subject) ?? management.managerOfArea(organizationId, subject);
  refuseOther(manager, other, describeSubject(subject));
  management.declare(organizationId, [subject], manager);
}

/** If no organization is configured, all resources without a declared one belong to the same organization. */
const organizationOf = ({ organizationId }: Properties): string =>
  String(organizationId ?? programRun().settings.organizationId() ?? "");

function refuseOther(manager: Manager, other: Manager | undefined, what: string): void {
  if (other === undefined || other.place === manager.place) return;
  const text = `${manager.name} and ${other.name} both manage ${what}, and each would undo the changes of the other; remove one of them`;
  // A component is built later, when the engine would also show the stack.
  throw runError(text);
}
