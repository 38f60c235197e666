import type { Member } from "./api/members";
import type { Context } from "./context";
import { lowering, type Office, raising } from "./succession";

const keyOf = ({ organizationId }: Context) => `administrators ${organizationId}`;

/** Makes somebody an administrator. */
export function raisingAdministrator<T>(context: Context, work: () => Promise<T>): Promise<T> {
  return raising(keyOf(context), work);
}

/** Takes the role of administrator from somebody; the last one keeps it, so that nobody locks everybody out. */
export function loweringAdministrator<T>(context: Context, member: Member, work: () => Promise<T>): Promise<T> {
  return lowering(officeOf(context, member), work);
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
  return `${user.displayName} (${user.email ? `${user.email}, ` : ""}${user.id})`;
}
