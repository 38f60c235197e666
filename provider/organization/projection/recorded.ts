import * as pulumi from "@pulumi/pulumi";
import { isEmail } from "../../access/user";
import { aliasesOf } from "../../hosts/dynamic/sdk-internals";
import { nameIn, recordedResources, type StackResources, servicesIn } from "../../hosts/dynamic/stack-resources";
import { type Properties, propertiesIn } from "../../run/properties";

/** A resource of an organization as the last run left it. */
export interface RecordedChild {
  /** The class. */
  readonly resource: string;
  readonly name: string;
  readonly outputs: Properties;
}

/** What the stack holds of an organization. */
export interface Recorded {
  readonly children: readonly RecordedChild[];
  /**
   * URNs of other components of the same organization. A program has one component for an organization, so these are what
   * it was until now: renamed or moved, without an alias that says so.
   */
  readonly former: readonly string[];
  /** Ids of the people whose roles other resources of the stack have managed: what these become, the component does not know. */
  readonly elsewhere: readonly string[];
  /** The services that the stack's resources belong to, with some words for those. */
  readonly services: Readonly<Record<string, string>>;
}

/**
 * What the stack holds of the resources in a component: whom it has managed so far. The engine keeps that from programs,
 * except through this function of its own, which answers for any stack, the present one as well.
 */
export async function readRecorded(component: pulumi.ComponentResource, organizationId: string): Promise<Recorded> {
  const [[urn = "", ...aliases], outputs] = await Promise.all([
    new Promise<string[]>((resolve) => pulumi.all([component.urn, ...aliasesOf(component)]).apply(resolve)),
    recordedResources("the guards need to know what the stack has managed so far"),
  ]);
  return {
    children: childrenIn(urn, aliases, organizationId, outputs),
    former: formerIn([urn, ...aliases], organizationId, outputs),
    elsewhere: managedElsewhere([urn, ...aliases], organizationId, outputs),
    services: servicesIn(outputs),
  };
}

const types = "pulumi-nodejs:dynamic/docs:";
const rolesPattern = /^(.*[:$]docs:index:Organization)\$pulumi-nodejs:dynamic\/docs:MemberRoles::(.+)-members$/;

/**
 * The children of a component of an organization, under its name, also those that it had as one of its aliases. A URN ends in
 * the types of the components above, the type and the name; names of children begin with that of the component.
 */
export function childrenIn(
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

/** Components of the organization under other URNs: each has a `MemberRoles`. */
export function formerIn(known: readonly string[], organizationId: string, resources: StackResources): string[] {
  return Object.entries(resources).flatMap(([urn, { outputs = {} }]) => {
    const [, above, name] = rolesPattern.exec(urn) ?? [];
    if (!above || outputs.organizationId !== organizationId) return [];
    const component = `${above}::${name}`;
    return known.includes(component) ? [] : [component];
  });
}

const memberRolePattern = /[:$]pulumi-nodejs:dynamic\/docs:MemberRoles?::/;

/** Ids of the people whose roles resources manage that are not of the component. */
export function managedElsewhere(
  known: readonly string[],
  organizationId: string,
  resources: StackResources,
): string[] {
  const own = known.map(
    (urn) => `${urn.slice(0, urn.length - nameIn(urn).length - 2)}$${types}MemberRoles::${nameIn(urn)}-members`,
  );
  return Object.entries(resources).flatMap(([urn, { outputs = {} }]) => {
    if (!memberRolePattern.test(urn) || own.includes(urn) || outputs.organizationId !== organizationId) return [];
    const users = Object.keys(propertiesIn(outputs.roles)).filter((user) => !isEmail(user));
    return [outputs.userId, ...users, ...Object.values(propertiesIn(outputs.userIds))].filter(
      (id) => typeof id === "string",
    );
  });
}

/** With the keys of the file that they are named by. */
function childrenUnder(urn: string, organizationId: string, resources: StackResources) {
  const own = `${nameIn(urn)}-`;
  const beginning = `${urn.slice(0, urn.length - nameIn(urn).length - 2)}$${types}`;
  return Object.entries(resources).flatMap(([other, { outputs = {} }]) => {
    if (!other.startsWith(beginning)) return [];
    const [resource = "", ...rest] = other.slice(beginning.length).split("::");
    const name = rest.join("::");
    if (!name.startsWith(own)) return [];
    const key = name.slice(own.length);
    // "acme" may have a site "eu-guide", and "acme-eu" a site "guide"; the roles tell which organization it was until now.
    const isRoles = resource === "MemberRoles" && key === "members";
    return isRoles || outputs.organizationId === organizationId ? [{ resource, key, outputs }] : [];
  });
}
