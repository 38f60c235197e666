import type { Progress } from "../access/discovery";
import { isNotFound } from "../api/http/errors";
import type { Context } from "../run/context";
import { counted } from "../text/safe-text";
import type { PersonAccess, SpaceAccess } from "./report";

interface Telling {
  readonly tell: (line: string) => void;
  readonly progress: Progress;
}

/** How many people are asked about at the same time. */
const atOnce = 32;

/** Adds what each member may do in single spaces: a request for each member, and one for each further 1,000 spaces. */
export async function withSpaces(
  context: Context,
  people: readonly PersonAccess[],
  { tell, progress }: Telling,
): Promise<PersonAccess[]> {
  const members = people.filter(({ userId }) => userId !== undefined).length;
  tell(`reads the spaces of ${counted(members, "member")}, one request or more for each`);
  const all: PersonAccess[] = [];
  for (let done = 0; done < people.length; done += atOnce) {
    const next = people.slice(done, done + atOnce);
    all.push(
      ...(await Promise.all(next.map(async (one) => ({ ...one, spaces: await spacesOf(context, one.userId) })))),
    );
    progress(all.length, people.length, "people's spaces");
  }
  return all;
}

/** Nothing for a person who has left meanwhile. */
async function spacesOf({ client, organizationId }: Context, userId: string | undefined): Promise<SpaceAccess[]> {
  if (userId === undefined) return [];
  const found = client.listMemberSpaces({ organizationId, userId, query: { limit: 1000 } }).all();
  const items = await found.catch((error) => {
    if (isNotFound(error)) return [];
    throw error;
  });
  return items.map(({ permission, space }) => ({ id: space.id, title: space.title ?? space.id, permission }));
}
