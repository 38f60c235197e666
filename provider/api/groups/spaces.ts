import { z } from "zod";
import { dateTime, identifier, openEnum, roles, url } from "./shared";

/** Spaces, which hold the content. The API document has no operation for them; other answers contain them. */

const permissions = [
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

const mergeRules = z.strictObject({
  type: openEnum(["inherit", "rules", "none", "custom"]),
  rules: z.array(z.looseObject({ rule: z.string() })).optional(),
});

export const space = z
  .strictObject({
    object: z.literal("space"),
    id: identifier,
    title: z.string(),
    emoji: z.string(),
    visibility: openEnum(["public", "unlisted", "share-link", "visitor-auth", "in-collection", "private"]),
    createdAt: dateTime,
    updatedAt: dateTime,
    deletedAt: dateTime.optional(),
    editMode: openEnum(["live", "locked"]).optional(),
    mergeRules,
    urls: z.strictObject({
      location: url,
      app: url,
      published: url.optional(),
      public: url.optional(),
      icon: url.optional(),
    }),
    organization: identifier,
    parent: identifier.optional(),
    language: z.string().optional(),
    gitSync: z
      .strictObject({
        repoName: z.string().optional(),
        installationProvider: openEnum(["github", "gitlab", "github-legacy"]).optional(),
        integration: z.string().optional(),
        url: url.optional(),
        updatedAt: dateTime.optional(),
        installationId: z.string().optional(),
        installationStatus: z.string().optional(),
      })
      .optional(),
    visitorAuth: z
      .strictObject({ backend: openEnum(["custom", "integration"]), integration: z.string().optional() })
      .optional(),
    revision: identifier,
    defaultLevel: openEnum([...roles, "inherit"]).nullable(),
    comments: z.number().int().min(0),
    changeRequests: z.number().int().min(0),
    changeRequestsOpen: z.number().int().min(0),
    changeRequestsDraft: z.number().int().min(0),
    permissions: z.strictObject(
      Object.fromEntries(permissions.map((name) => [name, z.boolean()])) as Record<
        (typeof permissions)[number],
        z.ZodBoolean
      >,
    ),
  })
  .meta({ id: "Space" });
export type Space = z.output<typeof space>;
