import { stringsIn } from "../../access/assignments";
import { type StackResources, servicesIn } from "../../hosts/stack-state";
import { idOutput } from "../../lifecycle/definition";
import { isEmail } from "../../people/user";
import { resourceAt } from "../../resources/urns";
import { type AppliedGrant, appliedIn, notesName } from "../../review/model/component-notes";
import { type Properties, propertiesIn } from "../../run/properties";
import { nameIn, organizationType, typesIn } from "../../run/urn";

export interface RecordedChild {
  readonly resource: string;
  readonly name: string;
  readonly outputs: Properties;
}

export interface RecordedOrganization {
  readonly recorded: readonly RecordedChild[];
  /**
   * URNs of other components of the same organization. A program has one component for an organization, so the component was
   * renamed or moved without an alias.
   */
  readonly formerComponents: readonly string[];
  /** Ids of the people whose recorded roles other resources of the stack manage. The component does not know their changes. */
  readonly rolesManagedElsewhere: readonly string[];
  /** Ids of all objects that the stack manages, in the component or elsewhere. */
  readonly managed: readonly string[];
  /** The grants with a time, as the notes of the component have them. */
  readonly applied: readonly AppliedGrant[];
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
export async function readRecorded(host: StateReader, organizationId: string): Promise<RecordedOrganization> {
  const [urns, resources] = await Promise.all([
    host.urns(),
    host.recordedResources("the guards need to know what the stack has managed so far"),
  ]);
  const managed = Object.entries(resources).flatMap(([urn, { outputs = {} }]) => {
    const id = outputs[idOutput(resourceAt(urn) ?? "")];
    return typeof id === "string" ? [id] : [];
  });
  const notesUrn = Object.keys(resources).find((urn) => urns.some((component) => isNotesOf(component, urn)));
  const applied = appliedIn(notesUrn === undefined ? undefined : resources[notesUrn]?.outputs);
  return { ...recordedIn(resources, urns, organizationId), managed, applied, services: servicesIn(resources) };
}

const isNotesOf = (component: string, urn: string): boolean =>
  urn.startsWith(beginOfChildren(component)) && nameIn(urn) === notesName(nameIn(component));

/** What the URNs of the children of a component begin with. */
const beginOfChildren = (urn: string): string => `${urn.slice(0, -`::${nameIn(urn)}`.length)}$`;

interface RecordedResource {
  readonly urn: string;
  readonly resource: string | undefined;
  readonly outputs: Properties;
}

/** What the resources of a stack say about the component with these URNs, the present one first. */
export function recordedIn(
  resources: StackResources,
  urns: readonly string[],
  organizationId: string,
): Omit<RecordedOrganization, "managed" | "services" | "applied"> {
  const all = Object.entries(resources).map(([urn, { outputs = {} }]) => ({ urn, resource: resourceAt(urn), outputs }));
  const isOwn = ({ urn }: RecordedResource) => urns.includes(componentOfRoles(urn) ?? "");
  const rolesOfOrganization = all.filter(
    ({ resource = "", outputs }) =>
      ["MemberRole", "MemberRoles"].includes(resource) && outputs.organizationId === organizationId,
  );
  const rolesElsewhere = rolesOfOrganization.filter((one) => !isOwn(one));
  const [present = "", ...aliases] = urns;
  // Present last: its child wins over a former one of the same name.
  const children = [...aliases, present]
    .flatMap((urn) => childrenUnder(urn, organizationId, all))
    .map(({ resource, key, outputs }) => ({ resource, name: `${nameIn(present)}-${key}`, outputs }));
  return {
    recorded: [...new Map(children.map((child) => [`${child.resource} ${child.name}`, child])).values()],
    formerComponents: rolesElsewhere.flatMap(({ urn }) => componentOfRoles(urn) ?? []),
    rolesManagedElsewhere: rolesElsewhere.flatMap(({ outputs }) => peopleIn(outputs)),
  };
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

/** Ids of the people in the outputs of a `MemberRole` or of `MemberRoles`, without those that a refresh has only found. */
function peopleIn({ userId, roles, userIds, found }: Properties): string[] {
  const users = Object.keys(propertiesIn(roles)).filter((user) => !isEmail(user));
  const undeclared = stringsIn(found);
  return stringsIn([userId, ...users, ...Object.values(propertiesIn(userIds))]).filter(
    (id) => !undeclared.includes(id),
  );
}

/**
 * The recorded children of one URN, with their keys in the file. A URN ends with the types of the parents, the type and the name;
 * the name of a child begins with the name of the component.
 */
function childrenUnder(urn: string, organizationId: string, all: readonly RecordedResource[]) {
  const namePrefix = `${nameIn(urn)}-`;
  const urnPrefix = beginOfChildren(urn);
  return all.flatMap(({ urn: other, resource, outputs }) => {
    const isChild = other.startsWith(urnPrefix) && typesIn(other).length === typesIn(urn).length + 1;
    const name = nameIn(other);
    if (resource === undefined || !isChild || !name.startsWith(namePrefix)) return [];
    const key = name.slice(namePrefix.length);
    // Names are ambiguous: "acme" with a site "eu-guide" looks like "acme-eu" with a site "guide". The organization decides.
    // The name of the roles is not ambiguous, and a guard reads in them that the component was for another organization until now.
    const isRoles = resource === "MemberRoles" && key === "members";
    return isRoles || outputs.organizationId === organizationId ? [{ resource, key, outputs }] : [];
  });
}
