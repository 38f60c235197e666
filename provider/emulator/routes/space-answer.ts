import type { Space } from "../../api/spaces";
import { appUrl } from "../service";
import type { SpaceRecord } from "../state";
import type { Place } from "./site-answer";

/** A space as the service shows it, inside other answers. */
export function spaceAnswer({ organization, service }: Place, space: SpaceRecord): Space {
  return {
    object: "space",
    id: space.id,
    title: space.title,
    emoji: space.emoji,
    visibility: "in-collection",
    createdAt: space.createdAt,
    updatedAt: space.updatedAt,
    editMode: "locked",
    mergeRules: { type: "inherit" },
    urls: { location: `${service.url}/v1/spaces/${space.id}`, app: `${appUrl}/s/${space.id}` },
    organization: organization.id,
    revision: space.revision,
    defaultLevel: "inherit",
    comments: 0,
    changeRequests: 0,
    changeRequestsOpen: 0,
    changeRequestsDraft: 0,
    permissions,
  };
}

const permissions = {
  view: true,
  access: true,
  admin: true,
  viewInviteLinks: true,
  edit: true,
  triggerGitSync: true,
  comment: true,
  merge: true,
  review: true,
  installIntegration: true,
};
