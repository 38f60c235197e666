import type { Endpoints } from "../../api/endpoints";
import type { ChangeRequest } from "../../api/groups/change-requests";
import { type Answer, badRequest, notFound } from "../http/errors";
import { bySequence, pageOf } from "../http/paging";
import type { Complete, PathObjects, RouteCall, Routes } from "../http/route";
import { callerId } from "../members/caller";
import { userAnswer } from "../members/routes";
import { type ChangeRequestRecord, indexOf, type SpaceRecord } from "../spaces/record";
import { contentOf, isOutdated, merge, openChangeRequest, pullIn } from "../spaces/revisions";
import { appUrl, type RecordContext, type Service } from "../store/service";

export const changeRequestRoutes = {
  listSpaceChangeRequests: (call) => listOf(call, [call.space]),

  listOrganizationChangeRequests: (call) => listOf(call, [...call.organization.spaces.values()]),

  createChangeRequest: (call) => {
    const { service, organization, space, body } = call;
    if (body.template && service.version === "0.146")
      throw badRequest("template: there is no such property; remove it");
    const record = openChangeRequest(space, {
      // Creation accepts any length, but answers have at most 100 characters.
      subject: [...(body.subject ?? "")].slice(0, 100).join(""),
      createdBy: callerId(organization, service),
      createdAt: service.now().toISOString(),
      sequence: ++service.state.sequence,
    });
    const answer = changeRequestAnswer(call, record);
    call.headers.location = answer.urls.location;
    return answer;
  },

  getChangeRequest: (call) => changeRequestAnswer(call, call.changeRequest),

  updateChangeRequest: (call) => {
    const { body, changeRequest } = call;
    if (Object.keys(body).length > 0)
      Object.assign(changeRequest, body, { updatedAt: call.service.now().toISOString() });
    return changeRequestAnswer(call, changeRequest);
  },

  mergeChangeRequest: ({ organization, service, space, changeRequest }) => {
    const by = callerId(organization, service);
    const { revision, conflicts } = merge(space, changeRequest, by, service.now().toISOString());
    return { revision, result: conflicts ? "conflicts" : "merge" };
  },

  pullIntoChangeRequest: ({ service, space, changeRequest }) => {
    const { revision, conflicts } = pullIn(space, changeRequest, service.now().toISOString());
    return { revision, result: conflicts ? "conflicts" : "update" };
  },

  getChangeRequestPdf: (call) => {
    const { page } = call.query;
    if (page !== undefined && !indexOf(contentOf(call)).pages.has(page))
      throw badRequest(`page: change request "${call.changeRequest.id}" has no page "${page}"`);
    const query = new URLSearchParams(page === undefined ? {} : { page });
    return { url: `${call.service.url}${pdfPath(call.service)}?${query}` };
  },
} satisfies Partial<Routes>;

type ListCall = Omit<RouteCall<Endpoints["listOrganizationChangeRequests"]>, "path">;

/** Sorted by creation, the latest first: this order is stable while change requests change. */
function listOf(call: ListCall, spaces: readonly SpaceRecord[]) {
  const { query, service } = call;
  if (query.conversationsIssuesCluster !== undefined && service.version === "0.202")
    throw badRequest("conversationsIssuesCluster: there is no such property; remove it");
  const isWanted = matches(query);
  const all = spaces.flatMap((space) => [...space.changeRequests.values()].map((record) => ({ space, record })));
  const records = all.filter(({ record }) => isWanted(record));
  return pageOf(call, {
    records: records.sort((a, b) => a.record.sequence - b.record.sequence),
    key: ({ record }) => bySequence(record),
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

/** PDFs have addresses without a token, like those of a file store: only a client that got the address knows it. */
const pdfPath = ({ secret }: Service) => `/pdf/${secret}.pdf`;

/** The PDF at an address: an empty page of A4. */
export function pdfAt(path: string, service: Service): Answer {
  if (path !== pdfPath(service)) throw notFound("PDF", path);
  return { status: 200, headers: { "content-type": "application/pdf" }, body: emptyPage };
}

const emptyPage = [
  "%PDF-1.4",
  "1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj",
  "2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] >> endobj",
  "3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >> endobj",
  "trailer << /Size 4 /Root 1 0 R >>",
  "%%EOF\n",
].join("\n");

export type SpacePlace = RecordContext & Pick<PathObjects, "space">;

export function changeRequestAnswer(place: SpacePlace, record: ChangeRequestRecord) {
  const { space, service } = place;
  const { createdBy, mergedBy, mergedAt, conversationsIssuesCluster } = record;
  const isOlder = service.version === "0.146";
  return {
    object: "change-request",
    id: record.id,
    number: record.number,
    status: record.status,
    subject: record.subject,
    description: record.description,
    createdBy: userAnswer(place, createdBy),
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    space: space.id,
    revision: record.revision,
    revisionInitial: record.revisionInitial,
    revisionMergedAncestor: record.revisionMergedAncestor,
    revisionMerged: record.revisionMerged,
    comments: record.comments,
    outdated: isOutdated(space, record),
    urls: {
      app: `${appUrl}/s/${space.id}/~/changes/${record.number}`,
      location: `${service.url}/v1/spaces/${space.id}/change-requests/${record.id}`,
    },
    conversationsIssuesCluster: isOlder ? conversationsIssuesCluster : undefined,
    mergedAt: isOlder ? undefined : mergedAt,
    mergedBy: isOlder || mergedBy === undefined ? undefined : userAnswer(place, mergedBy),
    links: undefined,
    siteTopic: undefined,
    styleguide: undefined,
    imports: undefined,
  } satisfies Complete<ChangeRequest>;
}
