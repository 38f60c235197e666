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

const fileReference = z.strictObject({ kind: z.literal("file"), ...inSpace, file });
const pageReference = z.strictObject({ kind: z.literal("page"), ...inSpace, page: anyPage });
const reusableContentReference = z.strictObject({ kind: z.literal("reusable-content"), ...inSpace, reusableContent });
const spaceReference = z.strictObject({ kind: z.literal("space"), organization, space });
const urlReference = z.strictObject({ kind: z.literal("url"), url });
const userReference = z.strictObject({ kind: z.literal("user"), user });
const collectionReference = z.looseObject({
  kind: z.literal("collection"),
  collection: z.looseObject({ id: identifier }),
});
const openApiReference = z.looseObject({ kind: z.literal("openapi"), organization });

// Interfaces keep their names in type declarations; inferred types would be expanded in each row.
interface FileReference extends z.output<typeof fileReference> {}
interface PageReference extends z.output<typeof pageReference> {}
interface ReusableContentReference extends z.output<typeof reusableContentReference> {}
interface SpaceReference extends z.output<typeof spaceReference> {}
interface UrlReference extends z.output<typeof urlReference> {}
interface UserReference extends z.output<typeof userReference> {}
interface CollectionReference extends z.output<typeof collectionReference> {}
interface OpenApiReference extends z.output<typeof openApiReference> {}
export type Reference =
  | FileReference
  | PageReference
  | ReusableContentReference
  | SpaceReference
  | UrlReference
  | UserReference
  | CollectionReference
  | OpenApiReference;

/** The API document shows the kind `file` only; the others are assumed to follow it, with the object under its kind's name. */
export const reference: z.ZodType<Reference, Reference> = z.discriminatedUnion("kind", [
  fileReference,
  pageReference,
  reusableContentReference,
  spaceReference,
  urlReference,
  userReference,
  collectionReference,
  openApiReference,
]);
