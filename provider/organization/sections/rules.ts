import type { z } from "zod";
import { matchable, matcherOf } from "../../access/patterns";
import { userKey } from "../../access/user";
import { teamId, userName } from "../../resources/shared/common";
import { siteMistake } from "../../resources/site/properties";
import { type Mistake, mistakesIn, nearest, nearestUser } from "../../text/mistakes";
import { memberRoleAt } from "./grants";
import { type MemberGrant, organizationFile, organizationRoles, resourceName } from "./schema";

/** What is wrong, with the other place where two disagree. */
export interface Finding extends Mistake {
  readonly first?: readonly PropertyKey[];
}

type Path = readonly string[];
type Fields = Readonly<Record<string, unknown>>;

/**
 * Everything that is wrong with an organization at that time. Where only a part of it could be read, nothing is said about
 * what may be in the other.
 */
export function findingsIn(organization: unknown, now: Date, partial: boolean): Finding[] {
  const mistakes = mistakesIn(organizationFile, organization);
  const file = fieldsIn(organization);
  const missing = partial ? [] : [...missingAdmins(file, now), ...unknownTeams(file)];
  return [
    ...mistakes,
    ...badKeys(file),
    ...sameUsers(file),
    ...sameAddresses(file),
    ...ignoredMembers(file),
    ...twoForms(file),
    ...missing,
  ];
}

const hasFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const fieldsIn = (value: unknown): Fields => (hasFields(value) ? value : {});

const at = (file: Fields, ...path: Path): Fields => path.reduce((fields, key) => fieldsIn(fields[key]), file);

const teamIds = (file: Fields) => Object.keys(at(file, "teams"));

/** The maps that name users: the members, and those of each team. */
function mapsOfUsers(file: Fields): Path[] {
  const ofTeams = teamIds(file).flatMap((team) => ["members", "memberships"].map((map) => ["teams", team, map]));
  return [["members"], ...ofTeams];
}

function badKeys(file: Fields): Finding[] {
  const wrong = (schema: z.ZodType, path: Path) =>
    Object.keys(at(file, ...path)).flatMap((key) =>
      mistakesIn(schema, key).map(({ text }) => ({ path: [...path, key], text, unknown: true as const })),
    );
  const named = ["saml", "sites", "translations"].flatMap((section) => wrong(resourceName, [section]));
  return [...mapsOfUsers(file).flatMap((path) => wrong(userName, path)), ...wrong(teamId, ["teams"]), ...named];
}

function sameUsers(file: Fields): Finding[] {
  return mapsOfUsers(file).flatMap((path) => {
    const firsts = new Map<string, string>();
    return Object.keys(at(file, ...path)).flatMap((user): Finding[] => {
      const first = firsts.get(userKey(user));
      if (first === undefined) firsts.set(userKey(user), user);
      if (first === undefined) return [];
      const text = `"${user}" is the same user as "${first}"; keep one of them`;
      return [{ path: [...path, user], text, unknown: true, first: [...path, first] }];
    });
  });
}

/** Two sites can not have one address. */
function sameAddresses(file: Fields): Finding[] {
  const firsts = new Map<unknown, string>();
  return Object.keys(at(file, "sites")).flatMap((name): Finding[] => {
    const { basename } = at(file, "sites", name);
    const first = firsts.get(basename);
    if (typeof basename !== "string") return [];
    firsts.set(basename, first ?? name);
    if (first === undefined) return [];
    const text = `"${basename}" is the basename of ${first} as well; use another one`;
    return [{ path: ["sites", name, "basename"], text, first: ["sites", first, "basename"] }];
  });
}

function ignoredMembers(file: Fields): Finding[] {
  return teamIds(file).flatMap((team) => {
    const { members, ignore } = at(file, "teams", team);
    const patterns = Array.isArray(ignore) ? ignore.filter((one) => typeof one === "string") : [];
    const ignored = matcherOf(patterns);
    const both = Object.keys(fieldsIn(members)).filter((user) => ignored(matchable(user)));
    return both.map((user): Finding => {
      const text = `"${user}" is in ignore of the team as well; use either members or ignore`;
      return { path: ["teams", team, "members", user], text, unknown: true };
    });
  });
}

function missingAdmins(file: Fields, now: Date): Finding[] {
  if (!hasFields(file.members)) return [];
  const members = Object.entries(at(file, "members"));
  const admins = members.filter(([, declared]) => mayBeAdmin(declared, now)).map(([user]) => user);
  return [...tooFewAdmins(file, admins), ...requiredAdmins(file, admins)];
}

/** A role that is misspelt may be meant as the one of an administrator, so it is not counted against anybody. */
function mayBeAdmin(declared: unknown, now: Date): boolean {
  const role = typeof declared === "string" ? declared : fieldsIn(declared).role;
  if (!(organizationRoles as readonly unknown[]).includes(role)) return true;
  return memberRoleAt(declared as MemberGrant, now) === "admin";
}

function tooFewAdmins(file: Fields, admins: readonly string[]): Finding[] {
  const { minAdmins } = at(file, "guards");
  if (typeof minAdmins !== "number" || admins.length >= minAdmins) return [];
  const some = admins.length === 0 ? "no administrator" : `only ${admins.length} (${admins.slice(0, 5).join(", ")})`;
  const text = `found ${minAdmins}, and members has ${some}; name more administrators`;
  return [{ path: ["guards", "minAdmins"], text }];
}

function requiredAdmins(file: Fields, admins: readonly string[]): Finding[] {
  const { requiredAdmins } = at(file, "guards");
  if (!Array.isArray(requiredAdmins)) return [];
  const known = new Set(admins.map(userKey));
  const members = new Map(Object.keys(at(file, "members")).map((user) => [userKey(user), user]));
  return requiredAdmins.flatMap((user: unknown, index): Finding[] => {
    if (typeof user !== "string" || known.has(userKey(user))) return [];
    const declared = members.get(userKey(user));
    return [{ path: ["guards", "requiredAdmins", index], text: notAdmin(file, user, declared, [...members.values()]) }];
  });
}

function notAdmin(file: Fields, user: string, declared: string | undefined, members: readonly string[]): string {
  if (declared === undefined) {
    const guess = nearestUser(user, members);
    return `"${user}" is not in members; ${guess ? `did you mean "${guess}"?` : `add ${user} there as admin`}`;
  }
  const entry = at(file, "members")[declared] as MemberGrant;
  const role = memberRoleAt(entry, new Date(0));
  const ended = role === "admin" ? `was admin to the end of ${entry.expires?.on}` : `has the role ${role}`;
  return `"${user}" ${ended} in members; use admin there, or do not require it`;
}

/** Without `teams`, none is managed here, and any id may be right. */
function unknownTeams(file: Fields): Finding[] {
  if (!hasFields(file.teams)) return [];
  const known = teamIds(file);
  return Object.entries(at(file, "saml")).flatMap(([name, declared]): Finding[] => {
    const { defaultTeam: team } = fieldsIn(declared);
    if (typeof team !== "string" || known.includes(team)) return [];
    const guess = nearest(team, known);
    const hint = guess
      ? `did you mean "${guess}"?`
      : `add it there by its id; with nothing but a title, its members are not managed`;
    return [{ path: ["saml", name, "defaultTeam"], text: `"${team}" is not in teams; ${hint}` }];
  });
}

function twoForms(file: Fields): Finding[] {
  const providers = Object.entries(at(file, "saml")).flatMap(([name, declared]): Finding[] => {
    const { certificate, certificateFile } = fieldsIn(declared);
    if (certificate === undefined || certificateFile === undefined) return [];
    return [{ path: ["saml", name, "certificateFile"], text: "use either certificate or certificateFile" }];
  });
  const teams = teamIds(file).flatMap((id) => wrongMemberships(id, at(file, "teams", id)));
  const schemas = Object.entries(at(file, "sites")).flatMap(([name, declared]): Finding[] => {
    const { adaptiveSchema } = fieldsIn(declared);
    const { jsonSchema, claims, unsignedClaims } = fieldsIn(adaptiveSchema);
    const unclear = (jsonSchema === undefined) === (claims === undefined && unsignedClaims === undefined);
    if (adaptiveSchema === undefined || !unclear) return [];
    return [{ path: ["sites", name, "adaptiveSchema"], text: "use either jsonSchema, or claims and unsignedClaims" }];
  });
  const wrong = Object.entries(at(file, "sites")).flatMap(([name, declared]): Finding[] => {
    const { property, message } = siteMistake(fieldsIn(declared)) ?? {};
    return property === undefined ? [] : [{ path: ["sites", name, property], text: String(message) }];
  });
  return [...providers, ...teams, ...schemas, ...wrong];
}

/** Who manages a team manages everybody in it; the options say how. */
function wrongMemberships(id: string, team: Fields): Finding[] {
  if (team.memberships === undefined) return [];
  if (team.members !== undefined) {
    const text = `team ${id} has members, which are everybody in it; write these people there, or remove members if others manage the team`;
    return [{ path: ["teams", id, "memberships"], text, unknown: true, first: ["teams", id, "members"] }];
  }
  const options = ["ignore", "removeExisting", "allowNoOwner", "onDestroy"].filter((name) => team[name] !== undefined);
  const text = "it says how members are managed, and this team has memberships; remove it";
  return options.map((name) => ({ path: ["teams", id, name], text, unknown: true }));
}
