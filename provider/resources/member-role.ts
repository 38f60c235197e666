import { z } from "zod";
import { loweringAdministrator, nameOf, raisingAdministrator } from "../administrators";
import { DocsError } from "../api/errors";
import type { Member } from "../api/members";
import { identifier, type Role, roles } from "../api/shared";
import { isClaimed } from "../claims";
import type { Context } from "../context";
import { freshEnough, isEmail, membersOf, userKey } from "../directory";
import { tell } from "../presentation";
import { defineResource } from "../resource";
import { resourceClass } from "../resource-class";
import { organization, organizationId } from "./common";

export const roleOrGuest = z
  .enum([...roles, "guest"])
  .nullable()
  .describe("Role in the organization: admin, create, review, edit, comment or read; `guest` and null make a guest.");

export const onDestroy = z
  .enum(["restore", "leave", "guest", "remove"])
  .describe(
    "What destroy means for the person: `restore` (the role found when it was taken under management; the default), `leave`, `guest`, or `remove` from the organization.",
  )
  .meta({ option: true });

export const allowRaise = z
  .boolean()
  .describe("Allows destroy to restore a role that is more powerful than the one that the person has by then.")
  .meta({ option: true });

const inputs = z.strictObject({
  organizationId: organizationId.optional(),
  user: identifier.describe("User id, or e-mail in any case. A change of it is an update."),
  role: roleOrGuest,
  sso: z
    .literal(true, "use true, or leave it out: the API can not take the mark back")
    .describe("Marks the person as a member by single sign-on. The API can not take the mark back.")
    .optional(),
  onDestroy: onDestroy.optional(),
  allowRaise: allowRaise.optional(),
});
type Inputs = z.output<typeof inputs>;

const outputs = z.object({
  userId: identifier.describe("Id of the user, which stays when the e-mail changes."),
  previousRole: roleOrGuest.describe("Role that the person had when it was taken under management."),
});

interface Live {
  readonly member: Member;
  readonly previousRole: Inputs["role"];
}

export const memberRole = defineResource({
  name: "MemberRole",
  inputs,
  outputs,
  equal: { user: sameUser, role: sameRole },
  claims: ({ user }) => [{ scope: "role", user }],

  lifecycle: {
    async create(context, { user }) {
      const member = await requiredMember(context, user);
      return { id: member.user.id, live: liveOf(member) };
    },

    async observe(context, _id, recorded) {
      const member = await membersOf(context).read(recorded.userId ?? userKey(recorded.user));
      return member && { member, previousRole: previousOf(recorded, member) };
    },

    async *sync(context, _id, before, declared) {
      const member = await requiredMember(context, declared.user);
      const moved = member.user.id !== before.member.user.id;
      let live = moved ? liveOf(member) : before;
      if (!sameRole(live.member.role, declared.role)) {
        live = { ...live, member: await setRole(context, live.member, declared.role) };
        yield live;
      }
      if (declared.sso && !live.member.sso) {
        live = { ...live, member: await markSso(context, live.member) };
        yield live;
      }
      if (!moved) return;
      yield live;
      await release(context, before, declared);
    },

    values: ({ member }) => ({ role: member.role as Role, sso: member.sso ? (true as const) : undefined }),

    outputs: ({ member, previousRole }) => ({ userId: member.user.id, previousRole }),

    async remove(context, _id, recorded) {
      const member = await membersOf(context).read(recorded.userId ?? userKey(recorded.user), freshEnough);
      if (member) await release(context, { member, previousRole: previousOf(recorded, member) }, recorded);
    },
  },
});

/** The role of one member of the organization. It never adds a person, and by default never removes one. */
export class MemberRole extends resourceClass(memberRole) {}

const liveOf = (member: Member): Live => ({ member, previousRole: member.role as Role });

/** Null is a role of its own: that of a guest. */
function previousOf({ previousRole }: Pick<Partial<Live>, "previousRole">, member: Member): Inputs["role"] {
  return previousRole === undefined ? (member.role as Role) : previousRole;
}

export function sameUser(a: unknown, b: unknown): boolean {
  return userKey(String(a)) === userKey(String(b));
}

/** `guest` is our word for the API's null. */
export function sameRole(a: unknown, b: unknown): boolean {
  return (a ?? "guest") === (b ?? "guest");
}

async function requiredMember(context: Context, user: string): Promise<Member> {
  const member = await membersOf(context).read(userKey(user));
  if (member) return member;
  const hidden = isEmail(user) ? " (an e-mail that its owner hides can not be found: use the user id)" : "";
  throw new DocsError(
    `${user} is not a member of organization ${context.organizationId}${hidden}; people become members by an invitation, a ` +
      "join link or single sign-on, and the API can not add them",
  );
}

/** Sets a role in place; the role of administrator goes through its queue. */
export async function setRole(context: Context, member: Member, role: Inputs["role"]): Promise<Member> {
  const members = membersOf(context);
  const path = { ...organization(context), userId: member.user.id };
  const set = async () => {
    try {
      const after = await context.client.updateMember({ ...path, body: { role: role === "guest" ? null : role } });
      members.put(after);
      return after;
    } catch (error) {
      members.drop();
      throw error;
    }
  };
  if (role === "admin") return raisingAdministrator(context, set);
  return member.role === "admin" ? loweringAdministrator(context, member, set) : set();
}

export async function markSso(context: Context, member: Member): Promise<Member> {
  const after = await context.client.markMemberSso({ ...organization(context), userId: member.user.id });
  membersOf(context).put(after);
  return after;
}

interface Options {
  readonly onDestroy?: Inputs["onDestroy"];
  readonly allowRaise?: boolean | undefined;
}

/** Gives up a person: what that means is declared. Whom another resource of this run claims, keeps what it has. */
export async function release(context: Context, { member, previousRole }: Live, options: Options): Promise<void> {
  const { onDestroy = "restore", allowRaise = false } = options;
  if (onDestroy === "leave") return;
  if (await isClaimed(context, "role", member.user.id)) {
    tell(`${nameOf(member)} keeps the role ${member.role ?? "guest"}: another resource of this run manages it`);
    return;
  }
  if (onDestroy === "remove") return removeMember(context, member);
  const role = onDestroy === "guest" ? "guest" : previousRole;
  if (sameRole(member.role, role)) return;
  if (rank(role) > rank(member.role) && !allowRaise) {
    tell(
      `${nameOf(member)} keeps the role ${member.role ?? "guest"}: restoring ${role} would raise it, which needs allowRaise: true`,
    );
    return;
  }
  await setRole(context, member, role);
}

/** The more a role may do, the higher it stands; a guest stands lowest. */
const rank = (role: string | null): number => (role === null ? -1 : [...roles].reverse().indexOf(role as Role));

async function removeMember(context: Context, member: Member): Promise<void> {
  const members = membersOf(context);
  const remove = async () => {
    const { deleted } = await context.client.removeMember({ ...organization(context), userId: member.user.id });
    if (deleted === "requested") {
      throw new DocsError(
        `${nameOf(member)} is still a member: the service has only asked its administrators to remove them; run again when they have`,
      );
    }
    members.remove(member);
  };
  return member.role === "admin" ? loweringAdministrator(context, member, remove) : remove();
}
