import type { Output } from "@pulumi/pulumi";
import { z } from "zod";
import { membersOf } from "../../../access/members";
import { members as endpoints } from "../../../api/groups/members";
import type { Arguments } from "../resource-class";
import type { Member, MemberSpace, MemberTeam, Role } from "../service-types";
import type { LookupOptions } from "./dependencies";
import { ask, askLater, type InOrganization, inOrganization, limit, lookup } from "./lookup";
import { memberNamed, ofMember, user } from "./user";

export interface GetMemberArgs extends InOrganization {
  /** User id, or e-mail in any case. */
  readonly user: string;
}

export type GetMemberResult = Member;

const member = lookup<GetMemberArgs, GetMemberResult>({
  name: "getMember",
  arguments: z.strictObject({ ...inOrganization, user }),
  read: (context, { user }) => memberNamed(context, user),
});

/**
 * A member of the organization, by user id or by e-mail. One or two members are read one by one; three or more at the same time
 * are read as pages of 1,000, which all lookups of members share. A hidden e-mail is not found.
 */
export function getMember(args: GetMemberArgs): Promise<GetMemberResult> {
  return ask(member, args);
}

/** As {@link getMember}, for arguments that are outputs of resources. */
export function getMemberOutput(args: Arguments<GetMemberArgs>, options?: LookupOptions): Output<GetMemberResult> {
  return askLater(member, args, options);
}

export interface GetMembersArgs extends InOrganization {
  /** Only members with this role; `guest` stands for those without one, which the API document does not show. */
  readonly role?: Role | "guest" | undefined;
  /** Only members whose name or e-mail contains this text. */
  readonly search?: string | undefined;
}

export type GetMembersResult = Member[];

const members = lookup<GetMembersArgs, GetMembersResult>({
  name: "getMembers",
  arguments: endpoints.listMembers.query.pick({ role: true, search: true }).extend(inOrganization),
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

/** The members of the organization, or those that match the filters, the newest first: one request for each 1,000. */
export function getMembers(args: GetMembersArgs = {}): Promise<GetMembersResult> {
  return ask(members, args);
}

/** As {@link getMembers}, for arguments that are outputs of resources. */
export function getMembersOutput(
  args: Arguments<GetMembersArgs> = {},
  options?: LookupOptions,
): Output<GetMembersResult> {
  return askLater(members, args, options);
}

export interface GetMemberTeamsArgs extends GetMemberArgs {
  /** Only teams whose title contains this text, in any case. */
  readonly title?: string | undefined;
}

/** Each team, and the member's role in it. */
export type GetMemberTeamsResult = MemberTeam[];

const memberTeams = lookup<GetMemberTeamsArgs, GetMemberTeamsResult>({
  name: "getMemberTeams",
  arguments: z.strictObject({ ...inOrganization, user, title: endpoints.listMemberTeams.query.shape.title }),
  read: (context, { user, title }) => {
    const { client, organizationId } = context;
    return ofMember(context, user, (userId) =>
      client.listMemberTeams({ organizationId, userId, query: { title, limit } }).all(),
    );
  },
});

/** The teams that a member belongs to: one request, and those of `getMember` for an e-mail. */
export function getMemberTeams(args: GetMemberTeamsArgs): Promise<GetMemberTeamsResult> {
  return ask(memberTeams, args);
}

/** As {@link getMemberTeams}, for arguments that are outputs of resources. */
export function getMemberTeamsOutput(
  args: Arguments<GetMemberTeamsArgs>,
  options?: LookupOptions,
): Output<GetMemberTeamsResult> {
  return askLater(memberTeams, args, options);
}

export type GetMemberSpacesArgs = GetMemberArgs;

/** Each space, with the member's permissions in it. */
export type GetMemberSpacesResult = MemberSpace[];

const memberSpaces = lookup<GetMemberSpacesArgs, GetMemberSpacesResult>({
  name: "getMemberSpaces",
  arguments: member.arguments,
  read: (context, { user }) => {
    const { client, organizationId } = context;
    return ofMember(context, user, (userId) =>
      client.listMemberSpaces({ organizationId, userId, query: { limit } }).all(),
    );
  },
});

/** The spaces that a member can open: one request for each 1,000 spaces, and those of `getMember` for an e-mail. */
export function getMemberSpaces(args: GetMemberSpacesArgs): Promise<GetMemberSpacesResult> {
  return ask(memberSpaces, args);
}

/** As {@link getMemberSpaces}, for arguments that are outputs of resources. */
export function getMemberSpacesOutput(
  args: Arguments<GetMemberSpacesArgs>,
  options?: LookupOptions,
): Output<GetMemberSpacesResult> {
  return askLater(memberSpaces, args, options);
}
