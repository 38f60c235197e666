import { BatchedReader } from "../api/cache/batched-reader";
import type { Member } from "../api/groups/members";
import { DocsError } from "../api/http/errors";
import { isEmail, sameUser, userKey } from "../people/user";
import { type Context, organizationScoped } from "../run/context";
import { recentWrites } from "../run/writes";

/** Maximum age, in milliseconds, of a list that decides whether to remove a person or to lower a role. */
export const freshEnough = 30_000;

/**
 * Maximum age of a list that decides whether to remove a person from a team. Only a run of a program must leave an owner in each
 * team. A destroy removes everybody, so any list that the run has read is new enough.
 */
export const maxAgeBeforeRemoval = ({ run }: Context) => (run.runsProgram() ? freshEnough : undefined);

export const howPeopleJoin = "people become members by an invitation, a join link or single sign-on";

/** The members of the organization by id and by e-mail, read once for all resources of the run. */
export const membersOf = organizationScoped((context): BatchedReader<Member> => {
  const { client, organizationId } = context;
  return new BatchedReader<Member>({
    name: `the members of organization ${organizationId}`,
    async page(page) {
      const read = await client.listMembers({ organizationId, query: { limit: 1000, ...(page && { page }) } });
      if (!page && read.items.length === 0) throw nobodyIn(organizationId);
      return read;
    },
    single: (key) => (isEmail(key) ? findByEmail(context, key) : client.getMember({ organizationId, userId: key })),
    provesRemoval: true,
    isOtherKey: isEmail,
    keys: ({ user }) => (user.email ? [user.id, userKey(user.email)] : [user.id]),
    ambiguous: (email, ids) => sharedEmail(organizationId, email, ids),
    writes: recentWrites(context, "member:", ({ role, sso }) => `${role ?? "guest"}${sso ? " sso" : ""}`),
  });
});

/** Whether the name, an e-mail or a user id, is one of the member. */
export const isNamed = ({ user: { id, email } }: Member, name: string): boolean =>
  sameUser(id, name) || (email ? sameUser(email, name) : false);

function sharedEmail(organizationId: string, email: string, ids: readonly string[]): DocsError {
  return new DocsError(
    `${ids.length} members of organization ${organizationId} have the e-mail ${email}: ${ids.join(" and ")}; ` +
      "name the person by user id",
  );
}

function nobodyIn(organizationId: string): DocsError {
  return new DocsError(
    `the service lists no members of organization ${organizationId}, although the user of the token is one, so nothing counts as gone; ` +
      "check that the token may list members",
  );
}

/** The service's search also matches parts of e-mails, and may find members who hide theirs, so each e-mail is compared. */
async function findByEmail({ client, organizationId }: Context, email: string): Promise<Member | undefined> {
  const matching: Member[] = [];
  for await (const member of client.listMembers({ organizationId, query: { search: email, limit: 1000 } })) {
    const { id, email: liveEmail } = member.user;
    const isRepeated = matching.some(({ user }) => user.id === id);
    if (liveEmail && userKey(liveEmail) === email && !isRepeated) matching.push(member);
  }
  const ids = matching.map(({ user }) => user.id);
  if (ids.length > 1) throw sharedEmail(organizationId, email, ids);
  return matching[0];
}
