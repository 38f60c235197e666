import { BatchedReader } from "../api/cache/batched-reader";
import type { Member } from "../api/groups/members";
import { type Context, organizationScoped } from "../run/context";
import { visible } from "../text/visible";
import { listNames } from "./carry-out";
import { membersOf } from "./members";
import { Quorum, type QuorumLoss } from "./quorum";

/** The administrators as the service lists them, including those who became administrators outside Pulumi. */
const administratorsOf = organizationScoped((context): BatchedReader<Member> => {
  const { client, organizationId } = context;
  return new BatchedReader<Member>({
    name: `the administrators of organization ${organizationId}`,
    page: (page) => client.listMembers(administratorsQuery(context, page)),
    keys: ({ user }) => [user.id],
  });
});

const administratorsQuery = ({ organizationId }: Context, page?: string) => ({
  organizationId,
  query: { role: "admin" as const, limit: 1000, ...(page && { page }) },
});

const quorumOf = organizationScoped((context) => {
  const members = membersOf(context);
  return new Quorum(context, `administrator of organization ${context.organizationId}`, {
    list: () => readHolders(context),
    confirm: async (userId) => {
      const member = await members.reread(userId);
      return member !== undefined && isActive(member);
    },
    readsShow: async (userIds, hasRole) => {
      const people = await Promise.all(userIds.map((userId) => members.reread(userId)));
      return members.showsWrites(userIds) && people.every((member) => (member?.role === "admin") === hasRole);
    },
  });
});

const isActive = ({ role, disabled }: Member): boolean => role === "admin" && !disabled;

async function* readHolders(context: Context) {
  for await (const member of context.client.listMembers(administratorsQuery(context))) {
    // A gateway may drop the filter of the query, which would make everybody an administrator.
    if (isActive(member)) yield { userId: member.user.id };
  }
}

/**
 * Maximum age, in milliseconds, of the list that decides whether a person is an administrator. The list is wrong only for
 * somebody whose role was changed outside Pulumi within that time, and each read of it costs a request.
 */
const recentEnough = 120_000;

/** Whether a person is an administrator, by this answer or a list of the last two minutes: either may be outdated. */
export async function isAdministrator(context: Context, { role, user }: Member): Promise<boolean> {
  return role === "admin" || (await administratorsOf(context).read(user.id, recentEnough))?.role === "admin";
}

export function noteRole(context: Context, userId: string, role: string | null): void {
  quorumOf(context).noteWrite(userId, role === "admin");
}

export function raiseAdministrator<T>(context: Context, work: () => Promise<T>): Promise<T> {
  const raise = quorumOf(context).raise(work);
  return raise.finally(() => administratorsOf(context).drop());
}

/**
 * Takes the role of administrator from a person, and restores it if nobody else has it afterwards. The last administrator
 * keeps the role, because nobody could manage the organization otherwise.
 */
export function lowerAdministrator<T>(
  context: Context,
  member: Member,
  work: () => Promise<T>,
  restore: () => Promise<unknown>,
): Promise<T> {
  const lowering = quorumOf(context).lower({ ...lossOf(context, [member]), restore }, work);
  return lowering.finally(() => administratorsOf(context).drop());
}

/** Refuses a change of many people before its first write if no administrator would remain. */
export async function refuseLockout(context: Context, losing: readonly Member[]): Promise<void> {
  if (losing.length > 0) await quorumOf(context).refuseLast(lossOf(context, losing));
}

function lossOf({ organizationId }: Context, losing: readonly Member[]): QuorumLoss {
  const names = listNames(losing.map(nameOfMember));
  const is = losing.length === 1 ? "is the last administrator" : "are the last administrators";
  return {
    userIds: losing.map(({ user }) => user.id),
    names,
    refusal:
      `${names} ${is} of organization ${organizationId}, and nobody could manage it without an administrator; ` +
      "make somebody else an administrator first, or keep this role",
  };
}

/** Names a person in a message: name, e-mail if it is known, and id. */
export function nameOfMember({ user }: Member): string {
  return visible(`${user.displayName} (${user.email ? `${user.email}, ` : ""}${user.id})`);
}
