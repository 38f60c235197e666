import { membersOf } from "../access/members";
import type { Member } from "../api/groups/members";
import { idPattern, useAnId } from "../api/groups/shared";
import { isNotFound } from "../api/http/errors";
import { isEmail, userKey } from "../people/user";
import { userName } from "../resources/shared/common";
import { notMembers } from "../resources/shared/role";
import type { Context } from "../run/context";

/** A user as declared in a program. E-mails that differ only in case are the same question. */
export const user = userName
  .refine((name) => isEmail(name) || idPattern.test(name), useAnId)
  .overwrite(userKey)
  .describe("User id, or e-mail in any case.");

export async function memberNamed(context: Context, user: string): Promise<Member> {
  const found = await membersOf(context).read(userKey(user));
  if (found) return found;
  throw notMembers(context, [user]);
}

export async function userIdOf(context: Context, user: string): Promise<string> {
  return isEmail(user) ? (await memberNamed(context, user)).user.id : user;
}

/** Runs a read about one member. For a non-member, the error says how people become members. */
export async function ofMember<T>(context: Context, user: string, read: (userId: string) => Promise<T>): Promise<T> {
  try {
    return await read(await userIdOf(context, user));
  } catch (error) {
    if (isNotFound(error)) await memberNamed(context, user);
    throw error;
  }
}
