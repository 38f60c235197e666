import { z } from "zod";
import { changeRequestStatuses } from "../../api/groups/change-requests";
import { contentRef, variables } from "../../api/groups/revisions";
import { count, dateTime, richText } from "../../api/groups/shared";
import { id, ownId } from "../seed/fields";

/** Schemas of a space's content in a seed: pages, files, and change requests with their edits. */

const title = z.string().min(1).describe("Title.");
const userId = z.string().min(1).describe("Id of a user; the user does not need to be a member.");

/** Settings of a page that edits may set as well. */
const pageSettings = {
  slug: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[^/]+$/, "a slug without a slash")
    .optional()
    .describe("Last part of the page's path, 1 to 100 characters; derived from the title by default."),
  markdown: z.string().optional().describe("Body of a document page."),
  description: z.string().optional().describe("Description below the title."),
  emoji: z.string().max(50).optional().describe("Emoji before the title, such as `1f4d6`."),
  hidden: z.boolean().optional().describe("Whether the page is left out of the table of contents; default: false."),
  target: contentRef.optional().describe("Target of a link page."),
};

const pageFields = {
  id: ownId("the page"),
  type: z.enum(["document", "group", "link"]).optional().describe("Type of the page, default `document`."),
  title,
  ...pageSettings,
};

export interface SeedPage extends z.input<typeof withoutPages> {
  pages?: SeedPage[] | undefined;
}
const withoutPages = z.strictObject(pageFields);

const page: z.ZodType<SeedPage, SeedPage> = z
  .strictObject({
    ...pageFields,
    get pages() {
      return z.array(page).optional().describe("Pages below this one.");
    },
  })
  .refine(({ type, target }) => (type === "link") === (target !== undefined), {
    path: ["target"],
    error: "a page of type link needs it, and no other page has it",
  })
  .refine(({ type, pages = [] }) => type !== "link" || pages.length === 0, {
    path: ["pages"],
    error: "a page of type link has no pages below it",
  })
  .refine(({ pages = [] }) => pages.every((inner) => inner.type !== "group"), {
    path: ["pages"],
    error: "a group must be at the top level",
  });

const seedFile = z.strictObject({
  id: ownId("the file"),
  name: z.string().min(1).describe("Name with extension."),
  contentType: z.string().optional().describe("Media type; default: `application/octet-stream`."),
  size: count.optional().describe("Size in bytes, default 1024."),
});

const seedReusable = z.strictObject({ id: ownId("the content"), title });

const pageRef = z.string().min(1).describe("Id or path of a page.");
const edits = {
  addPage: z.strictObject({ page, under: pageRef.optional() }),
  editPage: z.strictObject({ page: pageRef, title: title.optional(), ...pageSettings }),
  deletePage: z.strictObject({ page: pageRef }),
  deleteFile: z.strictObject({ file: id }),
  setVariables: z.record(z.string(), z.union([z.string().max(256), z.number(), z.boolean(), z.null()])),
};

type EditKinds = { readonly [Kind in keyof typeof edits]: z.input<(typeof edits)[Kind]> };
export type EditKind = keyof EditKinds;
/** Arguments of one kind of edit. */
export type EditOf<Kind extends EditKind> = EditKinds[Kind];
/** One change of content; `setVariables` removes the variables that it sets to null. */
export type ContentEdit = {
  [Kind in EditKind]: { readonly [One in Kind]: EditKinds[One] } & {
    readonly [Other in Exclude<EditKind, Kind>]?: never;
  };
}[EditKind];

/** Each item has exactly one edit: two in one object would have no order. */
export const contentEdits = z.array(
  z
    .strictObject(Object.fromEntries(Object.entries(edits).map(([kind, schema]) => [kind, schema.optional()])))
    .refine((edit) => Object.keys(edit).length === 1, { error: `use exactly one of ${Object.keys(edits).join(", ")}` }),
) as unknown as z.ZodType<ContentEdit[], ContentEdit[]>;

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

/** Properties of a space in a seed. */
export const seedContent = {
  pages: z.array(page).optional().describe("Pages and groups at the top level."),
  files: z.array(seedFile).optional().describe("Files."),
  reusableContents: z.array(seedReusable).optional().describe("Contents that pages include."),
  variables: variables.optional().describe("Variables of the space by name."),
  changeRequests: z
    .array(changeRequest)
    .optional()
    .describe("Change requests in order of creation: a merged one makes the previous ones outdated."),
};
const spaceContent = z.strictObject(seedContent);
export type SeedContent = z.input<typeof spaceContent>;
