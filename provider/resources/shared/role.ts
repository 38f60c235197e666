import { z } from "zod";
import {
  isAdministrator,
  lowerAdministrator,
  nameOfMember,
  noteRole,
  raiseAdministrator,
} from "../../access/administrators";
import { listNames } from "../../access/carry-out";
import { howPeopleJoin, membersOf } from "../../access/members";
import { levelBeforePlans } from "../../access/unfinished";
import type { AccessChange } from "../../access-plan/change";
import { type DeclaredRole, isSameRole, nothing, spelledRole, weakerRole } from "../../access-plan/place";
import { occasionsOf, type ReleaseOptions, releases } from "../../access-plan/release";
import type { Member } from "../../api/groups/members";
import { type Role, roles } from "../../api/groups/shared";
import { DocsError } from "../../api/http/errors";
import type { Deletion } from "../../api/schema/endpoint";
import { isEmail } from "../../people/user";
import { notDeleted } from "../../run/collection";
import { type Context, organizationScoped } from "../../run/context";
import { withMark } from "../../text/foreign";

export const roleOrGuest = z
  .enum([...roles, "guest"])
  .nullable()
  .describe(
    "Role in the organization, the most powerful first: admin, create, review, edit, comment or read; `guest` and null make a guest.",
  )
  .meta({ none: "guest" });

export const release = z.enum(releases);

export const onRelease = release
  .describe(
    "What happens to a person when the role is no longer managed: `restore` the previous role (the default), `leave` the role as it is, make the person a `guest`, or `remove` the person from the organization.",
  )
  .meta({ option: true });

export const allowRaise = z
  .boolean()
  .describe(
    "Allow `restore` to set a previous role that is more powerful than the role that the person has at that time.",
  )
  .meta({ option: true });

export interface Person {
  readonly member: Member;
  readonly previousRole: DeclaredRole;
  /** No update has given the person the declared role yet, so a release does not touch the person. */
  readonly isNew?: boolean;
  /** No program declares the person: the resource has found the person because of `others`. */
  readonly isFound?: boolean;
}

/** Previous roles by user id, from the states that this run has read. If two states differ, the weaker role counts. */
const previousRolesIn = organizationScoped(() => new Map<string, DeclaredRole>());

/**
 * A person whose role a resource already manages, with the recorded previous role; an imported state may not have one. The
 * previous role is noted for a resource that manages the person next, unless this resource always leaves the role as it is.
 */
export function recordedPerson(
  context: Context,
  member: Member,
  recorded: DeclaredRole | undefined,
  options: ReleaseOptions,
): Person {
  if (recorded === undefined) return newlyManaged(context, member);
  const previousRoles = previousRolesIn(context);
  const { id } = member.user;
  const previousRole = weakerRole(recorded, previousRoles.get(id));
  const { destroy, removal } = occasionsOf(options);
  if ([destroy, removal].some((one) => one !== "leave")) previousRoles.set(id, previousRole);
  return { member, previousRole };
}

/**
 * A person whose role a resource manages from now on. The previous role is the present one, or the one before a plan that a run
 * has applied and could not record. If another resource has recorded a weaker previous role, that counts.
 */
export function newlyManaged(context: Context, member: Member): Person {
  const { id } = member.user;
  const place = { kind: "role", organization: context.organizationId } as const;
  const before = levelBeforePlans(context.run, id, place, spelledRole(member.role));
  const previousRole = (before as DeclaredRole | undefined) ?? (member.role as Role);
  return { member, previousRole: weakerRole(previousRole, previousRolesIn(context).get(id)) };
}

export function notMembers({ organizationId }: Context, users: readonly string[]): DocsError {
  const areNot = users.length === 1 ? "is not a member" : "are not members";
  const hidden = users.some(isEmail) ? ", or the e-mail is hidden (then use the user id)" : "";
  return new DocsError(
    `${listNames(users.map(withMark))} ${areNot} of organization ${organizationId}${hidden}; ${howPeopleJoin}, and the API cannot add them`,
  );
}

/** Tells the user whose declared role has no effect now. People with a recorded id have left; the others have not joined. */
export function tellAway(
  { run, organizationId }: Context,
  away: ReadonlyMap<string, { readonly userId?: string }>,
): void {
  const pending = listNames([...away].filter(([, { userId }]) => userId === undefined).map(([key]) => key));
  const absent = listNames([...away].filter(([, { userId }]) => userId !== undefined).map(([key]) => key));
  if (pending)
    run.tell(`no member of organization ${organizationId} shows ${pending}: the role is pending until one does`);
  if (absent)
    run.tell(`${absent} left organization ${organizationId}: the declared role has no effect, and the line can go`);
}

/** Sets a role. The quorum of administrators serializes changes of that role. */
export async function setRole(context: Context, member: Member, role: DeclaredRole): Promise<Member> {
  const write = () => writeRole(context, member, role);
  if (role === "admin") return raiseAdministrator(context, write);
  if (!(await isAdministrator(context, member))) return write();
  const restore = () => writeRole(context, member, "admin");
  return lowerAdministrator(context, member, write, restore);
}

async function writeRole(context: Context, member: Member, role: DeclaredRole): Promise<Member> {
  const path = { organizationId: context.organizationId, userId: member.user.id };
  const body = { role: role === "guest" ? null : role };
  const after = await writeMember(context, () => context.client.updateMember({ ...path, body }));
  if (!isSameRole(after.role, role))
    throw notChanged(member, `still has the role ${after.role ?? "guest"} instead of ${role ?? "guest"}`);
  noteRole(context, member.user.id, after.role);
  return after;
}

export async function markSso(context: Context, member: Member): Promise<Member> {
  const path = { organizationId: context.organizationId, userId: member.user.id };
  const after = await writeMember(context, () => context.client.markMemberSso(path));
  if (!after.sso) throw notChanged(member, "is still not marked as a member by single sign-on");
  return after;
}

const notChanged = (member: Member, shown: string): DocsError =>
  new DocsError(
    `${nameOfMember(member)} ${shown}, although the service reported success for the change; check the person in the service, ` +
      "and run pulumi up again",
  );

/** Writes, and stores the answer in the cache; drops the cache after a failure. */
async function writeMember(context: Context, write: () => PromiseLike<Member>): Promise<Member> {
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

/** Tells the user which of the people that this resource releases keep the role, and why: its state no longer has them. */
export function tellKept(context: Context, kept: readonly { change: AccessChange; member: Member }[]): void {
  const names = new Map<string, string[]>();
  for (const { change, member } of kept) {
    const reason = reasonToKeep(change);
    if (reason !== undefined) names.set(reason, [...(names.get(reason) ?? []), nameOfMember(member)]);
  }
  for (const [reason, people] of names) context.run.tell(`the role ${reason}: ${people.join(", ")}`);
}

function reasonToKeep({ before, cause, reason, previous }: AccessChange): string | undefined {
  if (cause === "declared") return `${before} stays, because another resource of this run manages it`;
  if (reason !== "would raise") return undefined;
  return (
    `${before} stays, because restoring ${previous} would raise it. If the person needs that role, set it in the service. ` +
    "To allow such a restoration, declare allowRaise: true before the release (for the member, in organization.yaml)"
  );
}

export async function carryOutRelease(context: Context, member: Member, { after }: AccessChange): Promise<void> {
  if (after === nothing) await removeMember(context, member);
  else await setRole(context, member, after as DeclaredRole);
}

/**
 * Removes a member. An administrator first becomes a guest: if no other administrator is left then, the role can still be
 * restored, but the service cannot bring a removed member back.
 */
async function removeMember(context: Context, member: Member): Promise<void> {
  const members = membersOf(context);
  if (await isAdministrator(context, member)) await setRole(context, member, "guest");
  const { deleted } = await context.client.removeMember({
    organizationId: context.organizationId,
    userId: member.user.id,
  });
  if (deleted !== true && (await members.confirmRemoval(member.user.id))) throw notRemoved(member, deleted);
  members.remove(member);
}

function notRemoved(member: Member, deleted: Deletion["deleted"]): DocsError {
  if (deleted !== "requested") return notDeleted(nameOfMember(member), "the members", deleted);
  return new DocsError(
    `${nameOfMember(member)} is still a member: the service has only asked its administrators to remove the person; run again when they have`,
  );
}
