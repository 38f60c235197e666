import { userKey } from "../../access/user";
import type { ResourceName } from "../../resources/names";
import type { Properties } from "../../run/properties";
import { memberGrant, memberRoleAt, teamGrant, teamRoleAt } from "./grants";
import type { OrganizationFile } from "./schema";

/** The type of the component, in URNs and in import files. */
export const organizationType = "docs:index:Organization";

/** The type of what a component tells reviews, which is registered once its guards have passed; and its name. */
export const notesType = "docs:index:OrganizationNotes";
export const notesName = (name: string): string => childName(name, "notes");

/** The roles of a file are one resource, which names everybody. */
type ChildName = Exclude<ResourceName, "MemberRole">;

/** A resource of an organization: what a program would declare by hand. */
export interface Child {
  readonly resource: ChildName;
  /** The key in the file below the name of the organization; with the type it is the end of the URN, which never changes. */
  readonly name: string;
  readonly inputs: Properties;
  /** Whether the engine refuses to delete it; left out, it is as its parent. */
  readonly protect?: boolean | undefined;
  /** Key of the site in the file whose id becomes the input `siteId`. */
  readonly site?: string;
}

/** The name of a resource in an organization of that name, by its key in the file. */
export const childName = (name: string, key: string): string => `${name}-${key}`;

/**
 * The resources that an organization stands for at that time. There is one `MemberRoles` also where nobody is a member: when
 * the last line leaves the file, it says what that means.
 */
export function childrenOf(name: string, organization: OrganizationFile, now: Date): Child[] {
  const { organization: organizationId, saml = {}, sites = {}, translations = {} } = organization;
  const child = (resource: ChildName, key: string, inputs: Properties, protect?: boolean): Child => ({
    resource,
    name: childName(name, key),
    inputs: { organizationId, ...defined(inputs) },
    protect,
  });
  const ofSites = Object.entries(sites).flatMap(([key, declared]) => {
    const { adaptiveSchema, order, protect = true, allowPublic: _, ...inputs } = declared;
    const ofSite = (resource: ChildName, more: Properties) => ({ ...child(resource, key, more), site: key });
    return [
      child("Site", key, inputs, protect),
      ...(adaptiveSchema ? [ofSite("SiteAdaptiveSchema", adaptiveSchema)] : []),
      ...(order ? [ofSite("SiteStructureOrder", { order })] : []),
    ];
  });
  return [
    child("MemberRoles", "members", rolesOf(organization, now)),
    ...teamsOf(organization, now).map(([id, inputs]) => child("TeamMembers", id, inputs)),
    ...membershipsOf(organization, now).map((inputs) =>
      child("TeamMembership", `${inputs.teamId}/${userKey(inputs.user)}`, inputs),
    ),
    ...Object.entries(saml).map(([key, { protect, certificateFile: _, ...inputs }]) =>
      child("SamlProvider", key, inputs, protect),
    ),
    ...ofSites,
    ...Object.entries(translations).map(([key, inputs]) => child("Translation", key, inputs)),
  ];
}

/** The classes know by themselves what a property that is left out means. */
const defined = (inputs: Properties): Properties =>
  Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== undefined));

/** What `onRemoval` and the end of a grant are called in `MemberRoles`. */
const endOf = { leave: "leave", previous: "restore", guest: "guest", remove: "remove" } as const;

/** A person whose grant is over leaves the roles, and what follows is said of that person alone. */
function rolesOf({ members = {}, onRemoval = "guest" }: OrganizationFile, now: Date): Properties {
  const roles: Record<string, string> = {};
  const ended: Record<string, string> = {};
  for (const [user, declared] of Object.entries(members)) {
    const role = memberRoleAt(declared, now);
    if (role === "previous" || role === "remove") ended[user] = endOf[role];
    else roles[user] = role;
  }
  const sso = Object.keys(roles).filter((user) => memberGrant(members[user] ?? "guest").sso);
  return {
    roles,
    onRemoval: endOf[onRemoval],
    ...(sso.length > 0 && { sso }),
    ...(Object.keys(ended).length > 0 && { onRemovalOf: ended }),
  };
}

/** Who is removed from the organization is in none of its teams. */
function removedFrom({ members = {} }: OrganizationFile, now: Date): ReadonlySet<string> {
  const removed = Object.entries(members).filter(([, declared]) => memberRoleAt(declared, now) === "remove");
  return new Set(removed.map(([user]) => userKey(user)));
}

/** Single people in teams that others manage. The slash cannot stand in the id of a team. */
function membershipsOf(organization: OrganizationFile, now: Date) {
  const gone = removedFrom(organization, now);
  return Object.entries(organization.teams ?? {}).flatMap(([teamId, { memberships = {} }]) =>
    Object.entries(memberships).flatMap(([user, declared]) => {
      const role = teamRoleAt(declared, now);
      return role === "remove" || gone.has(userKey(user)) ? [] : [{ teamId, user, role }];
    }),
  );
}

function teamsOf(organization: OrganizationFile, now: Date): [id: string, Properties][] {
  const { teams = {} } = organization;
  const gone = removedFrom(organization, now);
  return Object.entries(teams).flatMap(([teamId, { title: _, memberships: __, members, ...options }]) => {
    if (!members) return [];
    const roles = Object.entries(members).map(([user, declared]) => [user, teamRoleAt(declared, now)] as const);
    const present = roles.filter(([user, role]) => role !== "remove" && !gone.has(userKey(user)));
    const owned = Object.values(members).some((declared) => teamGrant(declared).role === "owner");
    // A grant that is over ends, also that of the last owner; previews have said so before.
    const orphaned = owned && !present.some(([, role]) => role === "owner");
    const declared = { teamId, members: Object.fromEntries(present), ...options };
    return [[teamId, { ...declared, ...(orphaned && { allowNoOwner: true }) }]];
  });
}
