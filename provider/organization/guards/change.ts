import type { Plan } from "../../access/plan-file";
import { type AccessPlan, planAccess } from "../../access-plan/access-plan";
import type { AccessChange } from "../../access-plan/change";
import { type AccessFinding, findingsOf } from "../../access-plan/findings";
import type { Identity } from "../../access-plan/identities";
import type { Manager } from "../../access-plan/input";
import type { Place } from "../../access-plan/place";
import * as definitions from "../../definitions";
import type { AnyDefinition, Created } from "../../lifecycle/definition";
import type { Adopting, ExistingObjects } from "../../lifecycle/existing";
import { managerOf } from "../../lifecycle/manager";
import type { ResourceName } from "../../resources/names";
import type { Path } from "../file/places";
import type { OrganizationFile } from "../file/types";
import type { GuardedLive } from "../live/live";
import { liveAccess } from "../live/live";
import type { RecordedOrganization } from "../live/recorded";
import { type Child, childrenOf } from "../sections";
import { pathOfLine } from "../sections/grants";

export interface Violation {
  /** Empty for the whole organization. */
  readonly path: Path;
  readonly text: string;
}

/** A child that the stack does not record, and what its creation would make a second time. */
export interface ExistingChild extends ExistingObjects {
  readonly child: Child;
  /** The object that the user has named to be taken over. */
  readonly named: Created | undefined;
}

export interface OrganizationChange extends Omit<RecordedOrganization, "managed" | "services" | "applied"> {
  readonly name: string;
  readonly organization: OrganizationFile;
  readonly live: GuardedLive;
  readonly existing: readonly ExistingChild[];
  /** The name of the file, or the program. */
  readonly declaredBy: string;
  readonly stack: Adopting & { readonly isEmpty: boolean };
  readonly now: Date;
  readonly reviewed?: Pick<Plan, "organizations" | "users" | "access"> | undefined;
}

export interface PlannedChange extends OrganizationChange {
  readonly access: AccessPlan;
  readonly findings: readonly AccessFinding[];
  readonly managers: ReadonlyMap<string, Manager>;
  readonly lines: readonly Line[];
}

/** Computes the access from what the resources of the organization will be asked to do. */
export function planChange(change: OrganizationChange): PlannedChange {
  const managers = managersOf(change);
  const { organization, live } = change;
  const access = planAccess({
    ...liveAccess(organization.organization, live),
    managers: [...managers.values()],
    managedElsewhere: new Set(change.rolesManagedElsewhere),
    // True after the refresh of the commands. Without a refresh, the change removes fewer people than the guards judge.
    isEverybodyShown: true,
  });
  return { ...change, access, managers, findings: findingsOf(access), lines: linesOf(access, organization) };
}

/** The id of the manager that a child of the component is. */
export const managerId = (resource: string, name: string): string => `${resource} ${name}`;

/** The managers that the resources of the organization are. */
export function managersOf({
  name: component,
  organization,
  recorded,
  now,
}: Pick<OrganizationChange, "name" | "organization" | "recorded" | "now">): Map<string, Manager> {
  const children = childrenOf(component, organization, now);
  const declared = new Map(children.map(({ resource, name, inputs }) => [managerId(resource, name), inputs]));
  const outputs = new Map(recorded.map(({ resource, name, outputs }) => [managerId(resource, name), outputs]));
  const managers = [...children, ...recorded].flatMap(({ resource, name }): [string, Manager][] => {
    const id = managerId(resource, name);
    const named = { id, type: resource, name, organization: organization.organization };
    const definition: AnyDefinition = definitions[resource as ResourceName];
    const manager = managerOf(definition, named, { declared: declared.get(id), recorded: outputs.get(id) });
    return manager ? [[id, manager]] : [];
  });
  return new Map(managers);
}

export const placeIn = ({ organization }: OrganizationFile, team?: string): Place =>
  team === undefined ? { kind: "role", organization } : { kind: "team", team, organization };

/** A line of the file that gives a person access now. */
export interface Line {
  readonly path: Path;
  readonly user: string;
  readonly team?: string | undefined;
  readonly person: Identity;
  /** Absent if the team ignores the person. */
  readonly planned: AccessChange | undefined;
}

/** The lines of the file, without grants that have ended or are yet to begin. */
export function linesOf(access: AccessPlan, file: OrganizationFile): Line[] {
  return access.input.managers.flatMap((manager) =>
    (manager.declared?.assignments ?? []).flatMap(({ place, user }): Line[] => {
      if (place.kind === "sso") return [];
      const { team } = place;
      const person = access.identities.find(manager, place, user);
      return [{ path: pathOfLine(file, team, user), user, team, person, planned: access.of(place, person) }];
    }),
  );
}
