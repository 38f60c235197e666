import { z } from "zod";
import { identifier, openEnum, url } from "./shared";

/** Changes of a change request, described as changes of pages, files and other content. */

const page = z
  .strictObject({
    id: identifier.describe("Id of the page."),
    type: openEnum(["document", "group", "link", "computed"]).describe(
      "Kind of the page: `document`, `group`, `link` or `computed`.",
    ),
    title: z.string().describe("Title of the page."),
    path: z.string().optional().describe("Path of the page; none if the page is not computed yet."),
  })
  .meta({ id: "ChangedPage", description: "A page that a change request changes." });

const file = z
  .strictObject({
    id: identifier.describe("Id of the file."),
    name: z.string().describe("Name of the file."),
    contentType: z.string().describe("Media type of the file."),
    downloadURL: url.optional().describe("URL from which the file can be downloaded."),
  })
  .meta({ id: "ChangedFile", description: "A file that a change request changes." });

const reusable = z
  .strictObject({
    id: identifier.describe("Id of the reusable content."),
    title: z.string().describe("Title of the reusable content."),
  })
  .meta({ id: "ChangedReusableContent", description: "Reusable content that a change request changes." });

const attribute = z
  .strictObject({
    before: z.unknown().optional().describe("The value before; none if the attribute did not exist."),
    after: z.unknown().optional().describe("The value after; none if the attribute no longer exists."),
  })
  .meta({ id: "ChangedAttribute", description: "Value of an attribute before and after." });
const attributes = z.record(z.string(), attribute).describe("The attributes that change, by name.");
const parent = z
  .strictObject({
    before: page.optional().describe("The page above it before; none at the top."),
    after: page.optional().describe("The page above it after; none at the top."),
  })
  .describe("Where a page is moved from and to.");

/**
 * The API document shows `page_created` only. Of the others, the types, `attributes` and `parent` are known; pages have the
 * same shape as in `page_created`.
 */
const anyChange = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("page_created"), page }),
  z.strictObject({ type: z.literal("page_edited"), page, attributes }),
  z.strictObject({ type: z.literal("page_deleted"), page }),
  z.strictObject({ type: z.literal("page_moved"), page, parent }),
  z.strictObject({ type: z.literal("file_created"), file }),
  z.strictObject({ type: z.literal("file_edited"), file, attributes: attributes.optional() }),
  z.strictObject({ type: z.literal("file_deleted"), file }),
  z.strictObject({ type: z.literal("variables_edited"), attributes: attributes.optional() }),
  z.strictObject({ type: z.literal("reusable_content_created"), reusableContent: reusable }),
  z.strictObject({
    type: z.literal("reusable_content_edited"),
    reusableContent: reusable,
    attributes: attributes.optional(),
  }),
  z.strictObject({ type: z.literal("reusable_content_deleted"), reusableContent: reusable }),
]);
export type SemanticChange = z.output<typeof anyChange>;
export const semanticChange: z.ZodType<SemanticChange, SemanticChange> = anyChange.meta({
  id: "SemanticChange",
  description: "A change of a change request.",
});
