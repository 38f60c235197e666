import { Snapshot } from "../api/cache/snapshot";
import type { Member } from "../api/groups/members";
import { type Context, oncePerProcess } from "../run/context";
import { visible } from "../text/visible";
import { enumerated } from "./bulk";
import { lowering, type Office, raising, refuseLast } from "./succession";

const keyOf = ({ organizationId }: Context) => `administrators ${organizationId}`;

/** The administrators as the service lists them: whoever became one behind our back is one. */
const administratorsOf = oncePerProcess(({ client, organizationId }): Snapshot<Member> => {
  return new Snapshot<Member>({
    name: `the administrators of organization ${organizationId}`,
    page: (page) =>
      client.listMembers({ organizationId, query: { role: "admin", limit: 1000, ...(page && { page }) } }),
    keys: ({ user }) => [user.id],
  });
});

/**
 * How old the list may be that says who is none: somebody would have to become the last one behind our back within that time,
 * and each reading of it is a request that no resource needs.
 */
const recentEnough = 120_000;

/** Whether somebody is an administrator, by what was read within two minutes. */
export async function isAdministrator(context: Context, { role, user }: Member): Promise<boolean> {
  return role === "admin" || (await administratorsOf(context).read(user.id, recentEnough))?.role === "admin";
}

/**
 * Ids of the people who have lost the role by a write of this process. A list may be late: it must not count such a person as a
 * remaining administrator.
 */
const loweredHere = oncePerProcess(() => new Set<string>());

/** Records the role that a successful write gave to a person. */
export function noteRole(context: Context, userId: string, role: string | null): void {
  if (role === "admin") loweredHere(context).delete(userId);
  else loweredHere(context).add(userId);
}

/** Makes somebody an administrator. */
export async function raisingAdministrator<T>(context: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await raising(keyOf(context), work);
  } finally {
    administratorsOf(context).drop();
  }
}

/**
 * Takes the role of administrator from somebody, and restores it if nobody else has it afterwards. The last one keeps it, so
 * that nobody locks everybody out.
 */
export function loweringAdministrator<T>(
  context: Context,
  member: Member,
  work: () => Promise<T>,
  restore: () => Promise<unknown>,
): Promise<T> {
  const losing = nameOf(member);
  const office: Office = {
    ...quorum(context, [member.user.id], losing),
    restore,
    losing,
    title: titleIn(context),
  };
  return lowering(office, work).finally(() => administratorsOf(context).drop());
}

/** Refuses a change of many people as a whole, before its first write, if no administrator would remain. */
export async function refuseLockout(context: Context, losing: readonly Member[]): Promise<void> {
  if (losing.length === 0) return;
  const ids = losing.map(({ user }) => user.id);
  await refuseLast(quorum(context, ids, enumerated(losing.map(nameOf))));
}

const titleIn = ({ organizationId }: Context) => `administrator of organization ${organizationId}`;

/** Somebody else must be able to sign in as an administrator. */
function quorum(context: Context, losing: readonly string[], names: string) {
  const { client, organizationId } = context;
  const is = losing.length === 1 ? "is the last administrator" : "are the last administrators";
  return {
    key: keyOf(context),
    async othersRemain() {
      const administrators = client.listMembers({ organizationId, query: { role: "admin", limit: 1000 } });
      for await (const { user, role, disabled } of administrators) {
        // The role is checked here as well: a gateway that drops the filter would make everybody an administrator.
        const lost = losing.includes(user.id) || loweredHere(context).has(user.id);
        if (role === "admin" && !disabled && !lost) return true;
      }
      return false;
    },
    refusal:
      `${names} ${is} of organization ${organizationId}, and without one nobody could ` +
      "manage it; make somebody else an administrator first, or keep this role",
  };
}

/** A person in a message: name, e-mail where it is known, and id. */
export function nameOf({ user }: Member): string {
  return visible(`${user.displayName} (${user.email ? `${user.email}, ` : ""}${user.id})`);
}
