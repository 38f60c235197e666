import { type Manager, managementOf } from "../access/management";
import { describeSubject } from "../access/subject";
import { containsUnknown, type Properties } from "../run/properties";
import type { Run } from "../run/run";
import type { AnyDefinition } from "./definition";
import { subjectsIn, wholePlace } from "./manager";

/**
 * Declares what a resource of the program manages. Returns the refusal if another resource already manages one of its subjects,
 * with the names of both. Duplicates that only ids reveal are refused later (see two-names.ts).
 */
export function declareManager(
  run: Run,
  definition: AnyDefinition,
  manager: Manager,
  declared: Properties,
): string | undefined {
  // Other mistakes in the inputs are reported by check, on their property.
  if (containsUnknown(declared) || !definition.inputs.safeParse(declared).success) return undefined;
  const management = managementOf(run);
  // If no organization is configured, all resources without a declared one belong to the same organization.
  const organizationId = String(declared.organizationId ?? run.settings.organizationId() ?? "");
  const isOther = (other: Manager | undefined): other is Manager => !!other && other.place !== manager.place;
  const whole = wholePlace(definition, organizationId, declared);
  if (whole) {
    const other = management.managerOfWhole(whole) ?? management.anyManagerIn(whole);
    if (isOther(other)) return refusal(manager, other, `team ${whole.team}`);
    management.declareWhole(whole, manager);
  }
  for (const subject of subjectsIn(definition, organizationId, declared)) {
    const other = management.declarerOf(subject) ?? management.managerOfWhole(subject.place);
    if (isOther(other)) return refusal(manager, other, describeSubject(subject));
    management.declare([subject], manager);
  }
  return undefined;
}

const refusal = (own: Manager, other: Manager, what: string): string =>
  `${own.name} and ${other.name} both manage ${what}, and each would undo the changes of the other; remove one of them`;
