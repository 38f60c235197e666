import { z } from "zod";
import { listNames } from "../../access/carry-out";
import { membersOf } from "../../access/members";
import { byPower } from "../../access-plan/place";
import { releases } from "../../access-plan/release";
import type { Member } from "../../api/groups/members";
import { roles } from "../../api/groups/shared";
import { memberRoles } from "../../resources/member-roles/member-roles";
import { userName } from "../../resources/shared/common";
import type { Properties } from "../../run/properties";
import { counted, safeText, trusted } from "../../text/safe-text";
import { compareNames, type Drafting, describeObject, type Notes } from "../drafts/drafting";
import type { OrganizationFile } from "../file/types";
import { findRepeatedUsers } from "./checks";
import { declaredMember, memberGrant, memberRoleAt } from "./grants";
import { compare, mapOf, withName } from "./parts";
import type { Section } from "./section";

type Live = readonly Member[];

export interface UnmanagedPerson {
  readonly userId: string;
  /** The e-mail, or the display name if the e-mail is hidden. */
  readonly name: string;
  readonly role: string;
  readonly disabled: boolean;
}

export const members = {
  shape: {
    onRelease: z
      .enum(releases)
      .describe(
        "What happens to a person who is removed from this file: `restore` the previous role, `leave` the role as it is, make the person a `guest` (the default), or `remove` the person from the organization. A destroy restores previous roles.",
      )
      .optional(),
    others: memberRoles.inputs.shape.others,
    members: mapOf(
      userName,
      declaredMember,
      "Roles of people in the organization, by user id or e-mail: the role, or a grant. Only listed people are managed.",
    ).optional(),
  },
  findMistakes: (file) => findRepeatedUsers(file, "members"),
  /** Always one resource, even without members: it releases the people whose lines were removed from the file. */
  declareChildren: (organization, now) => [
    { resource: "MemberRoles", key: "members", inputs: declareRoles(organization, now) },
  ],
  live: {
    list: (context): Promise<Live> => membersOf(context).all(),
    readGuarded: (context): Promise<Live> => membersOf(context).all(),
  },
  writing: {
    draft: draftMembers,
    makeImportId: ({ organizationId }) => `${organizationId}/roles`,
  },
  audit: {
    kind: "roles" as const,
    one: "person with a role",
    many: "people with a role",
    subjects: { role: { prefix: "role of ", absence: "not a member of the organization" } },
    listObjects: (live) =>
      membersWithRole(live).map(({ user: { id, email, displayName }, role, disabled }) => ({
        subject: { kind: "role", id },
        shown: { userId: id, name: email ?? displayName, role: role ?? "guest", disabled },
      })),
    /** Guests are members without a role, which a stack can manage. */
    listOthers: (live) => live.flatMap(({ user: { id }, role }) => (role === null ? [{ kind: "role", id }] : [])),
    order: (a, b) => byPower(a.role, b.role) || compare(a.name, b.name),
    noteUnmanaged: noteAdministrators,
    symbol: "●",
    severityOf: (one) => (isAdministrator(one) ? "high" : undefined),
    lists: {
      severe: { id: "administrators", many: "administrators" },
      others: { id: "roles", many: "other people with a role" },
    },
    describe: ({ name, userId, role, disabled }) =>
      safeText`${withName(name, userId)}: ${role}${trusted(disabled ? ", disabled" : "")}`,
  },
} satisfies Section<Live, undefined, UnmanagedPerson>;

/** People whose grant has ended, or is yet to begin, are not in `roles`; `onRelease` says what follows for each of them. */
function declareRoles({ members = {}, onRelease: removal = "guest", others }: OrganizationFile, now: Date): Properties {
  const roles: Record<string, string> = {};
  const released: Record<string, string> = {};
  for (const [user, declared] of Object.entries(members)) {
    const role = memberRoleAt(declared, now);
    // The fourth release, `guest`, is a role as well.
    const isRelease = ["restore", "remove", "leave"].includes(role);
    if (isRelease) released[user] = role;
    else roles[user] = role;
  }
  const sso = Object.keys(roles).filter((user) => memberGrant(members[user] ?? "guest").sso);
  const raisable = Object.keys(members).filter((user) => memberGrant(members[user] ?? "guest").allowRaise);
  return {
    roles,
    onRelease: { removal, ...(Object.keys(released).length > 0 && { people: released }) },
    ...(sso.length > 0 && { sso }),
    ...(raisable.length > 0 && { allowRaiseOf: raisable }),
    ...(others && { others }),
  };
}

/** Everybody but guests. */
export const membersWithRole = (members: Live): Member[] => members.filter(({ role }) => role !== null);

/** Drafts administrators first, then the others by name. Guests are left out: they have no role. */
function draftMembers({ live, people, notes }: Drafting<Live, undefined>): Record<string, unknown> {
  const listed: [string, { role: string; sso: boolean }][] = [];
  for (const { user, role, sso } of membersWithRole(live)) {
    const name = people.nameOf(user.id);
    const isKnown = (roles as readonly (string | null)[]).includes(role);
    const reason = isKnown ? unnameable : `the role "${role}" is not known to this version`;
    if (name !== undefined && isKnown) listed.push([name, { role: String(role), sso }]);
    else notes.push(`${describeObject("member", user.displayName, user.id)} is left out: ${reason}`);
  }
  notes.push(...noteUnseenPeople(live));
  const rank = ([, { role }]: (typeof listed)[number]) => (role === roles[0] ? 0 : 1);
  const sorted = listed.sort((a, b) => rank(a) - rank(b) || compareNames(a, b));
  return Object.fromEntries(sorted.map(([name, { role, sso }]) => [name, sso ? { role, sso } : role]));
}

const unnameable = "a file can name this person neither by e-mail nor by id";

/** Notes on people that the file does not show as readers may expect. */
function noteUnseenPeople(live: Live): Notes {
  const guests = live.length - membersWithRole(live).length;
  const disabled = membersWithRole(live)
    .filter((one) => one.disabled)
    .map(({ user }) => user.email ?? user.id);
  const notes: Notes = [];
  if (guests > 0) {
    const have = guests === 1 ? "has" : "have";
    notes.push(
      `members does not list ${counted(guests, "guest")}, who ${have} no role; teams list the guests who are in them`,
    );
  }
  if (disabled.length > 0) notes.push(`members lists disabled people, who keep their role: ${listNames(disabled)}`);
  return notes;
}

const isAdministrator = ({ role }: UnmanagedPerson): boolean => role === "admin";

function noteAdministrators(unmanaged: readonly UnmanagedPerson[]): string {
  const administrators = unmanaged.filter(isAdministrator).length;
  return administrators > 0 ? ` (${counted(administrators, "administrator")})` : "";
}
