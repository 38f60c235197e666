import { z } from "zod";
import { changeRequest } from "./change-requests";
import { organization } from "./organizations";
import { anyPage, file, reusableContent, revision } from "./revisions";
import { identifier, url, user } from "./shared";
import { space } from "./spaces";

/** Ends of links: the target of a link, and the location of the link. */

/** The content that contains this end of the link. */
const versionContext = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("revision"), revision }),
  z.strictObject({ type: z.literal("changeRequest"), changeRequest }),
]);

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
export const reference: z.ZodType<Reference, Reference> = anyReference;
