import { matchable, matcherOf } from "../../access/patterns";
import { userKey } from "../../access/user";
import { type Properties, propertiesIn } from "../../run/properties";
import { containsSecret, secretValue, unknownValue } from "./masks";
import { anonymous } from "./people";
import type { Place } from "./place";
import type { Moment, Resource } from "./preview";

/** Not there at all: in no team, or no member of the organization. */
export const nothing = "none";
/** The preview does not tell: nobody has looked yet, or the value is known only when another resource is there. */
export const unknown = "unknown";
export const secret = "secret";

export interface Holding {
  readonly place: Place;
  /** As the resource names the person. */
  readonly user: string;
  /** A role, `unknown`, or `secret`. */
  readonly level: string;
  /** The state says that no member has the e-mail: the person has nothing yet. */
  readonly pending?: boolean;
}

/** The types whose resources say who has which access. */
export const accessTypes = ["MemberRole", "MemberRoles", "TeamMembership", "TeamMembers"];

export const isAccess = ({ ours, type }: Resource): boolean => ours && accessTypes.includes(type);

/** Whether it manages all of a team that it did not manage so far. */
export function takesTeam({ ours, type, operation, live, declared }: Resource): boolean {
  if (!ours || type !== "TeamMembers") return false;
  return operation === "create" || (operation === "replace" && live?.inputs.teamId !== declared?.teamId);
}

/** What a resource gives to whom, by its inputs as declared, or by a state. */
export function holdingsOf(resource: Resource, from: Moment | Properties, organization: string): Holding[] {
  const moment = isMoment(from) ? { ...from.inputs, ...from.outputs, ...unsettled(from) } : from;
  const read = readers[resource.type];
  return resource.ours && read ? read(resource, moment, organization) : [];
}

/** Where a change of the user has failed, inputs are of the one, and what is live of the other. */
const unsettled = ({ outputs }: Moment): Properties => ("releasing" in outputs ? { role: outputs.role } : {});

const isMoment = (from: Moment | Properties): from is Moment => "inputs" in from && "outputs" in from;

type Reader = (resource: Resource, properties: Properties, organization: string) => Holding[];

const readers: Record<string, Reader> = {
  MemberRole(resource, { user, userId, role, sso, releasing }, organization) {
    const who = userIn(resource, user, userId);
    const former = propertiesIn(releasing);
    const left: Holding[] =
      typeof former.userId === "string"
        ? [{ place: { kind: "role", organization }, user: former.userId, level: roleIn(former.role) }]
        : [];
    const marked: Holding[] = sso === true ? [{ place: { kind: "sso", organization }, user: who, level: "sso" }] : [];
    return [{ place: { kind: "role", organization }, user: who, level: roleIn(role) }, ...marked, ...left];
  },

  MemberRoles(resource, { roles, sso, ignore }, organization) {
    const ignored = matcherOf(stringsIn(ignore));
    const managed = (user: string) => !ignored(matchable(user));
    const given = entriesIn(resource, roles).filter(([user]) => managed(user));
    return [
      ...given.map(([user, role]) => ({ place: { kind: "role", organization } as const, user, level: roleIn(role) })),
      ...stringsIn(sso)
        .filter(managed)
        .map((user) => ({ place: { kind: "sso", organization } as const, user, level: "sso" })),
    ];
  },

  TeamMembership(resource, { teamId, user, userId, role, pending, releasing }, organization) {
    const place = { kind: "team", team: textIn(teamId), organization } as const;
    const former = propertiesIn(releasing);
    const left: Holding[] =
      typeof former.user === "string"
        ? [
            {
              place,
              user: userIn(resource, former.user, former.userId),
              level: former.role === undefined ? unknown : textIn(former.role),
              pending: former.userId === null,
            },
          ]
        : [];
    // Where a change of the user has failed, the state does not tell whether the new one is in the team.
    const level = role === undefined && left.length > 0 ? unknown : textIn(role ?? "member");
    return [{ place, user: userIn(resource, user, userId), level, pending: pending === true }, ...left];
  },

  TeamMembers(resource, { teamId, members, pending }, organization) {
    const place = { kind: "team", team: textIn(teamId), organization } as const;
    const waiting = new Set(stringsIn(pending).map(userKey));
    return entriesIn(resource, members).map(([user, role]) => {
      return { place, user, level: textIn(role), pending: waiting.has(userKey(user)) };
    });
  },
};

/** `guest` and null are one role. */
export function roleIn(role: unknown): string {
  return role === null || role === undefined ? "guest" : textIn(role);
}

/** A text, or why there is none. */
export function textIn(value: unknown): string {
  if (value === unknownValue) return unknown;
  if (value === secretValue || containsSecret(value)) return secret;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function userIn(resource: Resource, user: unknown, userId: unknown): string {
  if (typeof userId === "string") return userId;
  if (user === unknownValue) return anonymous("unknown", resource);
  if (user === secretValue) return anonymous("secret", resource);
  return String(user);
}

/** Users and what they get; somebody whom nobody can name where the whole map is not to be seen. */
function entriesIn(resource: Resource, map: unknown): [user: string, value: unknown][] {
  if (map === unknownValue) return [[anonymous("unknown", resource), unknownValue]];
  if (map === secretValue) return [[anonymous("secret", resource), secretValue]];
  if (typeof map !== "object" || map === null) return [];
  return Object.entries(map);
}

export function stringsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((item): item is string => typeof item === "string") : [];
}

/** The role that somebody had before a resource managed it; `undefined` where the state does not tell. */
export function previousRoleIn({ inputs, outputs }: Moment, names: readonly string[]): string | undefined {
  const former = propertiesIn(outputs.releasing);
  if (names.includes(String(former.userId))) return roleIn(former.previousRole);
  if ("previousRole" in outputs) return roleIn(outputs.previousRole);
  const { previousRoles, roles, userIds } = outputs;
  const listed = find(previousRoles, names);
  // Who is not listed had the role that was declared.
  return listed ?? find(roles ?? inputs.roles, names, propertiesIn(userIds));
}

/** By id if the state has one: the e-mail may be somebody else's by now. */
function find(map: unknown, names: readonly string[], userIds: Properties = {}): string | undefined {
  if (typeof map !== "object" || map === null) return undefined;
  const keyOf = (name: string) => String(userIds[userKey(name)] ?? userKey(name));
  const found = Object.entries(map).find(([name]) => names.includes(keyOf(name)));
  return found && roleIn(found[1]);
}
