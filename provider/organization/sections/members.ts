import { z } from "zod";
import { enumerated } from "../../access/bulk";
import { membersOf } from "../../access/members";
import type { Member } from "../../api/groups/members";
import { roles } from "../../api/groups/shared";
import { userName } from "../../resources/shared/common";
import type { Properties } from "../../run/properties";
import { counted, type Words, words } from "../../text/words";
import { describeObject } from "../drafts/declarable";
import { byName, type Drafting, type Notes } from "../drafts/drafting";
import type { OrganizationFile } from "../file/types";
import { findRepeatedUsers, findWrongKeys } from "./checks";
import { declaredMember, memberGrant, memberRoleAt } from "./grants";
import { compare, weight, withName } from "./objects";
import { mapOf } from "./parts";
import type { ManagedSubjects, Section } from "./section";

type Live = readonly Member[];

export interface UnmanagedPerson {
  readonly userId: string;
  /** The e-mail, or the name of somebody who hides it. */
  readonly name: string;
  readonly role: string;
  readonly disabled: boolean;
}

const symbol = "●";

/** People with their role in the organization. */
export const members = {
  shape: {
    onRemoval: z
      .enum(["leave", "previous", "guest", "remove"])
      .describe(
        "What leaving this file means for a person's role: `leave` it, give back the `previous` one, make a `guest` (the default), or `remove` the person from the organization.",
      )
      .optional(),
    members: mapOf(
      userName,
      declaredMember,
      "People with their role in the organization, by user id or e-mail: the role, or a grant. Only who is listed is managed.",
    ).optional(),
  },
  findMistakes: (file) => [...findWrongKeys(userName, file, "members"), ...findRepeatedUsers(file, "members")],
  /** One resource, also if nobody is a member: when the last line leaves the file, it says what that means. */
  declareChildren: (organization, now) => [
    { resource: "MemberRoles", key: "members", inputs: declareRoles(organization, now) },
  ],
  live: {
    list: (context): Promise<Live> => membersOf(context).all(),
    readGuarded: (context): Promise<Live> => membersOf(context).all(),
  },
  writing: {
    draft: draftMembers,
    noteUnseen: noteUnseenPeople,
    makeImportId: ({ organizationId }) => `${organizationId}/roles`,
    parts: {},
  },
  audit: {
    kind: "roles" as const,
    one: "person with a role",
    many: "people with a role",
    subjects: { role: { prefix: "role of ", absence: "no member of the organization" } },
    /** Guests are members as well, with a role that is none. */
    listSubjects: (live) => live.map(({ user }) => ({ kind: "role", id: user.id })),
    count: (live) => withRole(live).length,
    findUnmanaged: findUnmanagedPeople,
    noteUnmanaged: noteAdministrators,
    lists: [
      {
        id: "administrators",
        symbol,
        title: "Administrators whom no code declares",
        one: "administrator",
        many: "administrators",
        severity: "high",
        includes: isAdministrator,
        describe: describePerson,
      },
      {
        id: "roles",
        symbol,
        title: "Other people with a role that no code declares",
        one: "other person with a role",
        many: "other people with a role",
        includes: (one) => !isAdministrator(one),
        describe: describePerson,
      },
    ],
  },
} satisfies Section<Live, undefined, UnmanagedPerson>;

/** What `onRemoval` and the end of a grant are called in `MemberRoles`. */
const releases = { leave: "leave", previous: "restore", guest: "guest", remove: "remove" } as const;

/** A person whose grant is over leaves the roles, and what follows is said of that person alone. */
function declareRoles({ members = {}, onRemoval = "guest" }: OrganizationFile, now: Date): Properties {
  const roles: Record<string, string> = {};
  const ended: Record<string, string> = {};
  for (const [user, declared] of Object.entries(members)) {
    const role = memberRoleAt(declared, now);
    if (role === "previous" || role === "remove") ended[user] = releases[role];
    else roles[user] = role;
  }
  const sso = Object.keys(roles).filter((user) => memberGrant(members[user] ?? "guest").sso);
  const raisable = Object.keys(members).filter((user) => memberGrant(members[user] ?? "guest").allowRaise);
  return {
    roles,
    onRemoval: releases[onRemoval],
    ...(sso.length > 0 && { sso }),
    ...(Object.keys(ended).length > 0 && { onRemovalOf: ended }),
    ...(raisable.length > 0 && { allowRaiseOf: raisable }),
  };
}

/** Everybody but guests. */
export const withRole = (members: Live): Member[] => members.filter(({ role }) => role !== null);

/** Administrators first, then by name. Guests have no role. */
function draftMembers({ live, people, notes }: Drafting<Live, undefined>): Record<string, unknown> {
  const listed = withRole(live).flatMap(({ user, role, sso }): [string, { role: string; sso: boolean }][] => {
    const name = people.nameOf(user.id);
    const isKnown = (roles as readonly (string | null)[]).includes(role);
    if (name !== undefined && isKnown) return [[name, { role: String(role), sso }]];
    const reason = isKnown ? unnameable : `the role "${role}" is not known to this version`;
    notes.push(`${describeObject("member", user.displayName, user.id)} is left out: ${reason}`);
    return [];
  });
  const first = ([, { role }]: (typeof listed)[number]) => (role === roles[0] ? 0 : 1);
  const sorted = listed.sort((a, b) => first(a) - first(b) || byName(a, b));
  return Object.fromEntries(sorted.map(([name, { role, sso }]) => [name, sso ? { role, sso } : role]));
}

const unnameable = "a file can name this person neither by e-mail nor by id";

/** What a file does not show of its people. */
function noteUnseenPeople(live: Live): Notes {
  const guests = live.length - withRole(live).length;
  const disabled = withRole(live)
    .filter((one) => one.disabled)
    .map(({ user }) => user.email ?? user.id);
  return [
    ...(guests > 0
      ? [`members does not list ${counted(guests, "guest")}, who ${guests === 1 ? "has" : "have"} no role; teams do`]
      : []),
    ...(disabled.length > 0
      ? [`members lists people who are disabled, with the role that they keep: ${enumerated(disabled)}`]
      : []),
  ];
}

function findUnmanagedPeople(live: Live, managed: ManagedSubjects): UnmanagedPerson[] {
  return withRole(live)
    .filter(({ user }) => !managed.has({ kind: "role", id: user.id }))
    .map(({ user, role, disabled }) => {
      return { userId: user.id, name: user.email ?? user.displayName, role: role ?? "guest", disabled };
    })
    .sort((a, b) => weight(b.role) - weight(a.role) || compare(a.name, b.name));
}

function isAdministrator({ role }: UnmanagedPerson): boolean {
  return role === "admin";
}

function noteAdministrators(unmanaged: readonly UnmanagedPerson[]): string {
  const administrators = unmanaged.filter(isAdministrator).length;
  return administrators > 0 ? ` (${counted(administrators, "administrator")})` : "";
}

function describePerson({ name, userId, role, disabled }: UnmanagedPerson): Words {
  return words`${withName(name, userId)}: ${role}${[disabled ? ", disabled" : ""]}`;
}
