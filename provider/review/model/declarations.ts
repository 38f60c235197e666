import { isDeepStrictEqual } from "node:util";
import type { AccessPlan } from "../../access-plan/access-plan";
import { metaOf } from "../../lifecycle/definition";
import type { PropertyChange } from "../../lifecycle/review";
import { userKey } from "../../people/user";
import { isUnseen, type Properties, pick, propertiesIn, unknownValue } from "../../run/properties";
import { isAccess, organizationsOf, takesTeam } from "./access-input";
import { notesIn } from "./component-notes";
import { definitionOf, inputKindOf } from "./definitions";
import type { Preview, Resource } from "./preview";
import { changeOf, type ResourceChange, shownProperty } from "./properties";

/**
 * A resource that the preview changes, with what it declares. Omitting a property can be dangerous: without `ignore`, its
 * people are removed. So everything that was reviewed must still be declared at the up.
 */
export interface DeclaredChange extends ResourceChange {
  readonly declared: Properties;
  /** Whether the program declares the organization, and not only the settings name it. */
  readonly namesOrganization: boolean;
}

/** The property with the organization of a resource. A plan has it also if only the settings name the organization. */
export const organizationKey = "organizationId";
/** The organization in a plan if only settings of Pulumi name it, which docs-org does not know. */
export const ofSettings = "known only to pulumi: set DOCS_ORGANIZATION_ID for docs-org as well";

export function declaredChangesOf(preview: Preview, plan: AccessPlan): DeclaredChange[] {
  const organizationOf = organizationsOf(preview);
  return preview.resources.flatMap((resource) => {
    const change = changeOf(resource, preview) ?? changeOfProtection(resource);
    if (!change) return [];
    const declared = resource.operation === "delete" ? {} : declarationOf(resource, organizationOf(resource), plan);
    const { unseen, ...shownChange } = change;
    // What is unseen of access is listed with the people.
    const isUnseenHere = unseen && !resource.component && !isAccess(resource);
    const properties = listedProperties(resource, change);
    const namesOrganization = resource.declared?.[organizationKey] !== undefined;
    return [{ ...shownChange, ...(isUnseenHere && { unseen }), properties, declared, namesOrganization }];
  });
}

/** The engine shows a resource that loses its protection as unchanged, so the change is added here. */
function changeOfProtection(resource: Resource): ResourceChange | undefined {
  const { urn, type, name, id, lostProtection } = resource;
  if (lostProtection.length === 0) return undefined;
  const properties = lostProtection.map((one) => ({ name: one, before: true, option: true }));
  return { urn, type, name, id, operation: "update", cause: "declared", properties };
}

/** Changes of people are listed with the people, as are most notes of a component. */
function listedProperties(resource: Resource, { properties }: ResourceChange): readonly PropertyChange[] {
  if (resource.component) return changeOfGuards(resource);
  return isAccess(resource) ? properties.filter(({ option, selection }) => option || selection) : properties;
}

function changeOfGuards({ live, declared }: Resource): PropertyChange[] {
  const [{ guards: before }, { guards: after }] = [guardsIn(live?.inputs), guardsIn(declared)];
  if (isDeepStrictEqual(before, after)) return [];
  return [{ name: "guards", after, option: true }];
}

function declarationOf(resource: Resource, organization: string, plan: AccessPlan): Properties {
  const { isOwn, component, protection, declared = {} } = resource;
  // The other notes of a component are listed with the people.
  if (component) return guardsIn(declared);
  const properties = isAccess(resource) ? optionsIn(resource, organization, plan) : declared;
  const definition = definitionOf(resource);
  const readable = Object.entries(properties).map(([name, value]) => [name, shownProperty(definition, name, value)]);
  // The settings must not replace an id that is declared but hidden.
  const fillsIn = isOwn && !isUnseen(declared[organizationKey]);
  return {
    ...Object.fromEntries(readable),
    ...(fillsIn && { [organizationKey]: organization || unknownValue }),
    ...Object.fromEntries(protection.map((name) => [name, true])),
  };
}

/**
 * The declared options of an access resource. Its people are listed by themselves, so they are left out here. Two exceptions:
 * hidden people, and the members of a new whole team with `exclusive` if the preview does not show who is removed.
 */
function optionsIn(resource: Resource, organization: string, plan: AccessPlan): Properties {
  const { declared = {} } = resource;
  const options = pick(declared, [...namesOfOptions(resource), ...Object.keys(declared).filter(isUnseenIn(declared))]);
  const { members, exclusive } = declared;
  if (!takesTeam(resource) || exclusive === undefined || typeof members !== "object") return options;
  if (showsTeam(plan, declared, organization)) return options;
  return { ...options, members: Object.keys(propertiesIn(members)).map(userKey).sort() };
}

export const showsTeam = (plan: AccessPlan, { teamId }: Properties, organization: string): boolean =>
  plan.livePlace({ kind: "team", team: String(teamId), organization })?.isComplete === true;

const isUnseenIn = (declared: Properties) => (name: string) => isUnseen(declared[name]);

/** Names of the options, and of the inputs that replace the resource, such as the team. */
function namesOfOptions(resource: Resource): string[] {
  const definition = definitionOf(resource);
  if (!definition) return [];
  const names = Object.keys(definition.inputs.shape);
  const options = names.filter((name) => inputKindOf(definition, name) !== undefined);
  return [...options, ...names.filter((name) => metaOf(definition, name)?.replacesUnlessLive !== undefined)];
}

const guardsIn = (inputs: Properties | undefined): Properties => pick({ ...notesIn(inputs) }, ["guards"]);
