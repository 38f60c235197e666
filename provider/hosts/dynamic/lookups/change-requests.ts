import type { Output } from "@pulumi/pulumi";
import { changeRequests as endpoints } from "../../../api/groups/change-requests";
import { identifier } from "../../../api/groups/shared";
import type { Context } from "../../../run/context";
import type { Arguments } from "../resource-class";
import type { ChangeRequest, ChangeRequestStatus } from "../service-types";
import type { LookupOptions } from "./dependencies";
import { ask, askLater, type InOrganization, inOrganization, limit, lookup } from "./lookup";
import { userIdOf } from "./user";

export interface GetChangeRequestsArgs extends InOrganization {
  /** Only change requests of this space. By default, those of all spaces of the organization. */
  readonly spaceId?: string | undefined;
  /** Only change requests with this status; by default, `open`. The API document shows only `draft` and `open`. */
  readonly status?: ChangeRequestStatus | undefined;
  /** Only change requests that this user created: user id, or e-mail of a member. */
  readonly creator?: string | undefined;
  /** Only change requests that this user changed: user id, or e-mail of a member. */
  readonly contributor?: string | undefined;
  /** Only change requests that this user was asked to review: user id, or e-mail of a member. */
  readonly requestedReviewer?: string | undefined;
  /** Only change requests of this cluster. Newer versions of the service do not have this filter. */
  readonly conversationsIssuesCluster?: string | undefined;
}

export type GetChangeRequestsResult = ChangeRequest[];

const changeRequests = lookup<GetChangeRequestsArgs, GetChangeRequestsResult>({
  name: "getChangeRequests",
  arguments: endpoints.listOrganizationChangeRequests.query
    .omit({ page: true, limit: true })
    .extend({ ...inOrganization, spaceId: identifier.optional() }),
  read: async (context, { organizationId: _, spaceId, ...filters }) => {
    const { client, organizationId } = context;
    const query = { ...filters, ...(await userIdsIn(context, filters)), limit };
    if (spaceId === undefined) return client.listOrganizationChangeRequests({ organizationId, query }).all();
    return client.listSpaceChangeRequests({ spaceId, query }).all();
  },
});

/** The API filters by user id only, and returns no change requests for an e-mail. */
async function userIdsIn(context: Context, filters: GetChangeRequestsArgs): Promise<Partial<GetChangeRequestsArgs>> {
  const users = (["creator", "contributor", "requestedReviewer"] as const).flatMap((name) => {
    const user = filters[name];
    return user === undefined ? [] : [{ name, user }];
  });
  const ids = await Promise.all(users.map(async ({ name, user }) => [name, await userIdOf(context, user)]));
  return Object.fromEntries(ids);
}

/**
 * The change requests of a space or of the whole organization, by default the open ones. One request for each 1,000 change
 * requests, and those of `getMember` for each e-mail in the arguments.
 */
export function getChangeRequests(args: GetChangeRequestsArgs = {}): Promise<GetChangeRequestsResult> {
  return ask(changeRequests, args);
}

/** As {@link getChangeRequests}, for arguments that are outputs of resources. */
export function getChangeRequestsOutput(
  args: Arguments<GetChangeRequestsArgs> = {},
  options?: LookupOptions,
): Output<GetChangeRequestsResult> {
  return askLater(changeRequests, args, options);
}
