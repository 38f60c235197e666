import { z } from "zod";

/** Schemas that several groups of the API share. They are strict for requests and for the answers of the emulator. */

/** The type of `openEnum`. It has a name, because type declarations would otherwise repeat all values at each use. */
export interface OpenEnum<V extends string> extends z.ZodType<V | (string & {}), V | (string & {})> {}

/**
 * An enum in an answer. Types and client accept values that the service adds later (see tolerant.ts); the emulator must answer
 * with a known value.
 */
export function openEnum<const V extends readonly [string, ...string[]]>(values: V) {
  return z.enum(values) as unknown as OpenEnum<V[number]>;
}

/** A property that exists from version 0.202 of the service on. */
export const newer = <S extends z.ZodType>(schema: S, text = "") =>
  schema.optional().describe(`${text} Only newer versions of the service answer it.`.trim());

/** An id that the service assigns: of an organization, space, site, user or team. */
export const identifier = z.string().min(1);

/**
 * An id that a program or a caller names, which becomes a part of a path. A gateway may decode `..%2Fteams` before it passes a
 * request on, so what cannot be an id is not sent. Ids of the service have about 20 characters; the API document shows no limit.
 */
export const idPattern = /^(?!\.{1,2}$)[^\s\p{C}\p{DI}/\\?#%]{1,512}$/u;
export const useAnId = 'use an id of the service: at most 512 characters, without spaces, slashes, "?", "#" and "%"';
export const givenId = z.string().regex(idPattern, useAnId);

export const count = z.number().int().min(0);
export const url = z.url().max(2048);
export const dateTime = z.iso.datetime({ offset: true });
export const location = url.describe("URL of the object in the API.");
export const app = url.describe("URL of the object in the app.");
export const publishedUrl = url.describe("URL under which visitors read it, if it is published.");
/** What the caller of the API may do with an object. */
export const permissionsOf = <const Names extends readonly string[]>(...names: Names) =>
  z
    .strictObject(
      Object.fromEntries(
        names.map((name) => [
          name,
          z.boolean().describe(`Whether the caller of the API has the permission \`${name}\`.`),
        ]),
      ) as Record<Names[number], z.ZodBoolean>,
    )
    .describe("What the caller of the API may do.");

/** Roles of organization members, from the most to the least powerful. */
export const roles = ["admin", "create", "review", "edit", "comment", "read"] as const;
export type Role = (typeof roles)[number];
export const role = z.enum(roles).describe("Role in the organization: admin, create, review, edit, comment or read.");
export const liveRole = openEnum(roles).nullable();

/** `page` and `limit` of every paginated list. The API document does not show the default of `limit`. */
export const pageQuery = z.strictObject({
  page: z.string().optional().describe("Id of the page to read, from `next.page` of the one before."),
  limit: z.number().int().min(0).max(1000).optional().describe("Items on a page, at most 1000."),
});

/**
 * A page of a list. The last page has no `next`; `null` and an object without `page` mean the same, because the API document
 * does not show which of them the service sends. `count` may be absent.
 */
export function page<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    items: z.array(item),
    next: z.strictObject({ page: z.string().optional() }).nullish(),
    count: count.optional(),
  });
}

/** The parts of rich text: blocks contain blocks, inlines and text nodes. */
const textNode = z.looseObject({
  object: z.literal("text"),
  leaves: z.array(z.looseObject({ object: z.literal("leaf"), text: z.string(), marks: z.array(z.looseObject({})) })),
});
const fragment = z.looseObject({ object: z.enum(["inline", "fragment"]) });

export interface Block {
  object: "block";
  type: string;
  nodes?: (Block | z.output<typeof textNode> | z.output<typeof fragment>)[] | undefined;
  [property: string]: unknown;
}

/** What the service accepts in a paragraph. What other blocks may have is not known. */
const paragraph = z.looseObject({
  nodes: z.array(z.looseObject({ object: z.enum(["text", "inline"]) })),
  isVoid: z.literal(false).optional(),
  data: z.strictObject({ align: z.enum(["start", "center", "end"]).optional() }).optional(),
});

export const block: z.ZodType<Block, Block> = z
  .looseObject({
    object: z.literal("block"),
    type: z.string().regex(/^[a-z]+(-[a-z0-9]+)*$/, "use the type of a block, such as `paragraph` or `heading-1`"),
    key: z.string().optional(),
    isVoid: z.boolean().optional(),
    data: z.looseObject({}).optional(),
    get nodes() {
      return z.array(z.union([block, textNode, fragment])).optional();
    },
  })
  .superRefine((value, context) => {
    if (value.type !== "paragraph") return;
    const { error } = paragraph.safeParse(value);
    // Zod accepts the issues of another schema here, but its types want issues that have no message yet.
    if (error) context.issues.push(...(error.issues as z.core.$ZodRawIssue[]));
  })
  .meta({ id: "Block" });

export const richText = z
  .strictObject({
    object: z.literal("document"),
    data: z.looseObject({ schemaVersion: z.number().optional() }).describe("Properties, such as `schemaVersion`."),
    nodes: z.array(block).describe("The blocks of the document."),
  })
  .meta({ id: "RichText", description: "Rich text: a document of blocks." });
export type RichText = z.output<typeof richText>;

export const user = z
  .strictObject({
    object: z.literal("user"),
    id: identifier.describe("Id of the user."),
    displayName: z.string().describe("Name of the user as the app shows it."),
    email: z.string().optional().describe("E-mail of the user, if the service shows it."),
    photoURL: url.optional().describe("URL of a picture of the user."),
    urls: z.strictObject({ location: location }).describe("URLs of the user."),
  })
  .meta({ id: "User", description: "A user of the service." });
export type User = z.output<typeof user>;

export const teamRoles = ["owner", "member"] as const;
export type TeamRole = (typeof teamRoles)[number];
export const teamRole = z
  .enum(teamRoles)
  .describe("Role in the team: `owner` (can manage the team's members) or `member`.");

export const team = z
  .strictObject({
    object: z.literal("team"),
    id: identifier.describe("Id of the team."),
    title: z.string().min(1).max(64).describe("Title of the team."),
    members: count.describe("Number of members of the team."),
    spaces: count.describe("Number of spaces of the team."),
    createdAt: dateTime.describe("Creation of the team."),
    permissions: permissionsOf("admin", "view"),
  })
  .meta({ id: "Team", description: "A team of the organization." });
export type Team = z.output<typeof team>;
