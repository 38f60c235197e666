import { z } from "zod";
import { listNames } from "../../access/carry-out";
import { howPeopleJoin } from "../../access/members";
import { endOf, isDay, phaseOf } from "../../access-plan/grants";
import type { Identity } from "../../access-plan/identities";
import { userKey } from "../../people/user";
import { userName } from "../../resources/shared/common";
import { withMark } from "../../text/foreign";
import { nearestUser } from "../../text/mistakes";
import { counted } from "../../text/safe-text";
import { type Fields, type FileMistake, fieldsAt, fieldsIn, hasFields } from "../sections/checks";
import { type MemberGrant, memberGrant, memberRoleAt, organizationRoles } from "../sections/grants";
import { type PlannedChange, placeIn, type Violation } from "./change";
import { nameOfPerson, personNamed } from "./people";

export const administratorSettings = {
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
  undeclaredAdmins: z
    .enum(["refuse"])
    .describe(
      "Set to `refuse` to refuse every change after which a member who is not in `members` would be an administrator.",
    )
    .optional(),
};

/** Finds administrators that the guards require and `members` does not declare, before any request. Without `members`, the live ones count. */
export function findMissingAdmins(file: Fields, now: Date): FileMistake[] {
  if (!hasFields(file.members)) return [];
  const members = Object.entries(fieldsAt(file, "members"));
  const admins = members.filter(([, declared]) => mayBeAdmin(declared, now)).map(([user]) => user);
  const hasEnded = (declared: unknown) =>
    !mayBeAdmin(declared, now) &&
    mayBeAdmin(declared) &&
    phaseOf(memberGrant(declared as MemberGrant), now) === "ended";
  const ended = members.filter(([, declared]) => hasEnded(declared)).map(([user]) => user);
  return [...tooFewAdmins(file, admins, ended), ...missingRequired(file, admins, now)];
}

/** The first end of a grant after which `members` declares fewer administrators than the guards require: nobody may be declared in time. */
export function describeLaterShortage({ organization, now }: Pick<PlannedChange, "organization" | "now">): string[] {
  // No other end takes an administrator away, and there may be thousands of others.
  const ends = Object.values(organization.members ?? {})
    .flatMap((declared) => (mayBeAdmin(declared) ? (memberGrant(declared).expires?.on ?? []) : []))
    .filter((on) => endOf(on) > now.getTime())
    .sort((a, b) => endOf(a) - endOf(b));
  for (const end of ends) {
    const missing = findMissingAdmins(fieldsIn(organization), new Date(endOf(end)));
    const after = `after ${end}${isDay(end) ? " (UTC)" : ""}`;
    if (missing.length > 0) return missing.map(({ path, text }) => `${after}, ${path.join(".")} ${text}`);
  }
  return [];
}

/** Whether the declared role is `admin`, or misspelt, which has its own message and may be meant as `admin`. Without `now`, the term of a grant does not count. */
function mayBeAdmin(declared: unknown, now?: Date): boolean {
  const role = typeof declared === "string" ? declared : fieldsIn(declared).role;
  if (!(organizationRoles as readonly unknown[]).includes(role)) return true;
  return (now ? memberRoleAt(declared as MemberGrant, now) : role) === "admin";
}

function tooFewAdmins(file: Fields, admins: readonly string[], ended: readonly string[]): FileMistake[] {
  const { minAdmins } = fieldsAt(file, "guards");
  if (typeof minAdmins !== "number" || admins.length >= minAdmins) return [];
  const some = admins.length === 0 ? "no administrator" : `only ${admins.length} (${listNames(admins)})`;
  const [grants, have] = ended.length === 1 ? ["grant", "has"] : ["grants", "have"];
  const why = ended.length === 0 ? "" : `, because the ${grants} of ${listNames(ended)} ${have} ended`;
  const text = `requires ${minAdmins}, and members has ${some}${why}; declare more administrators`;
  return [{ path: ["guards", "minAdmins"], text }];
}

function missingRequired(file: Fields, admins: readonly string[], now: Date): FileMistake[] {
  const { requiredAdmins } = fieldsAt(file, "guards");
  if (!Array.isArray(requiredAdmins)) return [];
  const adminKeys = new Set(admins.map(userKey));
  const members = new Map(Object.keys(fieldsAt(file, "members")).map((user) => [userKey(user), user]));
  return requiredAdmins.flatMap((user: unknown, index): FileMistake[] => {
    if (typeof user !== "string" || adminKeys.has(userKey(user))) return [];
    return [{ path: ["guards", "requiredAdmins", index], text: describeMissing(file, user, members, now) }];
  });
}

/** Why the file does not make the user an administrator. `members` has the declared names by key. */
function describeMissing(file: Fields, user: string, members: ReadonlyMap<string, string>, now: Date): string {
  const declared = members.get(userKey(user));
  if (declared === undefined) {
    const guess = nearestUser(user, [...members.values()]);
    return `"${withMark(user)}" is not in members; ${guess ? `did you mean "${withMark(guess)}"?` : `add ${user} there as admin`}`;
  }
  const entry = fieldsAt(file, "members")[declared] as MemberGrant;
  const { role, from, expires } = memberGrant(entry);
  const term =
    phaseOf({ from, expires }, now) === "ended"
      ? `was admin until the end of ${expires?.on}`
      : `becomes admin on ${from}`;
  const present = role === "admin" ? term : `has the role ${role}`;
  return `"${user}" ${present} in members; declare admin there, or remove the user from requiredAdmins`;
}

/** Guards the number of administrators, and people who must be administrators. */
export function administrators(change: PlannedChange): Violation[] {
  const last = change.findings.find((finding) => finding.kind === "no administrator");
  if (last) {
    const names = listNames(last.people.map(nameOfPerson).sort());
    const text = `the change would remove the last administrator (${names} until now); make another member an administrator first`;
    return [{ path: ["members"], text }];
  }
  const admins = adminsAfter(change);
  return [...tooFewAfter(change, admins), ...requiredAfter(change, admins)];
}

interface Admins {
  readonly certain: readonly Identity[];
  /** Another resource of the stack manages these roles and may release them in this run. */
  readonly uncertain: readonly Identity[];
}

function adminsAfter({ organization, access, rolesManagedElsewhere }: PlannedChange): Admins {
  const place = placeIn(organization);
  const elsewhere = new Set(rolesManagedElsewhere);
  const isElsewhere = ({ id }: Identity) => elsewhere.has(id) && access.of(place, { id })?.cause !== "declared";
  const all = access.holders("admin", place, "after");
  return { certain: all.filter((one) => !isElsewhere(one)), uncertain: all.filter(isElsewhere) };
}

function tooFewAfter({ organization: { guards = {} } }: PlannedChange, { certain, uncertain }: Admins): Violation[] {
  const { minAdmins = 0 } = guards;
  // A disabled administrator cannot sign in to help.
  const able = certain.filter(({ live }) => !live?.isDisabled);
  if (able.length >= minAdmins) return [];
  const names = able.length === 0 ? "nobody" : listNames(able.map(nameOfPerson).sort());
  const some = able.length === certain.length ? "" : " who can sign in";
  const others =
    uncertain.length === 0 ? "" : ` (not counted: ${listNames(uncertain.map(nameOfPerson).sort())}; ${managedByOther})`;
  const text = `the organization would have ${counted(able.length, "administrator")}${some} (${names}) and needs ${minAdmins}${others}; make another member an administrator first`;
  return [{ path: ["guards", "minAdmins"], text }];
}

function requiredAfter(change: PlannedChange, { certain, uncertain }: Admins): Violation[] {
  const { requiredAdmins = [] } = change.organization.guards ?? {};
  const isAmong = (all: readonly Identity[], { id }: Identity) => all.some((one) => one.id === id);
  return requiredAdmins.flatMap((user, index): Violation[] => {
    const person = personNamed(change, user);
    if (isAmong(certain, person)) return [];
    return [
      { path: ["guards", "requiredAdmins", index], text: describeNonAdmin(user, person, isAmong(uncertain, person)) },
    ];
  });
}

function describeNonAdmin(user: string, { live }: Identity, isUncertain: boolean): string {
  if (!live)
    return `${withMark(user)} is not a member of the organization and cannot be an administrator; ${howPeopleJoin}`;
  if (isUncertain) return `${user} may no longer be an administrator: ${managedByOther}`;
  return `${user} would not be an administrator`;
}

const managedByOther = "another resource of this stack manages the role; declare it in members instead";

/** Refuses administrators that the file does not declare, and a single sign-on that makes some. */
export function undeclaredAdmins(change: PlannedChange): Violation[] {
  const { guards, saml = {} } = change.organization;
  if (guards?.undeclaredAdmins === undefined) return [];
  const path = ["guards", "undeclaredAdmins"];
  const undeclared = namesOfUndeclaredAdmins(change);
  const text = `${counted(undeclared.length, "administrator")} would not be declared: ${listNames(undeclared)}; add them to members, or change their role in the app`;
  const violations: Violation[] = undeclared.length > 0 ? [{ path, text }] : [];
  const signInText =
    "would make everybody an administrator who signs in for the first time, which guards.undeclaredAdmins refuses";
  for (const [key, { defaultRole }] of Object.entries(saml))
    if (defaultRole === "admin") violations.push({ path: ["saml", key, "defaultRole"], text: signInText });
  return violations;
}

/**
 * Administrators after the change that the file does not declare: the guard refuses them, otherwise a warning has them. Only the guard
 * counts those whose role another resource of the stack manages.
 */
export function namesOfUndeclaredAdmins({ organization, access, rolesManagedElsewhere }: PlannedChange): string[] {
  const place = placeIn(organization);
  const isRefused = organization.guards?.undeclaredAdmins !== undefined;
  const elsewhere = new Set(isRefused ? [] : rolesManagedElsewhere);
  const isDeclared = (id: string) => access.of(place, { id })?.cause === "declared" || elsewhere.has(id);
  const undeclared = access.holders("admin", place, "after").filter(({ id }) => !isDeclared(id));
  return undeclared.map(nameOfPerson).sort();
}
