import { z } from "zod";
import { endpoint, none } from "../schema/endpoint";
import { changeRequest, changeRequestPath } from "./change-requests";
import { anyPage, file, pageWithPath, reusableContent, revision } from "./revisions";
import { semanticChange } from "./semantic-changes";
import { count, identifier, openEnum, page, pageQuery, url, user } from "./shared";
import { space } from "./spaces";

/** Content of a change request: the space as it will be after the merge. */

const lookup = {
  metadata: z.boolean().optional().describe("False omits git metadata, which can be faster; default true."),
  computed: z.boolean().optional().describe("False returns the source of computed content uncomputed; default true."),
};
const lookupQuery = z.strictObject(lookup);

const pageFormat = z.strictObject({
  format: z
    .enum(["markdown", "document"])
    .optional()
    .describe("Format of the page's body: `markdown` or `document` (rich text). No body by default."),
  evaluated: z
    .union([z.boolean(), z.literal("deterministic-only")])
    .optional()
    .describe("Evaluates expressions in the page: all (true), none (false, default), or only the deterministic ones."),
  ...lookup,
});

/** Ends of links: the target of a link, and the location of the link. */

/** The content that contains this end of the link. */
const versionContext = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("revision"), revision }),
  z.strictObject({ type: z.literal("changeRequest"), changeRequest }),
]);

/** The API document has no operation for organizations, so their further properties are passed on as the service answers them. */
const organization = z.looseObject({ object: z.literal("organization"), id: identifier, title: z.string() });

const inSpace = { organization, space, versionContext: versionContext.optional() };

/** The API document shows the kind `file` only; the others are assumed to follow it, with the object under its kind's name. */
const anyReference = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("file"), ...inSpace, file }),
  z.strictObject({ kind: z.literal("page"), ...inSpace, page: anyPage }),
  z.strictObject({ kind: z.literal("reusable-content"), ...inSpace, reusableContent }),
  z.strictObject({ kind: z.literal("space"), organization, space }),
  z.strictObject({ kind: z.literal("url"), url }),
  z.strictObject({ kind: z.literal("user"), user }),
  z.looseObject({ kind: z.literal("collection"), collection: z.looseObject({ id: identifier }) }),
  z.looseObject({ kind: z.literal("openapi"), organization }),
]);
type AnyReference = z.output<typeof anyReference>;
// Interfaces keep their names in declarations, in which each row would otherwise repeat all types: a megabyte.
interface FileReference extends Extract<AnyReference, { kind: "file" }> {}
interface PageReference extends Extract<AnyReference, { kind: "page" }> {}
interface ReusableContentReference extends Extract<AnyReference, { kind: "reusable-content" }> {}
type SmallReference = Exclude<AnyReference, { kind: "file" | "page" | "reusable-content" }>;
export type Reference = FileReference | PageReference | ReusableContentReference | SmallReference;
const reference: z.ZodType<Reference, Reference> = anyReference;

const backlinks = page(reference);

const linkItem = z.strictObject({
  status: openEnum(["ok", "broken", "in-app"]),
  relation: openEnum(["reference", "dependsOn"]),
  targetReference: reference.optional(),
  locationReferences: z.array(reference),
});

const linkStats = z.strictObject({
  total: count,
  broken: z.strictObject({ total: count, changeRequest: count.optional() }),
});

const contentPath = `${changeRequestPath}/content` as const;
const ofChangeRequest = "of change request {changeRequestId} of space {spaceId}";

export const contentEndpoints = {
  getContent: endpoint({
    route: `GET ${contentPath}`,
    does: `read the content ${ofChangeRequest}`,
    query: lookupQuery,
    reply: revision,
    answers: { spaceId: none, changeRequestId: none },
  }),
  listContentPages: endpoint({
    route: `GET ${contentPath}/pages`,
    does: `list the pages ${ofChangeRequest}`,
    query: lookupQuery,
    reply: z.strictObject({ pages: z.array(anyPage) }),
    answers: { spaceId: none, changeRequestId: none },
  }),
  listContentFiles: endpoint({
    route: `GET ${contentPath}/files`,
    does: `list the files ${ofChangeRequest}`,
    query: pageQuery.extend(lookup),
    reply: page(file),
    answers: { spaceId: none, changeRequestId: none },
    filters: { metadata: none, computed: none },
  }),
  getContentFile: endpoint({
    route: `GET ${contentPath}/files/{fileId}`,
    does: `read file {fileId} ${ofChangeRequest}`,
    query: lookupQuery,
    reply: file,
    answers: { spaceId: none, changeRequestId: none, fileId: "id" },
  }),
  listFileBacklinks: endpoint({
    route: `GET ${contentPath}/files/{fileId}/backlinks`,
    does: `list the backlinks of file {fileId} ${ofChangeRequest}`,
    query: pageQuery,
    reply: backlinks,
    answers: { spaceId: none, changeRequestId: none, fileId: none },
  }),
  getContentPage: endpoint({
    route: `GET ${contentPath}/page/{pageId}`,
    does: `read page {pageId} ${ofChangeRequest}`,
    query: pageFormat,
    reply: anyPage,
    answers: { spaceId: none, changeRequestId: none, pageId: "id" },
  }),
  listPageLinks: endpoint({
    route: `GET ${contentPath}/page/{pageId}/links`,
    does: `list the links of page {pageId} ${ofChangeRequest}`,
    query: pageQuery,
    reply: page(linkItem).extend({ stats: linkStats }),
    answers: { spaceId: none, changeRequestId: none, pageId: none },
  }),
  listPageBacklinks: endpoint({
    route: `GET ${contentPath}/page/{pageId}/backlinks`,
    does: `list the backlinks of page {pageId} ${ofChangeRequest}`,
    query: pageQuery,
    reply: backlinks,
    answers: { spaceId: none, changeRequestId: none, pageId: none },
  }),
  getReusableContent: endpoint({
    route: `GET ${contentPath}/reusable-contents/{reusableContentId}`,
    does: `read reusable content {reusableContentId} ${ofChangeRequest}`,
    query: lookupQuery,
    reply: reusableContent,
    answers: { spaceId: none, changeRequestId: none, reusableContentId: "id" },
  }),
  /** The path of a page is one segment of the URL: the client encodes its slashes. */
  getContentPageByPath: endpoint({
    route: `GET ${contentPath}/path/{pagePath}`,
    does: `read page {pagePath} ${ofChangeRequest}`,
    query: pageFormat,
    reply: pageWithPath,
    answers: { spaceId: none, changeRequestId: none, pagePath: "path" },
  }),
  listChanges: endpoint({
    route: `GET ${changeRequestPath}/changes`,
    does: `list the changes ${ofChangeRequest}`,
    query: z.strictObject({
      limit: count.optional().describe("Maximum number of changes in the answer, default 10."),
    }),
    reply: z.strictObject({
      changes: z.array(semanticChange),
      mergedFrom: changeRequest.optional(),
      more: count.optional().describe("Number of changes beyond the limit."),
    }),
    answers: { spaceId: none, changeRequestId: none },
  }),
};
