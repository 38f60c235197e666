import type { OrganizationRecord } from "../../../provider/emulator/store/state";
import type { OrganizationFile } from "../../../provider/organization/file/types";
import type { FaultStack } from "../stack";
import { randomNow } from "./organizations";

/** What a file means for an organization, written apart from the product: the access that follows, and what is not as declared. */

export interface ExpectedAccess {
  /** By user id; null is a guest. */
  readonly roles: Map<string, string | null>;
  /** By team id and user id. */
  readonly teams: Map<string, Map<string, string>>;
}

export const expectedAccess = ({ members, teams }: OrganizationRecord): ExpectedAccess => ({
  roles: new Map([...members.values()].map(({ id, role }) => [id, role])),
  teams: new Map(
    [...teams.values()].map((team) => [team.id, new Map([...team.members].map(([id, { role }]) => [id, role]))]),
  ),
});

/** One line for each role and membership, so that a difference can be read. */
export const linesOfAccess = ({ roles, teams }: ExpectedAccess): string[] =>
  [
    ...[...roles].map(([user, role]) => `${user}: ${role ?? "guest"}`),
    ...[...teams].flatMap(([team, people]) => [...people].map(([user, role]) => `${team} ${user}: ${role}`)),
  ].sort();

/** What an up leaves in the state, as far as it decides what a later up does. */
export interface Managed {
  /** The previous roles of the people with a managed role. */
  readonly roles: ReadonlyMap<string, string | null>;
  readonly teams: ReadonlyMap<string, ManagedTeam>;
}
interface ManagedTeam {
  readonly people: ReadonlySet<string>;
  readonly whole: boolean;
  readonly leaves: boolean;
}
export const nothingManaged: Managed = { roles: new Map(), teams: new Map() };

const order: readonly (string | null)[] = [null, "read", "comment", "edit", "review", "create", "admin"];
/** Whether the moment has come: a time, or that time `ofDay` of a day. */
const isOver = (moment: string, ofDay: string, at: Date) =>
  new Date(moment.length === 10 ? `${moment}T${ofDay}Z` : moment) <= at;

interface Term {
  readonly from?: string;
  readonly expires?: { readonly on: string; readonly then?: string };
}
type Grant = string | (Term & { readonly role: string });
const givenAt = (grant: Grant, at: Date): string => {
  if (typeof grant === "string") return grant;
  const { role, from, expires } = grant;
  if (from !== undefined && !isOver(from, "00:00:00.000", at)) return "leave";
  return expires && isOver(expires.on, "23:59:59.999", at) ? (expires.then ?? "remove") : role;
};
const notGiven = ["remove", "restore", "leave"];

/** The user id behind a name in the file; the name of a person who is no longer a member, with an e-mail in lower case. */
export const idOfName = (organization: OrganizationRecord, name: string): string => idsIn(organization)(name);

export function idsIn({ members }: OrganizationRecord): (name: string) => string {
  const ids = new Map([...members.values()].map(({ id, email }) => [email?.toLowerCase(), id]));
  return (name) =>
    members.has(name) ? name : (ids.get(name.toLowerCase()) ?? (name.includes("@") ? name.toLowerCase() : name));
}

interface People {
  readonly roles: ReadonlyMap<string, string>;
  readonly teams: ReadonlyMap<string, { readonly whole: boolean; readonly people: ReadonlyMap<string, string> }>;
}

/** Who has what at a time, as the file says. */
function peopleIn(file: OrganizationFile, organization: OrganizationRecord, at: Date): People {
  const id = idsIn(organization);
  const named = (map: object) =>
    new Map(Object.entries(map).map(([name, grant]) => [id(name), givenAt(grant as Grant, at)]));
  const roles = named(file.members ?? {});
  const teams = Object.entries(file.teams ?? {}).map(([id, { members, memberships }]) => {
    const people = [...named(members ?? memberships ?? {})];
    const staying = people.filter(([user, role]) => !notGiven.includes(role) && roles.get(user) !== "remove");
    return [id, { whole: members !== undefined, people: new Map(staying) }] as const;
  });
  return { roles, teams: new Map(teams) };
}

/** The people of a team who stay as they are: ignored ones, and those whose grant is yet to begin. */
const ignoredIn = ({ teams }: OrganizationFile, id: string, at: Date): string[] => {
  const { ignore = [], members = {} } = teams?.[id] ?? {};
  return [...ignore, ...Object.keys(members).filter((name) => givenAt(members[name] as Grant, at) === "leave")];
};

/** The access after the up of the file, and what is managed then. */
export function expectedAfter(
  file: OrganizationFile,
  organization: OrganizationRecord,
  before: ExpectedAccess,
  managed: Managed,
  at = randomNow,
): { access: ExpectedAccess; managed: Managed } {
  const declared = peopleIn(file, organization, at);
  const [after, gone, previousRoles] = [new Map(before.roles), new Set<string>(), new Map<string, string | null>()];
  for (const [user, role] of before.roles) {
    const wanted = declared.roles.get(user);
    if (wanted !== undefined && !notGiven.includes(wanted)) {
      after.set(user, wanted === "guest" ? null : wanted);
      const known = managed.roles.get(user);
      previousRoles.set(user, known === undefined ? role : known);
    } else if (managed.roles.has(user)) {
      const release = wanted ?? file.onRelease ?? "guest";
      const previous = managed.roles.get(user) ?? null;
      if (release === "guest") after.set(user, null);
      if (release === "restore" && order.indexOf(previous) < order.indexOf(role)) after.set(user, previous);
      if (release === "remove") gone.add(user);
    }
  }
  for (const user of gone) after.delete(user);
  const teams = [...before.teams].map(([id, people]) => {
    const { whole, people: wanted } = declared.teams.get(id) ?? { whole: false, people: new Map<string, string>() };
    const ignored = ignoredIn(file, id, at).map((name) => idOfName(organization, name));
    const former = managed.teams.get(id);
    const isReleased = (user: string) => former?.people.has(user) === true;
    const stays = (user: string) => {
      if (!whole) return former?.leaves || !isReleased(user);
      // A resource of a single person does not know that the file ignores the person from now on, and removes the person.
      return ignored.includes(user) && (former?.whole || !isReleased(user));
    };
    const kept = [...people].filter(([user]) => stays(user));
    return [id, new Map([...kept, ...wanted].filter(([user]) => after.has(user)))] as const;
  });
  return {
    access: { roles: after, teams: new Map(teams) },
    managed: {
      roles: previousRoles,
      teams: new Map(
        [...declared.teams].map(([id, { people, whole }]) => {
          const leaves = file.teams?.[id]?.onRelease === "leave";
          return [id, { people: new Set(people.keys()), whole, leaves }];
        }),
      ),
    },
  };
}

/** The resources of the file whose objects are not as the file declares them. */
export function differing(file: OrganizationFile, organization: OrganizationRecord, stack: FaultStack): string[] {
  const { roles, teams } = peopleIn(file, organization, randomNow);
  const live = expectedAccess(organization);
  const isRoleWrong = [...roles].some(([user, role]) => ![...notGiven, live.roles.get(user) ?? "guest"].includes(role));
  return [
    ...(isRoleWrong ? ["MemberRoles acme-members"] : []),
    ...[...teams].flatMap(([id, { whole, people }]) => {
      const present = live.teams.get(id) ?? new Map<string, string>();
      const wrong = [...people].filter(([user, role]) => present.get(user) !== role).map(([user]) => user);
      const declared = Object.keys(file.teams?.[id]?.memberships ?? {});
      if (!whole) {
        const names = declared.filter((name) => wrong.includes(idOfName(organization, name)));
        return names.map((name) => `TeamMembership acme-${id}/${name.includes("@") ? name.toLowerCase() : name}`);
      }
      const ignored = ignoredIn(file, id, randomNow).map((name) => idOfName(organization, name));
      const more = [...present.keys()].some((user) => !people.has(user) && !ignored.includes(user));
      return wrong.length > 0 || more ? [`TeamMembers acme-${id}`] : [];
    }),
    ...objectsDiffering(file, organization, stack),
  ].sort();
}

/** The texts of a document, at any depth. */
const textsIn = (node: unknown): string[] =>
  typeof node === "object" && node !== null
    ? Object.entries(node).flatMap(([key, value]) => (key === "text" ? [String(value)] : textsIn(value)))
    : [];

function objectsDiffering(
  file: OrganizationFile,
  { sites, saml, translations }: OrganizationRecord,
  stack: FaultStack,
): string[] {
  const of = <Live>(resource: string, key: string, all: ReadonlyMap<string, Live>) =>
    all.get(stack.recorded.get(`${resource} acme-${key}`)?.id ?? "");
  const has = (live: object | undefined, wanted: object) =>
    live !== undefined && Object.entries(wanted).every(([name, value]) => Reflect.get(live, name) === value);
  return [
    ...Object.entries(file.sites ?? {}).flatMap(([key, declared]) => {
      const { title, visibility, published, adaptiveSchema } = declared;
      const live = of("Site", key, sites);
      const { jsonSchema } = of("SiteAdaptiveSchema", key, sites)?.adaptiveSchema ?? {};
      const { unsigned: _, ...claims } = (jsonSchema?.properties ?? {}) as Record<string, object>;
      const wanted = adaptiveSchema?.claims;
      const same =
        Object.keys(claims).length === Object.keys(wanted ?? {}).length &&
        Object.entries(wanted ?? {}).every(([name, claim]) => has(claims[name], claim));
      return [
        ...(has(live, { title, published, ...(visibility && { visibility }) }) ? [] : [`Site acme-${key}`]),
        ...(wanted === undefined || (live && same) ? [] : [`SiteAdaptiveSchema acme-${key}`]),
      ];
    }),
    ...Object.entries(file.saml ?? {}).flatMap(([key, { defaultRole, ...declared }]) => {
      const role = defaultRole === undefined ? {} : { defaultRole: defaultRole === "guest" ? null : defaultRole };
      return has(of("SamlProvider", key, saml), { ...declared, ...role }) ? [] : [`SamlProvider acme-${key}`];
    }),
    ...Object.entries(file.translations ?? {}).flatMap(([key, { language, instructions }]) => {
      const live = of("Translation", key, translations);
      const texts = textsIn(live?.instructions);
      // Blank instructions are a document without a paragraph.
      const isBlank = instructions === undefined || `${instructions}`.trim() === "";
      const same = live?.language === language && (isBlank || texts.includes(`${instructions}`));
      return same ? [] : [`Translation acme-${key}`];
    }),
  ];
}
