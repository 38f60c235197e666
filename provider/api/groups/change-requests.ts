import { z } from "zod";
import { endpoint, none } from "../schema/endpoint";
import { equal } from "../schema/filters";
import {
  app,
  count,
  dateTime,
  identifier,
  location,
  newer,
  openEnum,
  page,
  pageQuery,
  richText,
  url,
  user,
} from "./shared";

/** Change requests: proposed changes to the content of a space. */

export const changeRequestStatuses = ["draft", "open", "archived", "merged"] as const;
export type ChangeRequestStatus = (typeof changeRequestStatuses)[number];

/** Statuses that a client can set; only a merge sets `merged`. */
export const settableStatuses = ["draft", "open", "archived"] as const;

const subject = z.string().max(100).describe("What the change request is about, at most 100 characters.");

export const changeRequest = z
  .strictObject({
    object: z.literal("change-request"),
    id: identifier.describe("Id of the change request."),
    number: z.number().int().describe("Number of the change request, increasing within the space."),
    status: openEnum(changeRequestStatuses).describe("State: `draft`, `open`, `archived` or `merged`."),
    subject,
    description: richText.optional().describe("Description of the change request."),
    createdBy: user.optional().describe("The user who created the change request."),
    createdAt: dateTime.describe("Creation of the change request."),
    updatedAt: dateTime.describe("Last update of the change request."),
    space: identifier.describe("Id of the space whose content it changes."),
    revision: identifier.describe("Active revision of the change request."),
    revisionInitial: identifier.describe("Revision of the space from which the change request branched."),
    revisionMergedAncestor: identifier.optional().describe("Revision of the space that was last pulled in."),
    revisionMerged: identifier.optional().describe("Revision created by the merge."),
    comments: count.describe("Number of open comments."),
    outdated: z.boolean().describe("Whether the space has changed since it branched or was last pulled in."),
    // Removed in version 0.202 of the service.
    conversationsIssuesCluster: z
      .string()
      .optional()
      .describe("Id of the cluster that belongs to the change request. Removed in newer versions of the service."),
    urls: z
      .strictObject({ app: app.optional(), location: location.optional() })
      .optional()
      .describe("URLs of the change request."),
    mergedBy: newer(user, "The user who merged it."),
    mergedAt: newer(dateTime, "When it was merged."),
    links: newer(z.array(z.looseObject({ id: identifier })).max(10), "Links of the change request."),
    siteTopic: newer(z.looseObject({})),
    styleguide: newer(z.looseObject({})),
    imports: newer(z.array(z.looseObject({}))),
  })
  .meta({ id: "ChangeRequest", description: "A change request: a proposed change to the content of a space." });
export type ChangeRequest = z.output<typeof changeRequest>;

const listQuery = pageQuery.extend({
  status: z.enum(changeRequestStatuses).optional().describe("Only change requests with this status; default `open`."),
  creator: identifier.optional().describe("Only change requests that this user created."),
  contributor: identifier.optional().describe("Only change requests that this user changed."),
  requestedReviewer: identifier.optional().describe("Only change requests that this user was asked to review."),
  conversationsIssuesCluster: z
    .string()
    .min(1)
    .optional()
    .describe("Only change requests of this cluster. Removed in newer versions of the service."),
});

const listFilters = {
  status: equal("status"),
  creator: equal("createdBy.id"),
  contributor: none,
  requestedReviewer: none,
  conversationsIssuesCluster: equal("conversationsIssuesCluster"),
};

/** Results of a merge and an update. With `conflicts`, the revision was created as well, and needs repair by hand. */
const merged = z.strictObject({ revision: identifier, result: openEnum(["merge", "conflicts"]) });
const updated = z.strictObject({ revision: identifier, result: openEnum(["update", "conflicts"]) });

const listPath = "/v1/spaces/{spaceId}/change-requests" as const;
export const changeRequestPath = `${listPath}/{changeRequestId}` as const;
const oneChangeRequest = {
  reply: changeRequest,
  answers: { spaceId: "space", changeRequestId: ["id", "number"] },
} as const;

export const changeRequestEndpoints = {
  listSpaceChangeRequests: endpoint({
    route: `GET ${listPath}`,
    does: "list the change requests of space {spaceId}",
    query: listQuery,
    reply: page(changeRequest),
    answers: { spaceId: "items.space" },
    filters: listFilters,
  }),
  listOrganizationChangeRequests: endpoint({
    route: "GET /v1/orgs/{organizationId}/change-requests",
    does: "list the change requests of organization {organizationId}",
    query: listQuery,
    reply: page(changeRequest),
    answers: { organizationId: none },
    filters: listFilters,
  }),
  createChangeRequest: endpoint({
    route: `POST ${listPath}`,
    does: "create a change request in space {spaceId}",
    // The API document names `subject` and allows further properties without listing them; two of them are known.
    body: z.looseObject({
      subject: z.string().optional().describe("What the change request is about; cut to 100 characters."),
      agentTaskId: z.string().optional(),
      template: z.strictObject({ id: identifier, params: z.record(z.string(), z.unknown()).optional() }).optional(),
    }),
    reply: changeRequest,
    answers: { spaceId: "space" },
    status: 201,
  }),
  getChangeRequest: endpoint({
    route: `GET ${changeRequestPath}`,
    does: "read change request {changeRequestId} of space {spaceId}",
    ...oneChangeRequest,
  }),
  updateChangeRequest: endpoint({
    route: `PATCH ${changeRequestPath}`,
    does: "update change request {changeRequestId} of space {spaceId}",
    body: z.strictObject({
      subject: subject.optional(),
      status: z.enum(settableStatuses).optional().describe("`draft`, `open` or `archived`."),
      description: richText.optional(),
    }),
    ...oneChangeRequest,
  }),
  mergeChangeRequest: endpoint({
    route: `POST ${changeRequestPath}/merge`,
    does: "merge change request {changeRequestId} into space {spaceId}",
    reply: merged,
    answers: { spaceId: none, changeRequestId: none },
  }),
  pullIntoChangeRequest: endpoint({
    route: `POST ${changeRequestPath}/update`,
    does: "pull the content of space {spaceId} into change request {changeRequestId}",
    reply: updated,
    answers: { spaceId: none, changeRequestId: none },
    // A second call has nothing left to pull in.
    repeatable: true,
  }),
  getChangeRequestPdf: endpoint({
    route: `GET ${changeRequestPath}/pdf`,
    does: "get the PDF of change request {changeRequestId} of space {spaceId}",
    query: z.strictObject({
      only: z.boolean().optional().describe("Only the given page."),
      page: identifier.optional().describe("Id of a page."),
    }),
    reply: z.strictObject({ url: url.describe("Valid for one hour.") }),
    answers: { spaceId: none, changeRequestId: none },
  }),
};
