import { z } from "zod";
import { identifier, openEnum, url } from "./shared";

/** Changes of a change request, described as changes of pages, files and other content. */

const page = z
  .strictObject({
    id: identifier,
    type: openEnum(["document", "group", "link", "computed"]),
    title: z.string(),
    // Absent on a page that is not computed yet.
    path: z.string().optional(),
  })
  .meta({ id: "ChangedPage" });

const file = z
  .strictObject({
    id: identifier,
    name: z.string(),
    contentType: z.string(),
    downloadURL: url.optional(),
  })
  .meta({ id: "ChangedFile" });

const reusable = z.strictObject({ id: identifier, title: z.string() }).meta({ id: "ChangedReusableContent" });

/** Value before and after; absent if the attribute did not exist. */
const attribute = z
  .strictObject({ before: z.unknown().optional(), after: z.unknown().optional() })
  .meta({ id: "ChangedAttribute" });
const attributes = z.record(z.string(), attribute);
const parent = z.strictObject({ before: page.optional(), after: page.optional() });

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
export const semanticChange: z.ZodType<SemanticChange, SemanticChange> = anyChange.meta({ id: "SemanticChange" });
