import { z } from "zod";
import { changeRequestStatuses } from "../../api/groups/change-requests";
import { variables } from "../../api/groups/revisions";
import { count, dateTime, richText } from "../../api/groups/shared";
import { created, id, ownId, type SeedingContext } from "../seed/fields";
import { newId } from "../store/ids";
import { applyEdit, contentEdits, pagesOf, seedPage, title } from "./edits";
import type { SpaceContent, SpaceRecord } from "./record";
import { commitToChangeRequest, merge, openChangeRequest, primaryContent } from "./revisions";
import { parseMarkdown } from "./rich-text";

const userId = z.string().min(1).describe("Id of a user; the user does not need to be a member.");

const seedFile = z.strictObject({
  id: ownId("the file"),
  name: z.string().min(1).describe("Name with extension."),
  contentType: z.string().optional().describe("Media type; default: `application/octet-stream`."),
  size: count.optional().describe("Size in bytes, default 1024."),
});

const seedReusable = z.strictObject({ id: ownId("the content"), title });

const changeRequest = z.strictObject({
  id: ownId("the change request"),
  subject: z.string().max(100).optional().describe("Subject, at most 100 characters."),
  description: z
    .union([z.string(), richText])
    .optional()
    .describe("Description; a string becomes paragraphs of rich text."),
  status: z
    .enum(changeRequestStatuses)
    .optional()
    .describe("Status, default `draft`; `merged` merges the change request."),
  createdBy: userId.optional(),
  createdAt: dateTime.optional().describe("Time of creation; that of the space by default."),
  contributors: z.array(userId).optional().describe("Ids of the users who changed it."),
  requestedReviewers: z.array(userId).optional().describe("Ids of the users who were asked to review it."),
  comments: count.optional().describe("Number of open comments."),
  conversationsIssuesCluster: z
    .string()
    .min(1)
    .optional()
    .describe("Id of a cluster of issues. Removed in newer versions of the service."),
  edits: contentEdits.optional().describe("Edits, applied one after the other."),
});
export type SeedChangeRequest = z.input<typeof changeRequest>;

export const seedSpace = z.strictObject({
  id: id.describe("Id of the space. Letters, digits, - and _."),
  title: z.string().describe("Title."),
  emoji: z.string().max(50).optional().describe("Emoji before the title, such as `1f4d6`."),
  createdAt: created,
  pages: z.array(seedPage).optional().describe("Pages and groups at the top level."),
  files: z.array(seedFile).optional().describe("Files."),
  reusableContents: z.array(seedReusable).optional().describe("Contents that pages include."),
  variables: variables.optional().describe("Variables of the space by name."),
  changeRequests: z
    .array(changeRequest)
    .optional()
    .describe("Change requests in order of creation: a merged one makes the previous ones outdated."),
});
export type SeedSpace = z.input<typeof seedSpace>;
export type SeedContent = Omit<SeedSpace, "id" | "title" | "emoji" | "createdAt">;

/** Builds the record of a space: a first revision, then the change requests in order. */
export function spaceOf(seed: SeedSpace, context: SeedingContext, author: string): SpaceRecord {
  const { id, title, emoji = "1f4c4", createdAt = context.createdAt } = seed;
  const revision = newId("revision");
  const first = { id: revision, parents: [], type: "edits" as const, createdAt, content: contentOf(seed) };
  const space: SpaceRecord = {
    id,
    sequence: context.next(),
    title,
    emoji,
    createdAt,
    updatedAt: createdAt,
    revision,
    revisions: new Map([[revision, first]]),
    changeRequests: new Map(),
    lastNumber: 0,
  };
  for (const one of seed.changeRequests ?? []) addChangeRequest(space, one, context.next(), author);
  return space;
}

function addChangeRequest(space: SpaceRecord, seed: SeedChangeRequest, sequence: number, author: string): void {
  const { createdBy = author, createdAt = space.createdAt, edits = [], status, ...settings } = seed;
  const description = typeof seed.description === "string" ? parseMarkdown(seed.description) : seed.description;
  const contributors = [...new Set([createdBy, ...(seed.contributors ?? [])])];
  const made = { ...settings, description, createdBy, createdAt, contributors, sequence };
  const changeRequest = openChangeRequest(space, made);
  const content = edits.reduce(applyEdit, primaryContent(space));
  if (edits.length > 0) commitToChangeRequest(space, changeRequest, content, createdAt);
  if (status === "merged") merge(space, changeRequest, createdBy, createdAt);
  else if (status) changeRequest.status = status;
}

function contentOf({ pages = [], files = [], reusableContents = [], variables = {} }: SeedContent): SpaceContent {
  return {
    pages: pagesOf(pages),
    files: files.map(({ id = newId("file"), contentType = "application/octet-stream", size = 1024, name }) => {
      return { id, name, contentType, size };
    }),
    reusableContents: reusableContents.map(({ id = newId("reusable"), title }) => ({ id, title })),
    variables,
  };
}
