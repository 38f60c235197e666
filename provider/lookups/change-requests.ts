import { z } from "zod";
import type { Client } from "../api/client";
import { changeRequestEndpoints as endpoints } from "../api/groups/change-requests";
import { contentEndpoints } from "../api/groups/content";
import type { SemanticChange } from "../api/groups/semantic-changes";
import { givenId, identifier } from "../api/groups/shared";
import { DocsError } from "../api/http/errors";
import { inOrganization, limit, lookup } from "./lookup";
import { requireUserId } from "./members";

const person = (does: string) =>
  identifier.describe(`Only change requests ${does}: user id, or e-mail of a member.`).optional();

/**
 * The change requests of a space or of the whole organization, by default the open ones. It takes one request for each 1,000,
 * and the requests of `getMember` for each e-mail.
 */
export const getChangeRequests = lookup({
  name: "getChangeRequests",
  arguments: endpoints.listOrganizationChangeRequests.query.omit({ page: true, limit: true }).extend({
    ...inOrganization,
    spaceId: givenId
      .describe("Only change requests of this space; by default, those of all spaces of the organization.")
      .optional(),
    creator: person("that this user created"),
    contributor: person("that this user changed"),
    requestedReviewer: person("that this user was asked to review"),
  }),
  result: endpoints.listOrganizationChangeRequests.reply.shape.items,
  read: async (context, { organizationId: _, spaceId, ...filters }) => {
    const { client, organizationId } = context;
    // The API filters by user id only, and returns no change requests for an e-mail.
    const idOf = async (user?: string) => user && (await requireUserId(context, user));
    const users = [filters.creator, filters.contributor, filters.requestedReviewer].map(idOf);
    const [creator, contributor, requestedReviewer] = await Promise.all(users);
    const query = { ...filters, creator, contributor, requestedReviewer, limit };
    if (spaceId === undefined) return client.listOrganizationChangeRequests({ organizationId, query }).all();
    return client.listSpaceChangeRequests({ spaceId, query }).all();
  },
});

const ofChangeRequest = z.strictObject({
  ...inOrganization,
  spaceId: givenId.describe("Id of the space."),
  changeRequestId: givenId.describe("Id of the change request, or its number in the space as a text."),
});

/** A change request of a space: one request. */
export const getChangeRequest = lookup({
  name: "getChangeRequest",
  arguments: ofChangeRequest,
  result: endpoints.getChangeRequest.reply,
  read: ({ client }, { spaceId, changeRequestId }) => client.getChangeRequest({ spaceId, changeRequestId }),
});

/**
 * The changes of a change request, as changes of pages, files, variables and reusable contents: one request, or two for more
 * than 1,000 changes.
 */
export const getChangeRequestChanges = lookup({
  name: "getChangeRequestChanges",
  arguments: ofChangeRequest,
  result: contentEndpoints.listChanges.reply.shape.changes,
  read: ({ client }, { spaceId, changeRequestId }) => readChanges(client, { spaceId, changeRequestId }),
});

/** The list has no pages: an answer says how many changes are beyond its limit, and a higher limit has them. */
async function readChanges(
  client: Client,
  ids: { readonly spaceId: string; readonly changeRequestId: string },
): Promise<SemanticChange[]> {
  const { changes, more = 0 } = await client.listChanges({ ...ids, query: { limit } });
  if (more === 0) return changes;
  const all = await client.listChanges({ ...ids, query: { limit: limit + more } });
  if ((all.more ?? 0) === 0) return all.changes;
  throw new DocsError(
    `could not list the changes of change request ${ids.changeRequestId} of space ${ids.spaceId}: the service keeps ` +
      `${all.more} of them back, also with the limit ${limit + more}; look at the change request in the app`,
  );
}
