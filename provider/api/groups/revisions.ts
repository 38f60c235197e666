import { z } from "zod";
import { changeRequest } from "./change-requests";
import { dateTime, identifier, richText, url } from "./shared";

/** Content: revisions with pages, files, reusable contents and variables. */

/** Variables of a space or a page. The API document shows strings only; the live service has all three types. */
export const variables = z.record(z.string(), z.union([z.string().max(256), z.number(), z.boolean()]));
export type Variables = z.output<typeof variables>;

const urlRef = z.strictObject({ kind: z.literal("url"), url });
const fileRef = z.strictObject({ kind: z.literal("file"), file: identifier, space: identifier.optional() });

/** Where a link or a dependency points. */
export const contentRef = z.discriminatedUnion("kind", [
  urlRef,
  fileRef,
  z.strictObject({ kind: z.literal("page"), page: identifier, space: identifier.optional() }),
  z.strictObject({ kind: z.literal("space"), space: identifier }),
  z.strictObject({ kind: z.literal("reusable-content"), reusableContent: identifier, space: identifier.optional() }),
  z.strictObject({ kind: z.literal("user"), user: identifier }),
  z.strictObject({ kind: z.literal("collection"), collection: identifier }),
  z.strictObject({ kind: z.literal("openapi"), spec: identifier }),
]);
export type ContentRef = z.output<typeof contentRef>;

const flag = z.boolean();

/** Layout, cover, and git metadata (omitted with `metadata=false`): no operation writes them, so they are passed on as the service answers them. */
const details = z.looseObject({});

/** Where computed content comes from; seen: `builtin:openapi`. */
const computed = z.looseObject({ type: z.string() });

const tags = z.array(z.looseObject({})).optional();

const common = {
  id: identifier,
  title: z.string(),
  emoji: z.string().optional(),
  icon: z.string().optional(),
  createdAt: dateTime.optional(),
  updatedAt: dateTime.optional(),
  hidden: flag.optional(),
  noIndex: flag.optional(),
  noRobotsIndex: flag.optional(),
  git: details.optional(),
  tags,
};

const addressed = { slug: z.string(), path: z.string() };
const pageUrls = z.strictObject({ app: url });

export const linkPage = z.strictObject({
  ...common,
  type: z.literal("link"),
  kind: z.literal("link").optional(),
  target: contentRef,
  slug: z.string().optional(),
  path: z.string().optional(),
  urls: pageUrls.optional(),
});
export type LinkPage = z.output<typeof linkPage>;

/** A page that is not computed yet, as answered with `computed=false`. */
const computedPage = z.strictObject({
  ...common,
  type: z.literal("computed"),
  computed,
  computedSeed: z.string().optional(),
});
export type ComputedPage = z.output<typeof computedPage>;

const documentFields = {
  ...common,
  type: z.literal("document"),
  kind: z.literal("sheet").optional(),
  ...addressed,
  description: z.string().optional(),
  urls: pageUrls,
  layout: details,
  cover: details.optional(),
  variables: variables.optional(),
  markdown: z.string().optional(),
  document: richText.optional(),
  documentId: identifier.optional(),
  // Both exist on a page that was computed.
  computed: computed.optional(),
  computedSeed: z.string().optional(),
};
const withoutPages = z.strictObject(documentFields);

/** The body is in `markdown` or `document`, depending on `format`; without a format, only `documentId` is set. */
export interface DocumentPage extends z.output<typeof withoutPages> {
  pages: NestedPage[];
}

/** A page below another one. Groups exist at the top level only. */
export type NestedPage = DocumentPage | LinkPage | ComputedPage;

export const documentPage = z.strictObject({
  ...documentFields,
  get pages(): z.ZodType<NestedPage[], NestedPage[]> {
    return z.array(z.discriminatedUnion("type", [documentPage, linkPage, computedPage]));
  },
});

export const groupPage = z.strictObject({
  ...common,
  type: z.literal("group"),
  kind: z.literal("group").optional(),
  ...addressed,
  urls: pageUrls.optional(),
  pages: z.array(z.discriminatedUnion("type", [documentPage, linkPage, computedPage])),
});
export type GroupPage = z.output<typeof groupPage>;

export const pageWithPath: z.ZodType<DocumentPage | GroupPage, DocumentPage | GroupPage> = z.discriminatedUnion(
  "type",
  [documentPage, groupPage],
);

/** `Page` and the unions below have named types: without them, type declarations of the API would be too long for the compiler. */
export type ContentPage = DocumentPage | GroupPage | LinkPage | ComputedPage;
export const anyPage: z.ZodType<ContentPage, ContentPage> = z.discriminatedUnion("type", [
  documentPage,
  groupPage,
  linkPage,
  computedPage,
]);

export const file = z.strictObject({
  id: identifier,
  name: z.string(),
  contentType: z.string(),
  downloadURL: url,
  size: z.number().min(0),
  dimensions: z.strictObject({ width: z.number(), height: z.number() }).optional(),
  git: details.optional(),
});
export type File = z.output<typeof file>;

export const reusableContent = z.strictObject({
  id: identifier,
  title: z.string(),
  document: identifier.optional(),
  computed: computed.optional(),
  computedSeed: z.string().optional(),
  git: details.optional(),
});
export type ReusableContent = z.output<typeof reusableContent>;

const revisionBase = {
  object: z.literal("revision"),
  id: identifier,
  parents: z.array(identifier),
  pages: z.array(anyPage),
  files: z.array(file),
  reusableContents: z.array(reusableContent),
  variables: variables.optional(),
  createdAt: dateTime,
  git: details.optional(),
  urls: z.strictObject({ app: url, published: url.optional(), public: url.optional() }),
  tags,
};

const anyRevision = z.discriminatedUnion("type", [
  z.strictObject({ ...revisionBase, type: z.literal("edits") }),
  z.strictObject({ ...revisionBase, type: z.literal("merge"), mergedFrom: changeRequest }),
  z.strictObject({ ...revisionBase, type: z.literal("rollback") }),
  z.strictObject({ ...revisionBase, type: z.literal("update") }),
  z.strictObject({
    ...revisionBase,
    type: z.literal("computed"),
    // Required from version 0.202 of the service on, unknown before.
    sourceRevision: identifier.optional(),
    mergedFrom: changeRequest.optional(),
  }),
]);
export type Revision = z.output<typeof anyRevision>;
export const revision: z.ZodType<Revision, Revision> = anyRevision;
