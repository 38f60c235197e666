import { z } from "zod";
import { membersOf } from "../access/members";
import { memberEndpoints as endpoints, type Member } from "../api/groups/members";
import { idPattern, useAnId } from "../api/groups/shared";
import { isNotFound } from "../api/http/errors";
import { isEmail, userKey } from "../people/user";
import { userName } from "../resources/shared/common";
import { notMembers } from "../resources/shared/role";
import type { Context } from "../run/context";
import { inOrganization, limit, lookup } from "./lookup";

/** A user as declared in a program. E-mails that differ only in case are the same question. */
const user = userName
  .refine((name) => isEmail(name) || idPattern.test(name), useAnId)
  .overwrite(userKey)
  .describe("User id, or e-mail in any case.");
const ofUser = z.strictObject({ ...inOrganization, user });

/**
 * A member of the organization, by user id or by e-mail. Up to three members at the same time are read one by one; more are read
 * as pages of 1,000, which all lookups of members share. A hidden e-mail is not found.
 */
export const getMember = lookup({
  name: "getMember",
  arguments: ofUser,
  result: endpoints.getMember.reply,
  read: (context, { user }) => memberNamed(context, user),
});

/** The members of the organization, or those that match the filters, with the newest first: one request for each 1,000. */
export const getMembers = lookup({
  name: "getMembers",
  arguments: endpoints.listMembers.query.pick({ role: true, search: true }).extend(inOrganization),
  result: endpoints.listMembers.reply.shape.items,
  read: async (context, { role, search }) => {
    const { client, organizationId } = context;
    if (role === undefined && search === undefined) return newestFirst(await membersOf(context).all());
    return client.listMembers({ organizationId, query: { role, search, limit } }).all();
  },
});

/** Restores the order of the API: a member that was read alone, before the list, comes first in the cache. */
const newestFirst = (all: Member[]): Member[] => all.sort((a, b) => Date.parse(b.joinedAt) - Date.parse(a.joinedAt));

/** The teams that a member belongs to: one request, and the requests of `getMember` for an e-mail. */
export const getMemberTeams = lookup({
  name: "getMemberTeams",
  arguments: ofUser.extend({ title: endpoints.listMemberTeams.query.shape.title }),
  result: endpoints.listMemberTeams.reply.shape.items.describe("Each team, and the member's role in it."),
  read: (context, { user, title }) =>
    readOfMember(context, user, (path) => context.client.listMemberTeams({ ...path, query: { title, limit } }).all()),
});

/** The spaces that a member can open: one request for each 1,000, and the requests of `getMember` for an e-mail. */
export const getMemberSpaces = lookup({
  name: "getMemberSpaces",
  arguments: ofUser,
  result: endpoints.listMemberSpaces.reply.shape.items.describe("Each space, with the member's permissions in it."),
  read: (context, { user }) =>
    readOfMember(context, user, (path) => context.client.listMemberSpaces({ ...path, query: { limit } }).all()),
});

async function memberNamed(context: Context, user: string): Promise<Member> {
  const member = await membersOf(context).read(userKey(user));
  if (member) return member;
  throw notMembers(context, [user]);
}

export async function requireUserId(context: Context, user: string): Promise<string> {
  return isEmail(user) ? (await memberNamed(context, user)).user.id : user;
}

type Path = Readonly<Record<"organizationId" | "userId", string>>;

/** Runs a read about one member. For a non-member, the error says how people become members. */
async function readOfMember<T>(context: Context, user: string, read: (path: Path) => Promise<T>): Promise<T> {
  try {
    return await read({ organizationId: context.organizationId, userId: await requireUserId(context, user) });
  } catch (error) {
    if (isNotFound(error)) await memberNamed(context, user);
    throw error;
  }
}
