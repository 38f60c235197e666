import { z } from "zod";
import { changeRequestStatuses } from "../../api/groups/change-requests";
import { computed, contentRef, cover, file, layout, variables } from "../../api/groups/revisions";
import { dateTime, richText } from "../../api/groups/shared";
import { idPattern } from "../store/ids";

/** Content of a space as a seed says it: pages, files, and change requests with what they change. */

const id = z.string().regex(idPattern, "letters, digits, - and _");
const title = z.string().min(1);
const userId = z.string().min(1).describe("Id of a user, who need not be a member.");

/** Settings that every edit of a page may set, too. */
const pageSettings = {
  slug: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[^/]+$/, "a slug without a slash")
    .optional(),
  markdown: z.string().optional().describe("Body of a document page."),
  description: z.string().optional(),
  emoji: z.string().max(50).optional(),
  icon: z.string().max(50).optional(),
  hidden: z.boolean().optional(),
  noIndex: z.boolean().optional(),
  noRobotsIndex: z.boolean().optional(),
  layout: layout.partial().optional().describe("Where the layout differs from the usual one."),
  cover: cover.partial().optional(),
  variables: variables.optional(),
  target: contentRef.optional().describe("What a link page points at."),
  computed: computed.optional().describe("Source of a computed page."),
};

const pageFields = {
  id: id.optional(),
  type: z.enum(["document", "group", "link", "computed"]).optional().describe("`document` when left out."),
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
      return z.array(page).optional();
    },
  })
  .superRefine((seed, context) => {
    for (const { path, message } of wrongWithPage(seed)) context.addIssue({ code: "custom", path, message });
  });

function wrongWithPage({ type = "document", target, computed, markdown, pages = [] }: SeedPage) {
  const nested = pages.findIndex((inner) => inner.type === "group");
  const leaf = type === "link" || type === "computed";
  const belongs = [
    { name: "target", there: target !== undefined, to: "link", needed: true },
    { name: "computed", there: computed !== undefined, to: "computed", needed: true },
    { name: "markdown", there: markdown !== undefined, to: "document", needed: false },
  ];
  return [
    ...belongs.flatMap(({ name, there, to, needed }) => {
      if (there && type !== to) return [{ path: [name], message: `only a page of type ${to} has it; remove it` }];
      return !there && needed && type === to ? [{ path: [name], message: `a page of type ${to} needs it` }] : [];
    }),
    ...(leaf && pages.length > 0 ? [{ path: ["pages"], message: `a page of type ${type} has no pages below it` }] : []),
    ...(nested >= 0 ? [{ path: ["pages", nested, "type"], message: "a group is always at the top" }] : []),
  ];
}

const fileFields = {
  name: z.string().min(1),
  contentType: z.string().optional().describe("By the end of the name when left out."),
  size: z.number().int().min(0).optional().describe("Bytes, 1024 when left out."),
  dimensions: file.shape.dimensions,
  markdown: z.string().optional().describe("Text with links, of a file that has one; only backlinks show it."),
};
const seedFile = z.strictObject({ id: id.optional(), ...fileFields });
export type SeedFile = z.input<typeof seedFile>;

const reusable = { markdown: z.string().optional(), computed: computed.optional() };
const seedReusable = z.strictObject({ id: id.optional(), title, ...reusable });
export type SeedReusableContent = z.input<typeof seedReusable>;

const pageRef = z.string().min(1).describe("Id or path of a page.");
const place = {
  under: pageRef.nullable().optional().describe("Page to be below; null is the top of the space."),
  after: pageRef
    .nullable()
    .optional()
    .describe("Page to come after; null is the first place, and the last one when left out."),
};

const edits = {
  addPage: z.strictObject({ page, ...place }),
  editPage: z.strictObject({ page: pageRef, title: title.optional(), ...pageSettings }),
  movePage: z.strictObject({ page: pageRef, ...place }),
  deletePage: z.strictObject({ page: pageRef }),
  addFile: seedFile,
  editFile: z.strictObject({ ...fileFields, file: id, name: fileFields.name.optional() }),
  deleteFile: z.strictObject({ file: id }),
  addReusableContent: seedReusable,
  editReusableContent: z.strictObject({ reusableContent: id, title: title.optional(), ...reusable }),
  deleteReusableContent: z.strictObject({ reusableContent: id }),
  setVariables: z.record(z.string(), z.union([z.string().max(256), z.number(), z.boolean(), z.null()])),
};

type EditKinds = { readonly [Kind in keyof typeof edits]: z.input<(typeof edits)[Kind]> };
export type EditKind = keyof EditKinds;
/** What one kind of edit is about. */
export type EditOf<Kind extends EditKind> = EditKinds[Kind];
/** One change of content; `setVariables` removes the variables that it sets to null. */
export type ContentEdit = {
  [Kind in EditKind]: { readonly [One in Kind]: EditKinds[One] } & {
    readonly [Other in Exclude<EditKind, Kind>]?: never;
  };
}[EditKind];

/** One edit an item: two in one would have no order. */
export const contentEdits = z.array(
  z
    .strictObject(Object.fromEntries(Object.entries(edits).map(([kind, schema]) => [kind, schema.optional()])))
    .refine((edit) => Object.keys(edit).length === 1, { error: `use exactly one of ${Object.keys(edits).join(", ")}` }),
) as unknown as z.ZodType<ContentEdit[], ContentEdit[]>;

const changeRequest = z.strictObject({
  id: id.optional(),
  subject: z.string().max(100).optional(),
  description: z.union([z.string(), richText]).optional().describe("A text becomes a rich text of paragraphs."),
  status: z.enum(changeRequestStatuses).optional().describe("`draft` when left out; `merged` merges it."),
  createdBy: userId.optional(),
  createdAt: dateTime.optional().describe("That of the space when left out."),
  contributors: z.array(userId).optional(),
  requestedReviewers: z.array(userId).optional(),
  comments: z.number().int().min(0).optional().describe("Comments that are open."),
  conversationsIssuesCluster: z.string().min(1).optional(),
  edits: contentEdits.optional().describe("What it changes, one after the other."),
});
export type SeedChangeRequest = z.input<typeof changeRequest>;

const gitSync = z.strictObject({
  repoName: z.string().min(1),
  provider: z.enum(["github", "gitlab", "github-legacy"]).optional(),
  branch: z.string().min(1).optional(),
});
export type SeedGitSync = z.input<typeof gitSync>;

/** Properties of a space in a seed. */
export const seedContent = {
  pages: z.array(page).optional(),
  files: z.array(seedFile).optional(),
  reusableContents: z.array(seedReusable).optional(),
  variables: variables.optional(),
  gitSync: gitSync.optional(),
  changeRequests: z
    .array(changeRequest)
    .optional()
    .describe("In their order: one that is merged makes those before it outdated."),
};
const spaceContent = z.strictObject(seedContent);
export type SeedContent = z.input<typeof spaceContent>;
