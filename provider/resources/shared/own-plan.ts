import { isPersonManaged } from "../../access/management";
import { roleArea, teamArea } from "../../access/subject";
import type { Teammate } from "../../access/teammate";
import { type AccessPlan, isChange, planAccess } from "../../access-plan/access-plan";
import type { AccessChange } from "../../access-plan/change";
import type { AccessInput, Assignment, LivePerson, Manager, RecordedAssignment } from "../../access-plan/input";
import type { Place } from "../../access-plan/place";
import { type AccessDefinition, type ManagedProperties, managerOf } from "../../lifecycle/manager";
import type { Context } from "../../run/context";

/** What the resources that give access tell the access plan: themselves, and what else the run knows. */

/** The resource that a lifecycle runs for. It does not get the names of resources. */
export function ownManager(definition: AccessDefinition, context: Context, properties: ManagedProperties): Manager {
  const named = { id: "own", type: "", name: "", organization: context.organizationId };
  return managerOf(definition, named, properties) as Manager;
}

/** Other resources of the run, as one manager that changes nothing. */
export function otherManager(declared: readonly Assignment[], recorded: readonly RecordedAssignment[]): Manager {
  const options = { onDestroy: "leave" } as const;
  return {
    id: "run",
    name: "another resource of this run",
    declared: { assignments: declared, options },
    recorded: { assignments: recorded, userIds: {}, options },
  };
}

/** A person in a team, as the plan has it. */
export const livePersonOf = ({ userId, email, hidden, disabled }: Teammate): LivePerson => ({
  userId,
  email,
  isDisabled: disabled === true,
  isEmailUnknown: email === undefined && !hidden,
});

/** Plans the changes of a resource. A person that another resource of the run manages is declared by that one, and stays. */
export async function planBesideOthers(context: Context, input: AccessInput): Promise<AccessPlan> {
  const alone = planAccess(input);
  const leaving = alone.subjects.filter(isLeaving);
  const managed = await Promise.all(
    leaving.map(({ person, place }) => isPersonManaged(context, areaOf(place), person.id, person.keys)),
  );
  const others = leaving
    .filter((_, index) => managed[index])
    .map(({ person, place, before }) => ({ place, user: person.id, level: before }));
  return others.length === 0
    ? alone
    : planAccess({ ...input, managers: [...input.managers, otherManager(others, [])] });
}

const isLeaving = (one: AccessChange): boolean =>
  one.to.length === 0 && one.place.kind !== "sso" && (isChange(one) || one.reason === "would raise");

const areaOf = ({ team }: Place) => (team === undefined ? roleArea : teamArea(team));

/** Whether the person is only released by the resource, and stays because another one of the run manages the person. */
export const isManagedElsewhere = ({ cause, by }: AccessChange): boolean => cause === "declared" && by.id === "run";
