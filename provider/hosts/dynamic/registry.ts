import { type Manager, managementOf } from "../../access/management";
import { describeArea, describeSubject, type Subject } from "../../access/subject";
import type { AnyDefinition } from "../../lifecycle/definition";
import type { Properties } from "../../run/properties";
import { programRun } from "./program-run";
import { runError } from "./run-error";

/**
 * Declares what a resource of the program manages, and refuses the second manager of the same subject: the message names both.
 * Called by the classes, which alone know the names of resources; what only ids reveal, the handlers refuse (see
 * access/same-person.ts).
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

/** Without any setting, all resources that name no organization are in the same one. */
const organizationOf = ({ organizationId }: Properties): string =>
  String(organizationId ?? programRun().settings.organizationId() ?? "");

function refuseOther(manager: Manager, other: Manager | undefined, what: string): void {
  if (other === undefined || other.place === manager.place) return;
  const text = `${manager.name} and ${other.name} both manage ${what}, and each would undo what the other one does; remove one of them`;
  // A component is made later, where the engine would show the stack as well.
  throw runError(text);
}
