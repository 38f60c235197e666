import { z } from "zod";
import { membersOf } from "../access/members";
import { members as endpoints, type Member } from "../api/groups/members";
import { inOrganization, limit, lookup } from "./lookup";
import { memberNamed, ofMember, user } from "./user";

const ofUser = z.strictObject({ ...inOrganization, user });

/**
 * A member of the organization, by user id or by e-mail. One or two members are read one by one; three or more at the same time
 * are read as pages of 1,000, which all lookups of members share. A hidden e-mail is not found.
 */
export const member = lookup({
  name: "getMember",
  arguments: ofUser,
  result: endpoints.getMember.reply,
  read: (context, { user }) => memberNamed(context, user),
});

/**
 * The members of the organization, or those that match the filters, with the newest first: one request for each 1,000.
 */
export const members = lookup({
  name: "getMembers",
  arguments: endpoints.listMembers.query.pick({ role: true, search: true }).extend(inOrganization),
  result: endpoints.listMembers.reply.shape.items,
  read: async (context, { role, search }) => {
    const { client, organizationId } = context;
    if (role === undefined && search === undefined) return newestFirst(await membersOf(context).all());
    return client.listMembers({ organizationId, query: { role, search, limit } }).all();
  },
});

/** Restores the order of the API, which reads of single members before the list change. */
function newestFirst(all: Member[]): Member[] {
  return all.sort((a, b) => Date.parse(b.joinedAt) - Date.parse(a.joinedAt));
}

/** The teams that a member belongs to: one request, and the requests of `getMember` for an e-mail. */
export const memberTeams = lookup({
  name: "getMemberTeams",
  arguments: ofUser.extend({ title: endpoints.listMemberTeams.query.shape.title }),
  result: endpoints.listMemberTeams.reply.shape.items.describe("Each team, and the member's role in it."),
  read: (context, { user, title }) => {
    const { client, organizationId } = context;
    return ofMember(context, user, (userId) =>
      client.listMemberTeams({ organizationId, userId, query: { title, limit } }).all(),
    );
  },
});

/** The spaces that a member can open: one request for each 1,000, and the requests of `getMember` for an e-mail. */
export const memberSpaces = lookup({
  name: "getMemberSpaces",
  arguments: ofUser,
  result: endpoints.listMemberSpaces.reply.shape.items.describe("Each space, with the member's permissions in it."),
  read: (context, { user }) => {
    const { client, organizationId } = context;
    return ofMember(context, user, (userId) =>
      client.listMemberSpaces({ organizationId, userId, query: { limit } }).all(),
    );
  },
});
