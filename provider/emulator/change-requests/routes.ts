import type { Endpoints } from "../../api/endpoints";
import { badRequest, existing } from "../http/errors";
import { pageOf } from "../http/paging";
import type { PathCall, RouteCall, Routes } from "../http/route";
import { callerId } from "../members/caller";
import { indexOf } from "../spaces/pages";
import type { ChangeRequestRecord, SpaceRecord } from "../spaces/record";
import { findChangeRequest, merge, openChangeRequest, pullIn, revisionOf } from "../spaces/revisions";
import { changeRequestAnswer } from "./answer";
import { pdfAddress } from "./pdf";

/** Change requests: list, create, read, update, merge, pull in, PDF. */
export const changeRequestRoutes = {
  listSpaceChangeRequests: (call) => listOf(call, [spaceOf(call)]),

  listOrganizationChangeRequests: (call) => listOf(call, [...call.organization.spaces.values()]),

  createChangeRequest: (call) => {
    const { service, organization, body } = call;
    if (body.template && service.version === "0.146") {
      throw badRequest("template: there is no such property; remove it");
    }
    const space = spaceOf(call);
    const record = openChangeRequest(space, {
      // Creation accepts any length, but answers have at most 100 characters.
      subject: body.subject === undefined ? undefined : [...body.subject].slice(0, 100).join(""),
      createdBy: callerId(organization, service) ?? unknownCaller,
      at: service.now().toISOString(),
      sequence: ++service.state.sequence,
    });
    const answer = changeRequestAnswer({ ...call, space }, record);
    call.headers.location = answer.urls.location;
    return answer;
  },

  getChangeRequest: (call) => {
    const space = spaceOf(call);
    return changeRequestAnswer({ ...call, space }, changeRequestOf(call, space));
  },

  updateChangeRequest: (call) => {
    const space = spaceOf(call);
    const record = changeRequestOf(call, space);
    const { body } = call;
    if (Object.keys(body).length > 0) Object.assign(record, body, { updatedAt: call.service.now().toISOString() });
    return changeRequestAnswer({ ...call, space }, record);
  },

  mergeChangeRequest: (call) => {
    const { organization, service } = call;
    const space = spaceOf(call);
    const record = changeRequestOf(call, space);
    const by = callerId(organization, service) ?? unknownCaller;
    const { revision, conflicts } = merge(space, record, by, service.now().toISOString());
    return { revision, result: conflicts ? "conflicts" : "merge" };
  },

  pullIntoChangeRequest: (call) => {
    const space = spaceOf(call);
    const record = changeRequestOf(call, space);
    const { revision, conflicts } = pullIn(space, record, call.service.now().toISOString());
    return { revision, result: conflicts ? "conflicts" : "update" };
  },

  getChangeRequestPdf: (call) => {
    const { page } = call.query;
    const space = spaceOf(call);
    const record = changeRequestOf(call, space);
    if (page !== undefined && !indexOf(revisionOf(space, record.revision).content).pages.has(page)) {
      throw badRequest(`page: change request "${record.id}" has no page "${page}"`);
    }
    return { url: pdfAddress(call.service, page) };
  },
} satisfies Partial<Routes>;

/** Id of the token's owner in an organization without an administrator. */
const unknownCaller = "user_unknown";

export const spaceOf = ({ organization, path }: PathCall<"spaceId">): SpaceRecord =>
  existing(organization.spaces.get(path.spaceId), "space", path.spaceId);

export function changeRequestOf(call: Pick<PathCall<"changeRequestId">, "path">, space: SpaceRecord) {
  const { changeRequestId } = call.path;
  return existing(findChangeRequest(space, changeRequestId), "change request", changeRequestId);
}

type ListCall = RouteCall<Endpoints["listSpaceChangeRequests"] | Endpoints["listOrganizationChangeRequests"]>;

/** Sorted by creation, the latest first: this order is stable while change requests change. */
function listOf(call: ListCall, spaces: readonly SpaceRecord[]) {
  const { query, service } = call;
  if (query.conversationsIssuesCluster !== undefined && service.version === "0.202") {
    throw badRequest("conversationsIssuesCluster: there is no such property; remove it");
  }
  const found = spaces.flatMap((space) =>
    [...space.changeRequests.values()].filter(matches(query)).map((record) => ({ space, record })),
  );
  if (spaces.length > 1) found.sort((a, b) => a.record.sequence - b.record.sequence);
  return pageOf(call, {
    records: found,
    key: ({ record }) => [record.sequence],
    order: "desc",
    item: ({ space, record }) => changeRequestAnswer({ ...call, space }, record),
  });
}

function matches({
  status = "open",
  creator,
  contributor,
  requestedReviewer: reviewer,
  conversationsIssuesCluster: cluster,
}: ListCall["query"]) {
  return (one: ChangeRequestRecord) =>
    one.status === status &&
    (creator === undefined || one.createdBy === creator) &&
    (contributor === undefined || one.contributors.includes(contributor)) &&
    (reviewer === undefined || one.requestedReviewers.includes(reviewer)) &&
    (cluster === undefined || one.conversationsIssuesCluster === cluster);
}
