import { type Space, spacePermissions } from "../../api/groups/spaces";
import type { Complete } from "../http/route";
import { appUrl, type RecordContext } from "../store/service";
import type { SpaceRecord } from "./record";

/** A space as the service shows it, inside other answers. */
export function spaceAnswer({ organization, service }: RecordContext, space: SpaceRecord): Complete<Space> {
  return {
    object: "space",
    id: space.id,
    title: space.title,
    emoji: space.emoji,
    visibility: "in-collection",
    createdAt: space.createdAt,
    updatedAt: space.updatedAt,
    deletedAt: undefined,
    editMode: "locked",
    mergeRules: { type: "inherit" },
    urls: { location: `${service.url}/v1/spaces/${space.id}`, app: `${appUrl}/s/${space.id}` },
    organization: organization.id,
    parent: undefined,
    language: undefined,
    visitorAuth: undefined,
    revision: space.revision,
    defaultLevel: "inherit",
    gitSync: undefined,
    ...countsOf(space),
    permissions: allOf(spacePermissions),
  };
}

/** Computed for each answer, so that they match the change requests even if a test changed those directly. */
function countsOf({ changeRequests }: SpaceRecord) {
  const counts = { comments: 0, changeRequests: changeRequests.size, changeRequestsOpen: 0, changeRequestsDraft: 0 };
  for (const { status, comments } of changeRequests.values()) {
    counts.comments += comments;
    if (status === "open") counts.changeRequestsOpen++;
    if (status === "draft") counts.changeRequestsDraft++;
  }
  return counts;
}

/** An organization as the service shows it, inside other answers. */
export function organizationAnswer({ organization, service }: RecordContext) {
  const { id, title, createdAt } = organization;
  return {
    object: "organization" as const,
    id,
    // Titles have at least two characters, but the title may be an id of one character.
    title: title.length < 2 ? `Organization ${title}` : title,
    createdAt,
    emailDomains: [],
    type: "business",
    inviteLinks: false,
    plan: "pro_2024",
    mergeRules: { type: "none" },
    urls: { location: `${service.url}/v1/orgs/${id}`, app: `${appUrl}/o/${id}` },
    trial: { status: "none", count: 0 },
    permissions: allOf(organizationPermissions),
  };
}

const organizationPermissions = [
  "view",
  "admin",
  "ownTeam",
  "createContent",
  "createOpenAPISpec",
  "ingestConversations",
  "viewBilling",
  "listMembers",
  "listTeams",
  "listIntegrations",
  "listInstallations",
  "installIntegration",
] as const;

/** Answers list every permission, also for a caller without the rights (see caller.ts). */
const allOf = <const Names extends readonly string[]>(names: Names) =>
  Object.fromEntries(names.map((name) => [name, true])) as Record<Names[number], true>;
