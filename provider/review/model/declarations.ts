import { metaOf } from "../../lifecycle/definition";
import { userKey } from "../../people/user";
import { isUnseen, type Properties, pick, propertiesIn } from "../../run/properties";
import { isAccess, organizationsOf, takesTeam } from "./access-input";
import { definitionOf, inputKindOf } from "./definitions";
import type { Preview, Resource } from "./preview";
import { shown } from "./properties";

/**
 * The declared properties of each resource that the preview changes, by URN and property. Omitting a property can be dangerous:
 * without `ignore`, its people are removed. So everything that was reviewed must still be declared at the up.
 */
export type Declarations = Readonly<Record<string, Properties>>;

/** The key for the organization of a resource, even if only the settings name it; absent if the preview does not show it. */
export const organizationKey = "organizationId";

export function declarationsOf(preview: Preview): Declarations {
  const organizationOf = organizationsOf(preview);
  const changing = preview.resources.filter(({ operation }) => !["same", "delete"].includes(operation));
  return Object.fromEntries(changing.map((one) => [one.urn, declarationOf(one, organizationOf(one))]));
}

function declarationOf(resource: Resource, organization: string): Properties {
  const { ours, component, protection, declared = {} } = resource;
  // The other notes of a component are listed with the people.
  if (component) return guardsIn(declared.review);
  const { [organizationKey]: own, ...rest } = isAccess(resource) ? optionsIn(resource) : declared;
  // The settings must not replace an id that is declared but hidden.
  const known = ours && !isUnseen(own);
  const definition = definitionOf(resource);
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, shown(definition, name, value)])),
    ...(known ? organization !== "" && { [organizationKey]: organization } : pick(declared, [organizationKey])),
    ...Object.fromEntries(protection.map((name) => [name, true])),
  };
}

/**
 * The declared options of an access resource. Its people are entries of the plan, so they are left out here, with two
 * exceptions: hidden people, and the members of a new whole team with `removeExisting`, which removes everybody else.
 */
function optionsIn(resource: Resource): Properties {
  const { declared = {} } = resource;
  const options = pick(declared, [...namesOfOptions(resource), ...Object.keys(declared).filter(isUnseenIn(declared))]);
  const { members } = declared;
  if (!takesTeam(resource) || declared.removeExisting === undefined || typeof members !== "object") return options;
  return { ...options, members: Object.keys(propertiesIn(members)).map(userKey).sort() };
}

const isUnseenIn = (declared: Properties) => (name: string) => isUnseen(declared[name]);

/** Names of the options, and of the inputs that replace the resource, such as the team. */
function namesOfOptions(resource: Resource): string[] {
  const definition = definitionOf(resource);
  if (!definition) return [];
  const names = Object.keys(definition.inputs.shape).filter((name) => name !== organizationKey);
  const options = names.filter((name) => inputKindOf(definition, name) !== undefined);
  return [...options, ...names.filter((name) => metaOf(definition, name)?.replaces !== undefined)];
}

/** The declared guards. If the notes are hidden as a whole, their guards are unknown. */
const guardsIn = (notes: unknown): Properties =>
  isUnseen(notes) && typeof notes === "string" ? { guards: notes } : pick(propertiesIn(notes), ["guards"]);
