import { userKey } from "../../access/user";
import { metaOf } from "../../lifecycle/definition";
import { isUnseen, type Properties, pick, propertiesIn } from "../../run/properties";
import { organizationsOf } from "./access";
import { definitionOf, inputKindOf } from "./definitions";
import { isAccess, takesTeam } from "./holdings";
import type { Preview, Resource } from "./preview";
import { shown } from "./properties";

/**
 * What each resource declares that the preview changes, by URN and property. A property that is omitted may do more than one
 * that is declared: the people of `ignore` are removed once nothing names them. So what was reviewed must be declared still.
 */
export type Declarations = Readonly<Record<string, Properties>>;

/** The organization of a resource, also if only the settings name it; absent if the preview does not tell. */
export const organizationKey = "organizationId";

export function declarationsOf(preview: Preview): Declarations {
  const organizationOf = organizationsOf(preview);
  const changing = preview.resources.filter(({ operation }) => !["same", "delete"].includes(operation));
  return Object.fromEntries(changing.map((one) => [one.urn, declarationOf(one, organizationOf(one))]));
}

function declarationOf(resource: Resource, organization: string): Properties {
  const { ours, component, protection, declared = {} } = resource;
  // The rest of what a component tells stands with the people.
  if (component) return guardsIn(declared.review);
  const { [organizationKey]: own, ...rest } = isAccess(resource) ? optionsIn(resource) : declared;
  // Which one an unseen id means, the settings do not tell.
  const known = ours && !isUnseen(own);
  const definition = definitionOf(resource);
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, shown(definition, name, value)])),
    ...(known ? organization !== "" && { [organizationKey]: organization } : pick(declared, [organizationKey])),
    ...Object.fromEntries(protection.map((name) => [name, true])),
  };
}

/**
 * People are compared by themselves, except those whom the creation of a whole team leaves in it, and those who are unseen: a
 * team without people has nobody to compare.
 */
function optionsIn(resource: Resource): Properties {
  const { declared = {} } = resource;
  const options = pick(declared, [...namesOfOptions(resource), ...Object.keys(declared).filter(isUnseenIn(declared))]);
  const { members } = declared;
  if (!takesTeam(resource) || declared.removeExisting === undefined || typeof members !== "object") return options;
  return { ...options, members: Object.keys(propertiesIn(members)).map(userKey).sort() };
}

const isUnseenIn = (declared: Properties) => (name: string) => isUnseen(declared[name]);

/** The inputs that are no access themselves: options, and what replaces the resource, such as the team. */
function namesOfOptions(resource: Resource): string[] {
  const definition = definitionOf(resource);
  if (!definition) return [];
  const names = Object.keys(definition.inputs.shape).filter((name) => name !== organizationKey);
  const options = names.filter((name) => inputKindOf(definition, name) !== undefined);
  return [...options, ...names.filter((name) => metaOf(definition, name)?.replaces !== undefined)];
}

/** Notes that are unseen as a whole may have any guards. */
const guardsIn = (notes: unknown): Properties =>
  isUnseen(notes) && typeof notes === "string" ? { guards: notes } : pick(propertiesIn(notes), ["guards"]);
