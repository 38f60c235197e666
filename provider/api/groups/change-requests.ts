import { z } from "zod";
import { endpoint, none } from "../schema/endpoint";
import { equal } from "../schema/filters";
import { dateTime, identifier, openEnum, page, pageQuery, promised, richText, url, user } from "./shared";

/** Change requests: proposed changes to the content of a space. */

export const changeRequestStatuses = ["draft", "open", "archived", "merged"] as const;
export type ChangeRequestStatus = (typeof changeRequestStatuses)[number];

/** A client can not set `merged`: only a merge gets there. */
export const settableStatuses = ["draft", "open", "archived"] as const;

const subject = z.string().max(100).describe("What the change request is about, at most 100 characters.");

export const changeRequest = z.strictObject({
  object: z.literal("change-request"),
  id: identifier,
  number: z.number().int().describe("Counts up within the space."),
  status: openEnum(changeRequestStatuses),
  subject,
  description: richText.optional(),
  createdBy: promised(user),
  createdAt: dateTime,
  updatedAt: dateTime,
  space: identifier,
  revision: identifier.describe("Its active revision."),
  revisionInitial: identifier.describe("Revision of the space that it branched from."),
  revisionMergedAncestor: identifier.optional().describe("Revision of the space that was pulled in last."),
  revisionMerged: identifier.optional().describe("Revision that its merge made."),
  comments: z.number().int().min(0),
  outdated: z.boolean().describe("The space has changed since the change request branched from it, or was updated."),
  // Gone in a newer version.
  conversationsIssuesCluster: z.string().optional(),
  urls: promised(z.strictObject({ app: promised(url), location: promised(url) })),
  // From here on: only in a newer version.
  mergedBy: user.optional(),
  mergedAt: dateTime.optional(),
  links: z
    .array(z.looseObject({ id: identifier }))
    .max(10)
    .optional(),
  siteTopic: z.looseObject({}).optional(),
  styleguide: z.looseObject({}).optional(),
  imports: z.array(z.looseObject({})).optional(),
});
export type ChangeRequest = z.output<typeof changeRequest>;
/** As the service must answer it, whatever of it the client does without. */
export type ChangeRequestAnswer = z.input<typeof changeRequest>;

const listQuery = pageQuery.extend({
  status: z.enum(changeRequestStatuses).optional().describe("Only those with this status; `open` when left out."),
  creator: identifier.optional().describe("Only those that this user created."),
  contributor: identifier.optional().describe("Only those that this user changed."),
  requestedReviewer: identifier.optional().describe("Only those whose review this user was asked for."),
  conversationsIssuesCluster: z
    .string()
    .min(1)
    .optional()
    .describe("Only those of this cluster; not in newer versions."),
});

const listFilters = {
  status: equal("status"),
  creator: equal("createdBy.id"),
  contributor: none,
  requestedReviewer: none,
  conversationsIssuesCluster: equal("conversationsIssuesCluster"),
};

/** What a merge and an update made; after `conflicts` it was made all the same, and needs repair by hand. */
const merged = z.strictObject({ revision: identifier, result: openEnum(["merge", "conflicts"]) });
const updated = z.strictObject({ revision: identifier, result: openEnum(["update", "conflicts"]) });

const list = "/v1/spaces/{spaceId}/change-requests" as const;
export const oneChangeRequest = `${list}/{changeRequestId}` as const;

export const changeRequests = {
  listSpaceChangeRequests: endpoint({
    route: `GET ${list}`,
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
    route: `POST ${list}`,
    does: "create a change request in space {spaceId}",
    // The API document names `subject` and leaves the further properties open; these are the known ones.
    body: z.strictObject({
      subject: z.string().optional().describe("What the change request is about; longer ones are cut."),
      agentTaskId: z.string().optional(),
      template: z.strictObject({ id: identifier, params: z.record(z.string(), z.unknown()).optional() }).optional(),
    }),
    reply: changeRequest,
    answers: { spaceId: "space" },
    status: 201,
  }),
  getChangeRequest: endpoint({
    route: `GET ${oneChangeRequest}`,
    does: "read change request {changeRequestId} of space {spaceId}",
    reply: changeRequest,
    answers: { spaceId: "space", changeRequestId: ["id", "number"] },
  }),
  updateChangeRequest: endpoint({
    route: `PATCH ${oneChangeRequest}`,
    does: "update change request {changeRequestId} of space {spaceId}",
    body: z.strictObject({
      subject: subject.optional(),
      status: z.enum(settableStatuses).optional().describe("`draft`, `open` or `archived`."),
      description: richText.optional(),
    }),
    reply: changeRequest,
    answers: { spaceId: "space", changeRequestId: ["id", "number"] },
  }),
  mergeChangeRequest: endpoint({
    route: `POST ${oneChangeRequest}/merge`,
    does: "merge change request {changeRequestId} into space {spaceId}",
    reply: merged,
    answers: { spaceId: none, changeRequestId: none },
  }),
  pullIntoChangeRequest: endpoint({
    route: `POST ${oneChangeRequest}/update`,
    does: "pull the content of space {spaceId} into change request {changeRequestId}",
    reply: updated,
    answers: { spaceId: none, changeRequestId: none },
    // Nothing is pulled in a second time.
    repeatable: true,
  }),
  getChangeRequestPdf: endpoint({
    route: `GET ${oneChangeRequest}/pdf`,
    does: "get the PDF of change request {changeRequestId} of space {spaceId}",
    query: z.strictObject({
      only: z.boolean().optional().describe("Only the given page."),
      page: identifier.optional().describe("Id of a page."),
    }),
    reply: z.strictObject({ url: url.describe("Valid for one hour.") }),
    answers: { spaceId: none, changeRequestId: none },
  }),
};
