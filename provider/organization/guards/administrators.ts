import { z } from "zod";
import { enumerated } from "../../access/bulk";
import { howPeopleJoin } from "../../access/members";
import type { Member } from "../../api/groups/members";
import { userKey } from "../../people/user";
import { userName } from "../../resources/shared/common";
import { withMark } from "../../text/foreign";
import { nearestUser } from "../../text/mistakes";
import { counted } from "../../text/words";
import { nameOf } from "../projection/roles";
import { type Fields, type Finding, fieldsAt, fieldsIn, hasFields } from "../sections/checks";
import { type MemberGrant, memberRoleAt, organizationRoles } from "../sections/grants";
import type { ProjectedChange, Violation } from "./change";
import type { Guard } from "./guard";

/** Guards the number of administrators, and people who must be administrators. */
export const administrators = {
  settings: {
    minAdmins: z
      .number()
      .int()
      .min(1)
      .describe(
        "Minimum number of administrators who can sign in, counted as they will be after the change. Administrators whose role another resource of the stack manages do not count, unless `members` declares them.",
      )
      .optional(),
    requiredAdmins: z
      .array(userName)
      .max(100)
      .describe("People who must be administrators, named as in `members`.")
      .optional(),
  },
  findMissing: findMissingAdmins,
  findViolations: findAdminViolations,
} satisfies Guard;

/** Before the end of any grant. */
const start = new Date(0);

function findMissingAdmins(file: Fields, now: Date): Finding[] {
  if (!hasFields(file.members)) return [];
  const members = Object.entries(fieldsAt(file, "members"));
  const admins = members.filter(([, declared]) => mayBeAdmin(declared, now)).map(([user]) => user);
  const granted = members.filter(([user, declared]) => mayBeAdmin(declared, start) && !admins.includes(user));
  const ended = granted.map(([user]) => user);
  return [...tooFewAdmins(file, admins, ended), ...requiredAdmins(file, admins)];
}

/** Whether the declared role is `admin`, or misspelt: a misspelt role has its own message and may be meant as `admin`. */
function mayBeAdmin(declared: unknown, now: Date): boolean {
  const role = typeof declared === "string" ? declared : fieldsIn(declared).role;
  if (!(organizationRoles as readonly unknown[]).includes(role)) return true;
  return memberRoleAt(declared as MemberGrant, now) === "admin";
}

function tooFewAdmins(file: Fields, admins: readonly string[], ended: readonly string[]): Finding[] {
  const { minAdmins } = fieldsAt(file, "guards");
  if (typeof minAdmins !== "number" || admins.length >= minAdmins) return [];
  const some = admins.length === 0 ? "no administrator" : `only ${admins.length} (${admins.slice(0, 5).join(", ")})`;
  const why = ended.length === 0 ? "" : `, because the grant of ${enumerated(ended)} has ended`;
  const text = `requires ${minAdmins}, and members has ${some}${why}; declare more administrators`;
  return [{ path: ["guards", "minAdmins"], text }];
}

function requiredAdmins(file: Fields, admins: readonly string[]): Finding[] {
  const { requiredAdmins } = fieldsAt(file, "guards");
  if (!Array.isArray(requiredAdmins)) return [];
  const known = new Set(admins.map(userKey));
  const members = new Map(Object.keys(fieldsAt(file, "members")).map((user) => [userKey(user), user]));
  return requiredAdmins.flatMap((user: unknown, index): Finding[] => {
    if (typeof user !== "string" || known.has(userKey(user))) return [];
    const declared = members.get(userKey(user));
    return [{ path: ["guards", "requiredAdmins", index], text: notAdmin(file, user, declared, [...members.values()]) }];
  });
}

function notAdmin(file: Fields, user: string, declared: string | undefined, members: readonly string[]): string {
  if (declared === undefined) {
    const guess = nearestUser(user, members);
    return `"${withMark(user)}" is not in members; ${guess ? `did you mean "${withMark(guess)}"?` : `add ${user} there as admin`}`;
  }
  const entry = fieldsAt(file, "members")[declared] as MemberGrant;
  const role = memberRoleAt(entry, start);
  const ended = role === "admin" ? `was admin until the end of ${entry.expires?.on}` : `has the role ${role}`;
  return `"${user}" ${ended} in members; declare admin there, or remove the user from requiredAdmins`;
}

function findAdminViolations({
  organization: { guards = {} },
  roleProjection,
  rolesManagedElsewhere = [],
}: ProjectedChange): Violation[] {
  const { minAdmins = 0, requiredAdmins = [] } = guards;
  if (roleProjection.leavesNoAdministrator()) {
    const text = `the change would remove the last administrator (${enumerated(roleProjection.administratorsBefore().map(nameOf).sort())} until now); make another member an administrator first`;
    return [{ path: ["members"], text }];
  }
  // Another resource of the stack manages these roles and may release them in this run.
  const isElsewhere = ({ user: { id } }: Member) => rolesManagedElsewhere.includes(id) && !roleProjection.isGranted(id);
  const all = roleProjection.administrators();
  const uncertain = all.filter(isElsewhere);
  const admins = all.filter((one) => !isElsewhere(one));
  // A disabled administrator cannot sign in to help.
  const able = admins.filter(({ disabled }) => !disabled);
  const names = able.length === 0 ? "nobody" : enumerated(able.map(nameOf).sort());
  const some = able.length === admins.length ? "" : " who can sign in";
  const others =
    uncertain.length === 0 ? "" : ` (not counted: ${enumerated(uncertain.map(nameOf).sort())}; ${managedByOther})`;
  const few = `the organization would have ${counted(able.length, "administrator")}${some} (${names}) and needs ${minAdmins}${others}; make another member an administrator first`;
  const ids = new Set(admins.map(({ user }) => user.id));
  const missing = requiredAdmins.flatMap((user, index): Violation[] => {
    const member = roleProjection.findMember(user);
    if (member && ids.has(member.user.id)) return [];
    const text = member
      ? uncertain.includes(member)
        ? `${user} may no longer be an administrator: ${managedByOther}`
        : `${user} would not be an administrator`
      : `${withMark(user)} is not a member of the organization and cannot be an administrator; ${howPeopleJoin}`;
    return [{ path: ["guards", "requiredAdmins", index], text }];
  });
  return [...(able.length < minAdmins ? [{ path: ["guards", "minAdmins"], text: few }] : []), ...missing];
}

const managedByOther = "another resource of this stack manages the role; declare it in members instead";
