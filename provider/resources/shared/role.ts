import { z } from "zod";
import {
  isAdministrator,
  loweringAdministrator,
  nameOf,
  noteRole,
  raisingAdministrator,
} from "../../access/administrators";
import { enumerated } from "../../access/bulk";
import { claimedUsers, isHeld } from "../../access/claims";
import { howPeopleJoin, membersOf } from "../../access/members";
import { RightsLostError } from "../../access/succession";
import { isEmail, userKey } from "../../access/user";
import type { Member } from "../../api/groups/members";
import { type Role, roles } from "../../api/groups/shared";
import { DocsError, isNotFound } from "../../api/http/errors";
import type { Deletion } from "../../api/schema/endpoint";
import { notDeleted } from "../../run/collection";
import { type Context, oncePerProcess } from "../../run/context";
import { tell } from "../../run/presentation";
import { organization, sameRole } from "./common";

/** What the role of one person and the roles of many have in common. */

export const roleOrGuest = z
  .enum([...roles, "guest"])
  .nullable()
  .describe(
    "Role in the organization, the most powerful first: admin, create, review, edit, comment or read; `guest` and null make a guest.",
  );
export type DeclaredRole = z.output<typeof roleOrGuest>;

export const endOfManagement = z.enum(["restore", "leave", "guest", "remove"]);
export type EndOfManagement = z.output<typeof endOfManagement>;

export const onDestroy = endOfManagement
  .describe(
    "What it means for a person that the role is not managed any more: `restore` (the role found when it was taken under management; the default), `leave`, `guest`, or `remove` from the organization.",
  )
  .meta({ option: true });

export const allowRaise = z
  .boolean()
  .describe("Allows `restore` to bring back a role that is more powerful than the one that the person has by then.")
  .meta({ option: true });

/** A person whose role is managed. */
export interface Person {
  readonly member: Member;
  readonly previousRole: DeclaredRole;
  /** As the program named the person so far, by an e-mail that may be hidden by now. */
  readonly name?: string | undefined;
}

/** By user id: the role before this stack managed it, as the resources that this run has read recorded it; of two, the weaker. */
const foundBefore = oncePerProcess(() => new Map<string, DeclaredRole>());

/** Remembers it for whichever resource gives the person up in the end; what this one always leaves counts as nobody's. */
export function noteFound(context: Context, userId: string, previousRole: DeclaredRole, options: Ends): void {
  const { onDestroy, onRemoval = onDestroy } = options;
  if (onDestroy === "leave" && onRemoval === "leave") return;
  const known = foundBefore(context);
  known.set(userId, weaker(previousRole, known.get(userId)));
}

interface Ends {
  readonly onDestroy?: EndOfManagement | undefined;
  readonly onRemoval?: EndOfManagement | undefined;
}

/** Giving back a role does not raise it. */
const weaker = (role: DeclaredRole, other: DeclaredRole | undefined): DeclaredRole =>
  other !== undefined && rank(other) < rank(role) ? other : role;

/** Somebody whose role a resource manages so far, with the role that it recorded; a state that was written by hand has none. */
export function recordedPerson(
  context: Context,
  member: Member,
  previousRole: DeclaredRole | undefined,
  options: Ends,
): Person {
  if (previousRole === undefined) return takenOver(context, member);
  noteFound(context, member.user.id, previousRole, options);
  return { member, previousRole };
}

/** Somebody whose role a resource manages from now on; where another one did so far, its role is not what was found. */
export function takenOver(context: Context, member: Member): Person {
  return { member, previousRole: weaker(member.role as Role, foundBefore(context).get(member.user.id)) };
}

export function notMembers({ organizationId }: Context, users: readonly string[]): DocsError {
  const are = users.length === 1 ? "is not a member" : "are not members";
  const hidden = users.some(isEmail) ? " (an e-mail that its owner hides can not be found: use the user id)" : "";
  return new DocsError(
    `${enumerated(users)} ${are} of organization ${organizationId}${hidden}; ${howPeopleJoin}, and the API can not add them`,
  );
}

/** Sets a role in place; the role of administrator goes through its queue. */
export async function setRole(context: Context, member: Member, role: DeclaredRole): Promise<Member> {
  const set = () => writeRole(context, member, role);
  if (role === "admin") return raisingAdministrator(context, set);
  if (!(await isAdministrator(context, member))) return set();
  return loweringAdministrator(context, member, set, () => writeRole(context, member, "admin"));
}

/** As `setRole`; a change that was carried out and could not be checked is known, with the reason to fail after it is recorded. */
export async function setRoleKnown(
  context: Context,
  member: Member,
  role: DeclaredRole,
): Promise<{ readonly member: Member; readonly failed?: Error }> {
  try {
    return { member: await setRole(context, member, role) };
  } catch (error) {
    if (!(error instanceof RightsLostError)) throw error;
    return { member: error.done as Member, failed: error };
  }
}

async function writeRole(context: Context, member: Member, role: DeclaredRole): Promise<Member> {
  const path = { ...organization(context), userId: member.user.id };
  const body = { role: role === "guest" ? null : role };
  const after = await written(context, () => context.client.updateMember({ ...path, body }));
  if (sameRole(after.role, role)) {
    noteRole(context, member.user.id, after.role);
    return after;
  }
  throw new DocsError(
    `${nameOf(member)} still has the role ${after.role ?? "guest"}: the service answered the change to ${role ?? "guest"} ` +
      "with success and did not carry it out; look at the person in the service, and run pulumi up again",
  );
}

export async function markSso(context: Context, member: Member): Promise<Member> {
  const path = { ...organization(context), userId: member.user.id };
  const after = await written(context, () => context.client.markMemberSso(path));
  if (after.sso) return after;
  throw new DocsError(
    `${nameOf(member)} is still not marked as a member by single sign-on, although the service answered with success; ` +
      "look at the person in the service, and run pulumi up again",
  );
}

/** Takes the answer into what this process knows; after a failure nobody knows. */
async function written(context: Context, write: () => PromiseLike<Member>): Promise<Member> {
  const members = membersOf(context);
  try {
    const after = await write();
    members.put(after);
    return after;
  } catch (error) {
    members.drop();
    throw error;
  }
}

export interface Options {
  readonly onDestroy?: EndOfManagement | undefined;
  readonly allowRaise?: boolean | undefined;
}

/** What giving up a person comes to: a role, the removal, or nothing, where there is a reason to tell. */
export type Release =
  | { readonly role: DeclaredRole }
  | { readonly remove: true }
  | { readonly keeps: string }
  | { readonly already: true };

/** Who keeps the role, each reason with everybody whom it is about: the state does not have them any more. */
export function tellKept(kept: readonly { readonly member: Member; readonly keeps: string }[]): void {
  const names = new Map<string, string[]>();
  for (const { member, keeps } of kept) names.set(keeps, [...(names.get(keeps) ?? []), nameOf(member)]);
  for (const [keeps, people] of names) tell(`${keeps}: ${people.join(", ")}`);
}

/** Giving up a person means what is declared. Whom another resource of this run claims, keeps what it has. */
export function releaseOf(context: Context, person: Person, options: Options): Release {
  const { member, previousRole, name } = person;
  const { onDestroy = "restore", allowRaise = false } = options;
  if (onDestroy === "leave") return { already: true };
  const keeps = `the role ${member.role ?? "guest"} stays`;
  if (isClaimed(context, member, name)) return { keeps: `${keeps}, since another resource of this run manages it` };
  if (onDestroy === "remove") return { remove: true };
  // A resource that took the person over without knowing may have found what another one gave.
  const found = weaker(previousRole, foundBefore(context).get(member.user.id));
  const role = onDestroy === "guest" ? "guest" : found;
  if (sameRole(member.role, role)) return { already: true };
  if (rank(role) > rank(member.role) && !allowRaise) {
    return {
      keeps: `${keeps}, since restoring ${role} would raise it: raise it in the service, or declare allowRaise: true (in organization.yaml, beside the role of the member)`,
    };
  }
  return { role };
}

function isClaimed(context: Context, { user: { id, email } }: Member, name: string | undefined): boolean {
  const claimed = claimedUsers(context, "role");
  const names = [id, email, name].filter((one) => one !== undefined);
  return names.some((one) => claimed.has(userKey(one))) || isHeld(context, "role", names);
}

export async function carryOutRelease(context: Context, member: Member, release: Release): Promise<void> {
  if ("role" in release) await setRole(context, member, release.role);
  if ("remove" in release) await removeMember(context, member);
}

/** The more a role may do, the higher it stands; a guest stands lowest. */
export const rank = (role: string | null): number =>
  role === null || role === "guest" ? -1 : [...roles].reverse().indexOf(role as Role);

/**
 * Removes a member. An administrator becomes a guest first: the service has no way to bring a removed member back, so a check
 * that finds no other administrator can still restore the role.
 */
async function removeMember(context: Context, member: Member): Promise<void> {
  const members = membersOf(context);
  if (await isAdministrator(context, member)) await setRole(context, member, "guest");
  const { deleted } = await context.client.removeMember({ ...organization(context), userId: member.user.id });
  if (deleted !== true && (await isStillMember(context, member))) {
    members.drop();
    throw notRemoved(member, deleted);
  }
  members.remove(member);
}

/** A 404 of somebody whom this run has read before is proof. */
async function isStillMember(context: Context, { user }: Member): Promise<boolean> {
  try {
    await context.client.getMember({ ...organization(context), userId: user.id });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

function notRemoved(member: Member, deleted: Deletion["deleted"]): DocsError {
  if (deleted !== "requested") return notDeleted(nameOf(member), "the members", deleted);
  return new DocsError(
    `${nameOf(member)} is still a member: the service has only asked its administrators to remove them; run again when they have`,
  );
}
