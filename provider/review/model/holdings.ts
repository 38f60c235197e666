import { isDeepStrictEqual } from "node:util";
import type { RecordedAssignment } from "../../access-plan/input";
import type { Moment } from "../../lifecycle/review";
import type { Properties } from "../../run/properties";
import { definitionOf } from "./definitions";
import type { Resource } from "./preview";

/** Whether the resource gives access to people. */
export const isAccess = (resource: Resource): boolean => definitionOf(resource)?.review?.access !== undefined;

/** Whether the resource manages all members of a team. */
export const managesTeam = (resource: Resource): boolean => definitionOf(resource)?.wholeArea !== undefined;

/** Whether the resource takes over a whole team that it did not manage before. */
export function takesTeam(resource: Resource): boolean {
  const { operation, live, declared } = resource;
  const scopeOf = definitionOf(resource)?.wholeArea;
  if (!scopeOf) return false;
  const changes = !isDeepStrictEqual(scopeOf(live?.inputs ?? {}), scopeOf(declared ?? {}));
  return operation === "create" || (operation === "replace" && changes);
}

/** The access that a resource gives to people, from its declared inputs or from a state. */
export function assignmentsOf(
  resource: Resource,
  from: Moment | Properties,
  organization: string,
): RecordedAssignment[] {
  const moment = isMoment(from) ? { ...from.inputs, ...from.outputs, ...unsettled(from) } : from;
  const { type, name } = resource;
  return definitionOf(resource)?.review?.access?.assignments(moment, { type, name, organization }) ?? [];
}

/** After a failed change of `user`, the inputs have the new user and the outputs the live role of the previous one. */
const unsettled = ({ outputs }: Moment): Properties => ("releasing" in outputs ? { role: outputs.role } : {});

const isMoment = (from: Moment | Properties): from is Moment => "inputs" in from && "outputs" in from;
