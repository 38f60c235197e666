import { type Manager, managementOf } from "../access/management";
import { describeArea, describeSubject } from "../access/subject";
import { containsUnknown, type Properties } from "../run/properties";
import type { Run } from "../run/run";
import type { AnyDefinition } from "./definition";

/**
 * Declares what a resource of the program manages. Returns the refusal if another resource already manages one of its subjects,
 * with the names of both. Duplicates that only ids reveal are refused later (see two-names.ts).
 */
export function declareManager(
  run: Run,
  { inputs, subjects, wholeArea }: AnyDefinition,
  manager: Manager,
  declared: Properties,
): string | undefined {
  // Other mistakes in the inputs are reported by check, on their property.
  if ((!subjects && !wholeArea) || containsUnknown(declared) || !inputs.safeParse(declared).success) return undefined;
  const management = managementOf(run);
  // If no organization is configured, all resources without a declared one belong to the same organization.
  const organizationId = String(declared.organizationId ?? run.settings.organizationId() ?? "");
  const isOther = (other: Manager | undefined): other is Manager => !!other && other.place !== manager.place;
  const area = wholeArea?.(declared);
  if (area) {
    const other = management.managerOfArea(organizationId, area) ?? management.anyManagerIn(organizationId, area);
    if (isOther(other)) return refusal(manager, other, describeArea(area));
    management.declareArea(organizationId, area, manager);
  }
  for (const subject of subjects?.(declared) ?? []) {
    const other = management.declarerOf(organizationId, subject) ?? management.managerOfArea(organizationId, subject);
    if (isOther(other)) return refusal(manager, other, describeSubject(subject));
    management.declare(organizationId, [subject], manager);
  }
  return undefined;
}

const refusal = (own: Manager, other: Manager, what: string): string =>
  `${own.name} and ${other.name} both manage ${what}, and each would undo the changes of the other; remove one of them`;
