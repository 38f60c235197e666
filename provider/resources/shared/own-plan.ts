import type { AccessInput, Assignment, Manager, RecordedAssignment } from "../../access-plan/input";
import { type AccessDefinition, type ManagedProperties, managerOf } from "../../lifecycle/manager";
import type { Context } from "../../run/context";

/** What the resources that give access tell the access plan: themselves, what they have read, and who else manages it. */

/** The resource that a lifecycle runs for. It does not get the names of resources. */
export function ownManager(definition: AccessDefinition, context: Context, properties: ManagedProperties): Manager {
  const named = { id: "own", type: "", name: "", organization: context.organizationId };
  return managerOf(definition, named, properties) as Manager;
}

/** Other resources of the run, as one manager that changes nothing. */
export const otherManager = (
  declared: readonly Assignment[],
  recorded: readonly RecordedAssignment[] = [],
): Manager => {
  const options = { onDestroy: "leave" } as const;
  return {
    id: "others",
    name: "another resource of this run",
    declared: { assignments: declared, options },
    recorded: { assignments: recorded, userIds: {}, options },
  };
};

/** The resource has read everybody that it manages, and everybody that it names and that is a member. */
export const ownInput = (input: Pick<AccessInput, "people" | "places" | "managers">): AccessInput => ({
  ...input,
  arePeopleComplete: true,
  isEverybodyShown: false,
});
