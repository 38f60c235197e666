import { isDeepStrictEqual } from "node:util";
import type { Holding } from "../../access/holding";
import type { Moment } from "../../lifecycle/review";
import type { Properties } from "../../run/properties";
import { definitionOf } from "./definitions";
import type { Resource } from "./preview";

/** Whether the resource says who has which access. */
export const isAccess = (resource: Resource): boolean => definitionOf(resource)?.review?.access !== undefined;

/** Whether it manages everybody in a team. */
export const managesTeam = (resource: Resource): boolean => definitionOf(resource)?.wholeArea !== undefined;

/** Whether it manages everybody in a team that it did not manage so far. */
export function takesTeam(resource: Resource): boolean {
  const { operation, live, declared } = resource;
  const scopeOf = definitionOf(resource)?.wholeArea;
  if (!scopeOf) return false;
  const changes = !isDeepStrictEqual(scopeOf(live?.inputs ?? {}), scopeOf(declared ?? {}));
  return operation === "create" || (operation === "replace" && changes);
}

/** What a resource gives to whom, by its inputs as declared, or by a state. */
export function holdingsOf(resource: Resource, from: Moment | Properties, organization: string): Holding[] {
  const moment = isMoment(from) ? { ...from.inputs, ...from.outputs, ...unsettled(from) } : from;
  const { type, name } = resource;
  return definitionOf(resource)?.review?.access?.holdings(moment, { type, name, organization }) ?? [];
}

/** Where a change of the user has failed, inputs are of the one, and what is live of the other. */
const unsettled = ({ outputs }: Moment): Properties => ("releasing" in outputs ? { role: outputs.role } : {});

const isMoment = (from: Moment | Properties): from is Moment => "inputs" in from && "outputs" in from;
