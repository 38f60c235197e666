import { userKey } from "../../access/user";
import { meanings } from "../../resources/meanings";
import { type Properties, pick, propertiesIn } from "../../run/properties";
import { organizationsOf } from "./access";
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
  if (component) return pick(propertiesIn(declared.review), ["guards"]);
  const { [organizationKey]: _, ...own } = isAccess(resource) ? optionsIn(resource) : declared;
  return {
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name, shown(name, value)])),
    ...(ours ? organization !== "" && { [organizationKey]: organization } : pick(declared, [organizationKey])),
    ...Object.fromEntries(protection.map((name) => [name, true])),
  };
}

/** People are compared by themselves, except those whom the creation of a whole team leaves in it. */
function optionsIn(resource: Resource): Properties {
  const { type, declared = {} } = resource;
  const options = pick(declared, Object.keys(meanings[type] ?? {}));
  if (!takesTeam(resource) || declared.removeExisting === undefined) return options;
  return { ...options, members: Object.keys(propertiesIn(declared.members)).map(userKey).sort() };
}
