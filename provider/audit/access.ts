import { type AccessPlan, planAccess } from "../access-plan/access-plan";
import type { Manager } from "../access-plan/input";
import { managerOf, recordedProperties } from "../lifecycle/manager";
import { type LiveOrganization, unambiguousAccess } from "../organization/live/live";
import { isEmail, userKey } from "../people/user";
import { nameOfResource } from "../review/model/access";
import { definitionOf } from "../review/model/definitions";
import type { AuditedResource, StackState } from "./state";

export interface Declarer {
  readonly stack: string;
  /** `TeamMembers writers` */
  readonly resource: string;
}

export interface StackManager {
  readonly manager: Manager;
  readonly by: Declarer;
  /** The state marks the resource for deletion. */
  readonly leaving: boolean;
}

/** The access plan of states, in which every resource declares what it records. */
export interface RecordedAccess {
  readonly plan: AccessPlan;
  readonly managers: ReadonlyMap<Manager, StackManager>;
}

/** Plans what the next runs of all stacks do with access if no program changes. */
export function planStates(states: readonly StackState[], live: LiveOrganization): RecordedAccess {
  const all = states.flatMap((state) => state.resources.flatMap((one) => managerIn(one, state, live) ?? []));
  const plan = planAccess({
    ...unambiguousAccess(live),
    managers: all.map(({ manager }) => manager),
    isEverybodyShown: false,
  });
  return { plan, managers: new Map(all.map((one) => [one.manager, one])) };
}

function managerIn(
  resource: AuditedResource,
  { name: stack }: StackState,
  live: LiveOrganization,
): StackManager | undefined {
  const manager = recordedManager(resource, live.organizationId);
  const by = { stack, resource: nameOfResource(resource) };
  return manager && { manager, by, leaving: resource.operation === "delete" };
}

/** A resource that declares what its state records. `withFound`: also people that only a refresh has found. */
export function recordedManager(
  resource: Pick<AuditedResource, "urn" | "type" | "name" | "isOwn" | "component" | "live">,
  organization: string,
  { withFound = false } = {},
): Manager | undefined {
  const { urn: id, type, name, live } = resource;
  const definition = definitionOf(resource);
  if (!definition || !live) return undefined;
  const recorded = recordedProperties(live);
  const manager = managerOf(definition, { id, type, name, organization }, { declared: recorded, recorded });
  if (!manager?.recorded || !manager.declared) return undefined;
  const { userIds, assignments } = manager.recorded;
  const idOf = (user: string) => (isEmail(user) ? (userIds[userKey(user)] ?? user) : user);
  // A recorded id wins over the e-mail, which may belong to another person by now.
  const knownAssignments = assignments
    .filter(({ isFound, place }) => (withFound || !isFound) && place.kind !== "sso")
    .map((one) => ({ ...one, user: idOf(one.user) }));
  return {
    ...manager,
    declared: { ...manager.declared, assignments: knownAssignments },
    recorded: { ...manager.recorded, assignments: knownAssignments },
  };
}
