import type { Member } from "../../provider/api/groups/members";
import { auditOf } from "../../provider/audit/audit";
import { ownStates } from "../../provider/audit/declarations";
import type { Audit } from "../../provider/audit/report";
import { readState } from "../../provider/audit/state";
import type { LiveOrganization } from "../../provider/organization/live/live";
import { sectionNames } from "../../provider/organization/sections";

export interface StateEntry {
  readonly type: string;
  readonly name?: string;
  readonly id?: string;
  readonly inputs?: object;
  readonly outputs?: object;
  readonly delete?: boolean;
  readonly external?: boolean;
}

/** A state as `pulumi stack export` prints it: the inputs stand in the outputs as well. */
export function exported(stack: string, ...resources: readonly StateEntry[]): string {
  const start = `urn:pulumi:${stack}::docs::`;
  const all = resources.map(({ type: short, name = "one", id = "id", inputs = {}, outputs = {}, ...marks }) => {
    const type = short === "OrganizationNotes" ? `docs:index:${short}` : `pulumi-nodejs:dynamic/docs:${short}`;
    const own = { organizationId: "acme", ...inputs, ...outputs };
    return { urn: `${start}${type}::${name}`, custom: true, type, id, inputs, outputs: own, ...marks };
  });
  const above = { urn: `${start}pulumi:pulumi:Stack::docs-${stack}`, custom: false, type: "pulumi:pulumi:Stack" };
  return JSON.stringify({ version: 3, deployment: { manifest: {}, resources: [above, ...all] } });
}

/** A member, who hides the e-mail if it is an empty text. */
export function person(
  id: string,
  role: string | null = "read",
  email: string | undefined = `${id}@acme.test`,
): Member {
  const user = { object: "user", id, displayName: `Name of ${id}`, ...(email !== "" && { email }), urls: {} };
  return { object: "member", id, role, user, disabled: false, sso: false, spaces: 0, teams: 0 } as unknown as Member;
}

const nothing = () =>
  Object.fromEntries(sectionNames.map((name) => [name, []])) as unknown as Omit<LiveOrganization, "organizationId">;

/** What is live: members, and teams by id with the roles of their people. */
export function liveWith(
  members: readonly Member[],
  teams: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
  more: Partial<LiveOrganization> = {},
): LiveOrganization {
  const users = new Map(members.map(({ user }) => [user.id, user]));
  return {
    ...nothing(),
    organizationId: "acme",
    members,
    teams: Object.entries(teams).map(([id, people]) => ({
      id,
      title: `Title of ${id}`,
      people: Object.entries(people).map(([userId, role]) => ({ userId, role, ...users.get(userId) })),
    })),
    ...more,
  };
}

export const site = (id: string, visibility = "public", published = true, title = `Title of ${id}`) =>
  ({ id, title, visibility, published }) as LiveOrganization["sites"][number];
export const provider = (id: string, defaultRole: string | null = "read", label = `Label of ${id}`) =>
  ({ id, label, status: "active", defaultRole }) as LiveOrganization["saml"][number];
export const translation = (id: string, language = "fr", space = "guides") =>
  ({ id, language, source: { space, language: "en" } }) as LiveOrganization["translations"][number];

/** The audit of a live organization and of states, each as its text. */
export function audited(live: LiveOrganization, ...states: readonly string[]): Audit {
  const read = states.map((text, index) => readState(text, `state ${index + 1}`));
  return auditOf(live, ownStates(read, live.organizationId));
}

/** Who and what is unmanaged, in short and in order. */
export const unmanagedIn = ({ unmanaged }: Audit): string[] => [
  ...unmanaged.roles.map(({ userId, role }) => `${userId} ${role}`),
  ...unmanaged.memberships.map(({ team, userId, role }) => `${team.id} ${userId} ${role}`),
  ...[...unmanaged.saml, ...unmanaged.sites, ...unmanaged.translations].map(({ id }) => id),
];

/** An audit in which everything that people choose has this name. */
export function named(name: string): Audit {
  const live = liveWith(
    [person("ada", "admin", name), person(`id ${name}`, "read"), person("bea", null)],
    { [name]: { ada: "owner", bea: "member" } },
    {
      saml: [provider("p1", name, name)],
      sites: [site("s1", name, true, name), site("s2", "public", true, name)],
      translations: [translation("t1", name, name)],
    },
  );
  const states = ["one", "two"].map((stack) =>
    exported(
      stack,
      { type: "MemberRole", name, inputs: { user: name, role: "read" }, outputs: { userId: "!ex" } },
      { type: "TeamMembership", name, inputs: { teamId: name, user: name } },
      { type: "Site", name, id: name, inputs: { title: name } },
    ),
  );
  return audited(live, ...states);
}
