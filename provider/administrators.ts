import type { Member } from "./api/members";
import { Snapshot } from "./api/snapshot";
import { type Context, oncePerProcess } from "./context";
import { visible } from "./review/visible";
import { lowering, type Office, raising } from "./succession";

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
  return role === "admin" || (await administratorsOf(context).read(user.id, recentEnough)) !== undefined;
}

/** Makes somebody an administrator. */
export async function raisingAdministrator<T>(context: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await raising(keyOf(context), work);
  } finally {
    administratorsOf(context).drop();
  }
}

/** Takes the role of administrator from somebody; the last one keeps it, so that nobody locks everybody out. */
export function loweringAdministrator<T>(context: Context, member: Member, work: () => Promise<T>): Promise<T> {
  return lowering(officeOf(context, member), work).finally(() => administratorsOf(context).drop());
}

function officeOf(context: Context, member: Member): Office {
  const { client, organizationId } = context;
  return {
    key: keyOf(context),
    async othersRemain() {
      const administrators = client.listMembers({ organizationId, query: { role: "admin", limit: 1000 } });
      for await (const { user, disabled } of administrators) {
        if (user.id !== member.user.id && !disabled) return true;
      }
      return false;
    },
    refusal:
      `${nameOf(member)} is the last administrator of organization ${organizationId}, and without one nobody could ` +
      "manage it; make somebody else an administrator first, or keep this role",
  };
}

/** A person in a message: name, e-mail where it is known, and id. */
export function nameOf({ user }: Member): string {
  return visible(`${user.displayName} (${user.email ? `${user.email}, ` : ""}${user.id})`);
}
