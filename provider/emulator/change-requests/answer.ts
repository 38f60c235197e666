import type { ChangeRequest } from "../../api/groups/change-requests";
import type { Complete } from "../http/complete";
import { userAnswer } from "../members/answer";
import type { ChangeRequestRecord, SpaceRecord } from "../spaces/record";
import { isOutdated } from "../spaces/revisions";
import type { Place } from "../store/service";
import { appUrl } from "../store/service";

export interface SpacePlace extends Place {
  readonly space: SpaceRecord;
}

/** A change request as the service shows it. */
export function changeRequestAnswer(place: SpacePlace, record: ChangeRequestRecord) {
  const { space, service } = place;
  const { createdBy, mergedBy, mergedAt, conversationsIssuesCluster } = record;
  const older = service.version === "0.146";
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
    conversationsIssuesCluster: older ? conversationsIssuesCluster : undefined,
    mergedAt: older ? undefined : mergedAt,
    mergedBy: older || mergedBy === undefined ? undefined : userAnswer(place, mergedBy),
    links: undefined,
    siteTopic: undefined,
    styleguide: undefined,
    imports: undefined,
  } satisfies Complete<ChangeRequest>;
}
