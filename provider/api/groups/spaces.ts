import { z } from "zod";
import {
  app,
  count,
  dateTime,
  identifier,
  location,
  openEnum,
  permissionsOf,
  publishedUrl,
  roles,
  url,
} from "./shared";

/** Spaces, which hold the content. The API document has no operation for them; other answers contain them. */

export const spacePermissions = [
  "view",
  "access",
  "admin",
  "viewInviteLinks",
  "edit",
  "triggerGitSync",
  "comment",
  "merge",
  "review",
  "installIntegration",
] as const;

/** Settings that no operation writes, passed on as the service answers them. */
const settings = z.looseObject({});

export const space = z
  .strictObject({
    object: z.literal("space"),
    id: identifier.describe("Id of the space."),
    title: z.string().describe("Title of the space."),
    emoji: z.string().describe("Emoji of the space."),
    visibility: openEnum(["public", "unlisted", "share-link", "visitor-auth", "in-collection", "private"]).describe(
      "Who can open the space.",
    ),
    createdAt: dateTime.describe("Creation of the space."),
    updatedAt: dateTime.describe("Last update of the space."),
    deletedAt: dateTime.optional().describe("When the space was deleted."),
    editMode: openEnum(["live", "locked"]).optional().describe("Whether edits go in directly: `live`, or `locked`."),
    mergeRules: settings.describe("Rules for merges of change requests."),
    urls: z
      .strictObject({
        location,
        app,
        published: publishedUrl.optional(),
        public: url.optional().describe("Public URL of the space."),
        icon: url.optional().describe("URL of the icon of the space."),
      })
      .describe("URLs of the space."),
    organization: identifier.describe("Id of the organization."),
    parent: identifier.optional().describe("Id of what contains the space."),
    language: z.string().optional().describe("Code of the language of the space."),
    gitSync: settings.optional().describe("Synchronization with a repository of git."),
    visitorAuth: settings.optional().describe("Authentication of visitors."),
    revision: identifier.describe("Id of the active revision."),
    defaultLevel: openEnum([...roles, "inherit"])
      .nullable()
      .describe("Role that members have in the space by default, or `inherit`."),
    comments: count.describe("Number of comments."),
    changeRequests: count.describe("Number of change requests."),
    changeRequestsOpen: count.describe("Number of open change requests."),
    changeRequestsDraft: count.describe("Number of change requests that are drafts."),
    permissions: permissionsOf(...spacePermissions),
  })
  .meta({ id: "Space", description: "A space, which holds content." });
export type Space = z.output<typeof space>;
