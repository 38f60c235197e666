import { z } from "zod";
import { isAdministrator, lowerAdministrator, nameOf, noteRole, raiseAdministrator } from "../../access/administrators";
import { enumerated } from "../../access/bulk";
import { isManaged } from "../../access/management";
import { howPeopleJoin, membersOf } from "../../access/members";
import { RightsLostError } from "../../access/quorum";
import { decideRelease, type ReleaseOption, type ReleaseOptions, releases } from "../../access/release";
import { type DeclaredRole, isSameRole, weakerRole } from "../../access/roles";
import { roleArea } from "../../access/subject";
import { isEmail } from "../../access/user";
import type { Member } from "../../api/groups/members";
import { type Role, roles } from "../../api/groups/shared";
import { DocsError, isNotFound } from "../../api/http/errors";
import type { Deletion } from "../../api/schema/endpoint";
import { notDeleted } from "../../run/collection";
import { type Context, perOrganization } from "../../run/context";
import { organization } from "./common";

/** What the role of one person and the roles of many have in common. */

export const roleOrGuest = z
  .enum([...roles, "guest"])
  .nullable()
  .describe(
    "Role in the organization, the most powerful first: admin, create, review, edit, comment or read; `guest` and null make a guest.",
  );

export const releaseOption = z.enum(releases);

export const onDestroy = releaseOption
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
const previousRolesIn = perOrganization(() => new Map<string, DeclaredRole>());

/** Remembers it for whichever resource releases the person in the end; one that always leaves the role has none to give back. */
export function notePreviousRole(context: Context, userId: string, previousRole: DeclaredRole, options: Ends): void {
  const { onDestroy, onRemoval = onDestroy } = options;
  if (onDestroy === "leave" && onRemoval === "leave") return;
  const known = previousRolesIn(context);
  known.set(userId, weakerRole(previousRole, known.get(userId)));
}

interface Ends {
  readonly onDestroy?: ReleaseOption | undefined;
  readonly onRemoval?: ReleaseOption | undefined;
}

/** Somebody whose role a resource manages so far, with the role that it recorded; a state that was written by hand has none. */
export function recordedPerson(
  context: Context,
  member: Member,
  previousRole: DeclaredRole | undefined,
  options: Ends,
): Person {
  if (previousRole === undefined) return takenOver(context, member);
  notePreviousRole(context, member.user.id, previousRole, options);
  return { member, previousRole };
}

/** Somebody whose role a resource manages from now on; where another one did so far, its role is not what was found. */
export function takenOver(context: Context, member: Member): Person {
  return { member, previousRole: weakerRole(member.role as Role, previousRolesIn(context).get(member.user.id)) };
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
  if (role === "admin") return raiseAdministrator(context, set);
  if (!(await isAdministrator(context, member))) return set();
  return lowerAdministrator(context, member, set, () => writeRole(context, member, "admin"));
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
  if (isSameRole(after.role, role)) {
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

/** What a release does to a person: another role, the removal, or nothing, for a reason to tell if there is one. */
export type Release =
  | { readonly role: DeclaredRole }
  | { readonly remove: true }
  | { readonly keeps: string }
  | { readonly already: true };

/** Who keeps the role, each reason with everybody whom it is about: the state does not have them any more. */
export function tellKept({ run }: Context, kept: readonly { readonly member: Member; readonly keeps: string }[]): void {
  const names = new Map<string, string[]>();
  for (const { member, keeps } of kept) names.set(keeps, [...(names.get(keeps) ?? []), nameOf(member)]);
  for (const [keeps, people] of names) run.tell(`${keeps}: ${people.join(", ")}`);
}

/** What is declared for people who are released; a person whom another resource of the run manages keeps the role. */
export function releaseOf(context: Context, person: Person, options: ReleaseOptions): Release {
  const { member, previousRole, name } = person;
  // A resource that took the person over without knowing may have recorded what another one gave.
  const previous = weakerRole(previousRole, previousRolesIn(context).get(member.user.id));
  const decision = decideRelease(member.role, previous, options);
  if (decision.kind === "keep" && decision.reason === "declared") return { already: true };
  const keeps = `the role ${member.role ?? "guest"} stays`;
  if (isManagedElsewhere(context, member, name)) {
    return { keeps: `${keeps}, since another resource of this run manages it` };
  }
  if (decision.kind === "remove") return { remove: true };
  if (decision.kind === "set") return { role: decision.role };
  if (decision.reason === "same role") return { already: true };
  return {
    keeps: `${keeps}, since restoring ${previous} would raise it: raise it in the service, or declare allowRaise: true (in organization.yaml, beside the role of the member)`,
  };
}

function isManagedElsewhere(context: Context, { user: { id, email } }: Member, name: string | undefined): boolean {
  const names = [id, email, name].filter((one) => one !== undefined);
  return isManaged(context, roleArea, names);
}

export async function carryOutRelease(context: Context, member: Member, release: Release): Promise<void> {
  if ("role" in release) await setRole(context, member, release.role);
  if ("remove" in release) await removeMember(context, member);
}

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
