import { changeRequests as endpoints } from "../api/groups/change-requests";
import { identifier } from "../api/groups/shared";
import type { Context } from "../run/context";
import { inOrganization, limit, lookup } from "./lookup";
import { userIdOf } from "./user";

const person = (does: string) =>
  identifier.describe(`Only change requests ${does}: user id, or e-mail of a member.`).optional();

/**
 * The change requests of a space or of the whole organization, by default the open ones. It takes one request for each 1,000,
 * and the requests of `getMember` for each e-mail.
 *
 * @internal
 */
export const changeRequests = lookup({
  name: "getChangeRequests",
  arguments: endpoints.listOrganizationChangeRequests.query.omit({ page: true, limit: true }).extend({
    ...inOrganization,
    spaceId: identifier
      .describe("Only change requests of this space; by default, those of all spaces of the organization.")
      .optional(),
    creator: person("that this user created"),
    contributor: person("that this user changed"),
    requestedReviewer: person("that this user was asked to review"),
  }),
  result: endpoints.listOrganizationChangeRequests.reply.shape.items,
  read: async (context, { organizationId: _, spaceId, ...filters }) => {
    const { client, organizationId } = context;
    const query = { ...filters, ...(await userIdsIn(context, filters)), limit };
    if (spaceId === undefined) return client.listOrganizationChangeRequests({ organizationId, query }).all();
    return client.listSpaceChangeRequests({ spaceId, query }).all();
  },
});

const people = ["creator", "contributor", "requestedReviewer"] as const;
type People = { readonly [Name in (typeof people)[number]]?: string | undefined };

/** The API filters by user id only, and returns no change requests for an e-mail. */
async function userIdsIn(context: Context, filters: People): Promise<People> {
  const users = people.flatMap((name) => {
    const user = filters[name];
    return user === undefined ? [] : [{ name, user }];
  });
  const ids = await Promise.all(users.map(async ({ name, user }) => [name, await userIdOf(context, user)]));
  return Object.fromEntries(ids);
}
