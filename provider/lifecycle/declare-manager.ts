import { type Manager, managementOf } from "../access/management";
import { describeArea, describeSubject, type PeopleArea, type Subject } from "../access/subject";
import { containsUnknown, type Properties } from "../run/properties";
import type { Run } from "../run/run";
import type { AnyDefinition } from "./definition";

/**
 * Declares what a resource of the program manages. Returns the refusal if another resource already manages one of its subjects,
 * with the names of both. Only hosts that know the names of resources call it. Handlers refuse duplicates that only ids reveal
 * (see access/same-person.ts).
 */
export function declareManager(
  run: Run,
  { inputs, subjects, wholeArea }: AnyDefinition,
  manager: Manager,
  declared: Properties,
): string | undefined {
  // Other mistakes in the inputs are reported by check, on their property.
  if ((!subjects && !wholeArea) || containsUnknown(declared) || !inputs.safeParse(declared).success) return undefined;
  const declaring = new Declaring(run, manager, declared);
  const area = wholeArea?.(declared);
  const refusal = area && declaring.declareArea(area);
  if (refusal !== undefined) return refusal;
  for (const subject of subjects?.(declared) ?? []) {
    const taken = declaring.declareSubject(subject);
    if (taken !== undefined) return taken;
  }
  return undefined;
}

class Declaring {
  private readonly management;
  private readonly organizationId: string;

  constructor(
    run: Run,
    private readonly manager: Manager,
    { organizationId }: Properties,
  ) {
    this.management = managementOf(run);
    // If no organization is configured, all resources without a declared one belong to the same organization.
    this.organizationId = String(organizationId ?? run.settings.organizationId() ?? "");
  }

  declareArea(area: PeopleArea): string | undefined {
    const { management, organizationId, manager } = this;
    const other = management.managerOfArea(organizationId, area) ?? management.anyManagerIn(organizationId, area);
    if (this.isOther(other)) return this.refusal(other, describeArea(area));
    management.declareArea(organizationId, area, manager);
    return undefined;
  }

  declareSubject(subject: Subject): string | undefined {
    const { management, organizationId, manager } = this;
    const other = management.declarerOf(organizationId, subject) ?? management.managerOfArea(organizationId, subject);
    if (this.isOther(other)) return this.refusal(other, describeSubject(subject));
    management.declare(organizationId, [subject], manager);
    return undefined;
  }

  private isOther(other: Manager | undefined): other is Manager {
    return other !== undefined && other.place !== this.manager.place;
  }

  private refusal(other: Manager, what: string): string {
    return `${this.manager.name} and ${other.name} both manage ${what}, and each would undo the changes of the other; remove one of them`;
  }
}
