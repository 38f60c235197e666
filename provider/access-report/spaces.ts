import type { ShowProgress } from "../access/discovery";
import { ignoreNotFound } from "../api/http/errors";
import type { Context } from "../run/context";
import { counted } from "../text/safe-text";
import type { PersonAccess } from "./report";

/** Maximum number of people whose spaces are requested at the same time. */
const atOnce = 32;

/** Adds what each member may do in single spaces: a request for each member, and one for each further 1,000 spaces. */
export async function withSpaces(
  context: Context,
  people: readonly PersonAccess[],
  { tell, progress }: { readonly tell: (line: string) => void; readonly progress: ShowProgress },
): Promise<PersonAccess[]> {
  const { client, organizationId } = context;
  const members = people.flatMap(({ userId }) => userId ?? []);
  tell(`reads the spaces of ${counted(members.length, "member")}, one request or more for each`);
  const all = new Map<string, NonNullable<PersonAccess["spaces"]>>();
  for (let done = 0; done < members.length; done += atOnce) {
    const read = async (userId: string) => {
      const list = client.listMemberSpaces({ organizationId, userId, query: { limit: 1000 } }).all();
      const found = await list.catch(ignoreNotFound);
      const spaces = (found ?? []).map(({ permission, space: { id, title = id } }) => ({ id, title, permission }));
      all.set(userId, spaces);
    };
    await Promise.all(members.slice(done, done + atOnce).map(read));
    progress(all.size, members.length, "people's spaces");
  }
  return people.map((one) => ({ ...one, spaces: all.get(one.userId ?? "") ?? [] }));
}
