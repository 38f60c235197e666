import { type StackResources, servicesIn } from "../../hosts/stack-state";
import { isEmail } from "../../people/user";
import { resourceAt } from "../../resources/urns";
import { type Properties, propertiesIn } from "../../run/properties";
import { nameIn, organizationType, typesIn } from "../../run/urn";

export interface RecordedChild {
  readonly resource: string;
  readonly name: string;
  readonly outputs: Properties;
}

export interface Recorded {
  readonly children: readonly RecordedChild[];
  /**
   * URNs of other components of the same organization. A program has one component for an organization, so the component was
   * renamed or moved without an alias.
   */
  readonly formerComponents: readonly string[];
  /** Ids of the people whose recorded roles other resources of the stack manage. The component does not know their changes. */
  readonly rolesManagedElsewhere: readonly string[];
  /** The services of the recorded resources, each with a description of those resources. */
  readonly services: Readonly<Record<string, string>>;
}

export interface StateReader {
  /** The URN of the component, and its earlier ones. */
  urns(): Promise<readonly string[]>;
  /** The recorded resources of the stack. `why` begins the message if they cannot be read. */
  recordedResources(why: string): Promise<StackResources>;
}

/**
 * Reads which resources the stack has recorded for a component. Programs cannot read the state of their own stack, except
 * through the engine's function for stack references, which answers for the current stack as well.
 */
export async function readRecorded(host: StateReader, organizationId: string): Promise<Recorded> {
  const [[urn = "", ...aliases], outputs] = await Promise.all([
    host.urns(),
    host.recordedResources("the guards need to know what the stack has managed so far"),
  ]);
  return {
    children: findChildren(urn, aliases, organizationId, outputs),
    formerComponents: findFormerComponents([urn, ...aliases], organizationId, outputs),
    rolesManagedElsewhere: findRolesManagedElsewhere([urn, ...aliases], organizationId, outputs),
    services: servicesIn(outputs),
  };
}

/**
 * The recorded children of a component, including those under its aliases. A URN ends with the types of the parents, the type
 * and the name; the name of a child begins with the name of the component.
 */
export function findChildren(
  urn: string,
  aliases: readonly string[],
  organizationId: string,
  resources: StackResources,
): RecordedChild[] {
  const own = `${nameIn(urn)}-`;
  const found = [...aliases, urn].flatMap((one) => childrenUnder(one, organizationId, resources));
  const named = found.map(({ resource, key, outputs }) => ({ resource, name: own + key, outputs }));
  return [...new Map(named.map((child) => [`${child.resource} ${child.name}`, child])).values()];
}

/** Other components of the organization, found by their `MemberRoles`. */
export function findFormerComponents(
  known: readonly string[],
  organizationId: string,
  resources: StackResources,
): string[] {
  return Object.entries(resources).flatMap(([urn, { outputs = {} }]) => {
    const component = componentOfRoles(urn);
    if (component === undefined || outputs.organizationId !== organizationId) return [];
    return known.includes(component) ? [] : [component];
  });
}

/** The URN of the component whose roles are recorded at a URN; `undefined` if no component manages them. */
function componentOfRoles(urn: string): string | undefined {
  const isOfComponent = typesIn(urn).at(-2) === organizationType;
  if (resourceAt(urn) !== "MemberRoles" || !isOfComponent || !nameIn(urn).endsWith(rolesName)) return undefined;
  const [scheme, project] = urn.split("::");
  return [scheme, project, typesIn(urn).slice(0, -1).join("$"), nameIn(urn).slice(0, -rolesName.length)].join("::");
}

/** The end of the name of the resource that manages the roles. */
const rolesName = "-members";

/** Ids of the people whose roles are managed by resources outside the component. */
export function findRolesManagedElsewhere(
  known: readonly string[],
  organizationId: string,
  resources: StackResources,
): string[] {
  return Object.entries(resources).flatMap(([urn, { outputs = {} }]) => {
    const isAboutRoles = ["MemberRole", "MemberRoles"].includes(resourceAt(urn) ?? "");
    if (!isAboutRoles || outputs.organizationId !== organizationId) return [];
    const component = componentOfRoles(urn);
    if (component !== undefined && known.includes(component)) return [];
    const users = Object.keys(propertiesIn(outputs.roles)).filter((user) => !isEmail(user));
    return [outputs.userId, ...users, ...Object.values(propertiesIn(outputs.userIds))].filter(
      (id) => typeof id === "string",
    );
  });
}

/** The recorded children of one URN, with their keys in the file. */
function childrenUnder(urn: string, organizationId: string, resources: StackResources) {
  const own = `${nameIn(urn)}-`;
  const beginning = `${urn.slice(0, urn.length - nameIn(urn).length - 2)}$`;
  return Object.entries(resources).flatMap(([other, { outputs = {} }]) => {
    const resource = resourceAt(other);
    const isChild = other.startsWith(beginning) && typesIn(other).length === typesIn(urn).length + 1;
    const name = nameIn(other);
    if (resource === undefined || !isChild || !name.startsWith(own)) return [];
    const key = name.slice(own.length);
    // Names are ambiguous: "acme" with a site "eu-guide" looks like "acme-eu" with a site "guide". The organization decides.
    const isRoles = resource === "MemberRoles" && key === "members";
    return isRoles || outputs.organizationId === organizationId ? [{ resource, key, outputs }] : [];
  });
}
