import { z } from "zod";
import { endpoint, none } from "../schema/endpoint";
import { containing, equal } from "../schema/filters";
import {
  app,
  count,
  dateTime,
  identifier,
  location,
  newer,
  openEnum,
  page,
  pageQuery,
  publishedUrl,
  richText,
  role,
  url,
} from "./shared";
import { siteSection, siteSectionGroup, siteSpace } from "./site-structure";

/** Docs sites: their settings, publication, structure, adaptive content, search and AI answers. */

export const siteTypes = ["basic", "premium", "ultimate", "sponsored", "legacy-basic", "legacy-premium"] as const;
export const siteVisibilities = ["public", "unlisted", "share-link", "visitor-auth"] as const;
export const agentsContexts = ["excluded", "included"] as const;

/** Whether anyone can find and read the site: it is published, and its visibility is `public`. */
export const isPublic = ({ visibility, published }: { visibility?: unknown; published?: unknown }): boolean =>
  visibility === "public" && published === true;

const hostname = z
  .string()
  .max(512)
  .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?[.]){2,}[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/);

const hostWithPath = /([\w-]+\.)*[\w-]+\.[a-zA-Z]{2,}(\/[\w-]+)+/.source;
const proxyAs = (pattern: string) =>
  z
    .string()
    .max(512)
    .regex(new RegExp(pattern), 'a host name with a path and without "https://", such as "www.acme.test/docs"');

/** A host with a path, at most 512 characters. Requests have this string, answers `{ origin, target }`. */
const proxyOrigin = proxyAs(`^${hostWithPath}$`);
/** In a program, an empty text removes the proxy, as null does, because most languages have no null. */
export const proxyOrNone = proxyAs(`^(${hostWithPath})?$`);

/** Properties of a site that a client can set, at creation (`createSite`) or afterwards (`updateSite`). */
export const siteSettings = {
  title: z.string().min(2).max(128).describe("Title of the site, 2 to 128 characters."),
  type: z
    .enum(siteTypes)
    .describe("Plan of the site; the service chooses one if omitted. Can only be set at creation."),
  visibility: z
    .enum(siteVisibilities)
    .describe(
      "Who can open the site once it is published: `public` (anyone, indexed by search engines), `unlisted` (anyone, not indexed), `share-link` (anyone with a secret link), `visitor-auth` (visitors authenticated with a JWT).",
    ),
  spaces: z.array(identifier).describe("Ids of the site's initial spaces. Can only be set at creation."),
  basename: z.string().min(1).max(100).describe("Name of the site in its default URL, 1 to 100 characters."),
  adaptiveContent: z
    .strictObject({ enabled: z.boolean().describe("Whether content adapts to the visitor's claims.") })
    .describe("Adaptive content: pages show or hide parts depending on the visitor's claims."),
  agentsContext: z
    .enum(agentsContexts)
    .describe(
      "Whether agents can access the site: `excluded` or `included`. Removed in newer versions of the service.",
    ),
  defaultSiteSpace: identifier.describe(
    "Id of the site space that opens at the root; on a site with sections, the default site space of the default section.",
  ),
  defaultSiteSection: identifier.describe("Id of the site section that opens at the root."),
  proxy: proxyOrigin
    .nullable()
    .describe('Host and path under which the site is served, such as "www.acme.test/docs"; null removes the proxy.'),
};

const settings = z.strictObject(siteSettings);

const siteFeature = z.strictObject({
  id: z.string().describe("Id of the feature."),
  plan: openEnum(siteTypes).describe("Plan that has the feature."),
  frozen: z.boolean().describe("Whether the feature is frozen."),
  customizations: z.array(z.string()).optional().describe("Customizations that belong to the feature."),
});

const siteIcon = z.union([
  z.strictObject({
    icon: z
      .strictObject({ light: url.describe("URL for the light theme."), dark: url.describe("URL for the dark theme.") })
      .describe("URLs of a picture."),
  }),
  z.strictObject({ emoji: z.string().max(50).describe("An emoji.") }),
  z.strictObject({}),
]);

export const liveSite = z
  .strictObject({
    object: z.literal("site"),
    id: identifier.describe("Id of the site."),
    type: openEnum(siteTypes).describe("Plan of the site."),
    title: siteSettings.title,
    icon: siteIcon.nullable().optional().describe("Icon of the site."),
    hostname: hostname.optional().describe("Custom host name of the site."),
    basename: siteSettings.basename.optional(),
    proxy: z
      .strictObject({
        origin: proxyOrigin.describe("Host and path under which the site is served."),
        target: z.string().describe("Target of the proxy."),
      })
      .optional()
      .describe("The proxy under which the site is served."),
    visibility: openEnum(siteVisibilities).describe("Who can open the site once it is published."),
    published: z.boolean().describe("Whether the site is published: its audience can open it."),
    siteSpaces: count.describe("Number of site spaces."),
    createdAt: dateTime.describe("Creation of the site."),
    adaptiveContent: siteSettings.adaptiveContent.optional(),
    // Its further properties depend on the state. No operation writes it.
    ads: z
      .looseObject({ status: z.string().describe("State, such as `pending`, `in-review` or `live`.") })
      .optional()
      .describe("State of the ads of the site."),
    // Required in version 0.146, which the API document describes; removed in 0.202.
    agentsContext: openEnum(agentsContexts)
      .optional()
      .describe("Whether agents can access the site: `excluded` or `included`."),
    features: z.array(siteFeature).optional().describe("Features of the site."),
    urls: z
      .strictObject({
        location: location.optional(),
        app: app.optional(),
        published: publishedUrl.optional(),
        preview: newer(url, "URL of a preview of the site."),
      })
      .optional()
      .describe("URLs of the site."),
    appliedType: newer(openEnum(siteTypes), "Plan that applies."),
    defaultLevel: newer(
      z.union([role, z.literal("inherit")]).nullable(),
      "Role that members have in the site by default, or `inherit`.",
    ),
    permissions: newer(z.record(z.string(), z.boolean()), "What the caller of the API may do, by permission."),
  })
  .meta({ id: "LiveSite", description: "A site as the service answers it." });
export type Site = z.output<typeof liveSite>;

/** Answer to publishing a site whose plan does not include publication: a payment session instead of the site. */
const checkout = z.strictObject({ type: z.literal("checkout"), sessionId: z.string() });

const description = z.string().describe("What the claim says of a visitor.");

export interface Claim {
  type: "boolean" | "string" | "number" | "array" | "object";
  description: string;
  enum?: string[] | undefined;
  items?: Claim | undefined;
  properties?: Record<string, Claim> | undefined;
  additionalProperties?: false | undefined;
}

/** One claim of a visitor. The API document shows booleans only; the live service accepts all of these types. */
export const claim: z.ZodType<Claim, Claim> = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("boolean"), description }),
    z.strictObject({
      type: z.literal("string"),
      description,
      enum: z.array(z.string()).optional().describe("The values that a text may have."),
    }),
    z.strictObject({ type: z.literal("number"), description }),
    z.strictObject({
      type: z.literal("array"),
      description,
      get items() {
        return claim.describe("The items of a list.");
      },
    }),
    z.strictObject({
      type: z.literal("object"),
      description,
      get properties() {
        return z.record(z.string(), claim).describe("The properties of an object.");
      },
      additionalProperties: z.literal(false).describe("An object has no other properties."),
    }),
  ])
  .meta({ id: "Claim", description: "One claim of a visitor." });

const unsignedClaims = z.strictObject({
  type: z.literal("object"),
  description: z.literal("Unsigned claims of the site visitor."),
  properties: z.record(z.string(), claim),
  additionalProperties: z.literal(false),
});

/** JSON Schema (draft-07) of a visitor's claims, without additional properties; `unsigned` claims are a property of it. */
export const adaptiveJsonSchema = z
  .strictObject({
    $schema: z.literal("http://json-schema.org/draft-07/schema#").optional(),
    type: z.literal("object"),
    properties: z.object({ unsigned: unsignedClaims.optional() }).catchall(claim),
    additionalProperties: z.literal(false),
  })
  .meta({ id: "AdaptiveJsonSchema" });
export type AdaptiveJsonSchema = z.output<typeof adaptiveJsonSchema>;

const adaptiveSchema = z.strictObject({
  object: z.literal("site-adaptive-schema"),
  jsonSchema: adaptiveJsonSchema,
  updatedAt: dateTime,
});

/** Appearance of a site or of a site space. No operation writes it, so it is passed on as the service answers it. */
const customization = z
  .looseObject({ title: z.string().optional().describe("Title of the site.") })
  .meta({ id: "Customization", description: "Appearance of a site or a site space, as the service answers it." });

export const publishedSite = z
  .strictObject({
    object: z.literal("published-content-site"),
    site: liveSite.describe("The site."),
    structure: z
      .union([
        z.strictObject({
          type: z.literal("sections"),
          structure: z.array(z.union([siteSection, siteSectionGroup])).describe("Sections, and groups of them."),
        }),
        z.strictObject({ type: z.literal("siteSpaces"), structure: z.array(siteSpace).describe("Site spaces.") }),
      ])
      .describe("What the site consists of: sections, or site spaces alone."),
    customizations: z
      .strictObject({
        site: customization.describe("Customization of the site."),
        siteSpaces: z.record(z.string(), customization).describe("Customization of site spaces, by their ids."),
      })
      .describe("Customization of the site and of its site spaces."),
    scripts: z
      .array(
        z.strictObject({
          script: url.describe("URL of the script."),
          contentSecurityPolicy: z.string().optional().describe("Content security policy that the script needs."),
          cookies: z.boolean().describe("Whether the script uses cookies."),
        }),
      )
      .describe("Scripts of integrations."),
  })
  .meta({ id: "PublishedSite", description: "What visitors see of a published site." });
export type PublishedSite = z.output<typeof publishedSite>;

export const templateCondition = z
  .strictObject({
    description: z.string().describe("What the condition means."),
    condition: z.string().describe("The condition, as an expression."),
  })
  .meta({ id: "TemplateCondition", description: "A condition that fits the adaptive schema of a site." });

const structureItem = z.strictObject({
  type: z.enum(["site-space", "site-section", "site-section-group"]),
  id: identifier,
});

// `type`, `score`, `rank` and `description` exist from version 0.202 of the service on.
const score = z.number().optional();

const spaceResult = z.strictObject({
  type: z.literal("space").optional(),
  id: identifier,
  title: z.string(),
  score,
  pages: z.array(
    z.strictObject({
      id: identifier,
      title: z.string(),
      description: z.string().optional(),
      path: z.string(),
      score,
      rank: z.number().optional(),
      sections: z
        .array(
          z.strictObject({
            id: identifier,
            title: z.string(),
            path: z.string(),
            body: z.string(),
            score,
            urls: z.strictObject({ app: url }),
          }),
        )
        .optional(),
      ancestors: z.array(z.strictObject({ title: z.string() })).optional(),
      urls: z.strictObject({ app: url }),
    }),
  ),
});

/** Only newer versions answer records, which have no pages. The client accepts further kinds, like any new alternative. */
const recordResult = z.strictObject({
  type: z.literal("record"),
  id: identifier,
  title: z.string(),
  score,
  url,
  pages: z.undefined().optional(),
});
const searchResult = z.union([spaceResult, recordResult]);

const searchBody = z.union([
  z.strictObject({
    query: z.string().max(512),
    scope: z.discriminatedUnion("mode", [
      z.strictObject({ mode: z.literal("default"), currentSiteSpace: identifier.optional() }),
      z.strictObject({ mode: z.literal("specific"), siteSpaceIds: z.array(identifier) }),
      z.strictObject({ mode: z.literal("all") }),
    ]),
  }),
  // The deprecated forms, without `scope`.
  z.strictObject({ query: z.string().max(512), mode: z.literal("specific"), siteSpaceIds: z.array(identifier) }),
  z.strictObject({ query: z.string().max(512), mode: z.literal("current"), siteSpaceId: identifier }),
  z.strictObject({ query: z.string().max(512), mode: z.literal("all") }),
]);

const toolProperty = z.looseObject({
  type: z.enum(["string", "number", "boolean", "array", "object"]),
  // Both known versions describe it as required, but the API document names only "schema objects".
  description: z.string().optional(),
});

const aiResponseBody = z.strictObject({
  previousResponseId: z.string().optional(),
  input: z.array(
    z.strictObject({
      role: z.enum(["user", "assistant", "developer"]),
      content: z.union([z.string().max(2048), richText]),
      context: z
        .strictObject({ location: z.strictObject({ spaceId: identifier, pageId: identifier }).optional() })
        .optional(),
    }),
  ),
  model: z.enum(["fast", "reasoning-low", "reasoning-medium", "reasoning-high"]).optional(),
  tools: z
    .array(
      z.strictObject({
        name: z.string(),
        description: z.string(),
        inputSchema: z
          .strictObject({ type: z.literal("object"), properties: z.record(z.string(), toolProperty) })
          .optional(),
      }),
    )
    .optional(),
  toolCall: z
    .strictObject({
      tool: z.string(),
      toolCallId: z.string(),
      output: z.record(z.string(), z.unknown()),
      summary: z.strictObject({ icon: z.string(), text: z.string() }).optional(),
    })
    .optional(),
});

const listPath = "/v1/orgs/{organizationId}/sites" as const;
const itemPath = `${listPath}/{siteId}` as const;
const oneSite = { reply: liveSite, answers: { organizationId: none, siteId: "id" } } as const;

export const siteEndpoints = {
  listSites: endpoint({
    route: `GET ${listPath}`,
    does: "list the sites of organization {organizationId}",
    query: pageQuery.extend({
      space: identifier.optional().describe("Only sites that contain this space."),
      title: z.string().optional().describe("Only sites whose title contains this text."),
      published: z.boolean().optional().describe("Only sites that are published, or only sites that are not."),
      type: z.array(z.enum(siteTypes)).optional().describe("Only sites of these types."),
    }),
    reply: page(liveSite),
    answers: { organizationId: none },
    filters: {
      space: none,
      title: containing("title"),
      published: equal("published"),
      type: equal("type", "appliedType"),
    },
  }),
  createSite: endpoint({
    route: `POST ${listPath}`,
    does: "create a site in organization {organizationId}",
    body: settings.pick({ type: true, title: true, visibility: true, spaces: true }).partial().optional(),
    reply: liveSite,
    answers: { organizationId: none, "body.title": "title" },
    status: 201,
  }),
  getSite: endpoint({ route: `GET ${itemPath}`, does: "read site {siteId}", ...oneSite }),
  deleteSite: endpoint({ route: `DELETE ${itemPath}`, does: "delete site {siteId}" }),
  updateSite: endpoint({
    route: `PATCH ${itemPath}`,
    does: "update site {siteId}",
    body: settings.omit({ type: true, spaces: true }).partial(),
    ...oneSite,
  }),
  getSiteAdaptiveSchema: endpoint({
    route: `GET ${itemPath}/adaptive-schema`,
    does: "read the adaptive schema of site {siteId}",
    reply: adaptiveSchema,
    answers: { organizationId: none, siteId: none },
  }),
  putSiteAdaptiveSchema: endpoint({
    route: `PUT ${itemPath}/adaptive-schema`,
    does: "replace the adaptive schema of site {siteId}",
    body: z.strictObject({ jsonSchema: adaptiveJsonSchema }),
    reply: adaptiveSchema,
    answers: { organizationId: none, siteId: none },
  }),
  getTemplateConditions: endpoint({
    route: `GET ${itemPath}/adaptive-schema/template-conditions`,
    does: "read the template conditions of site {siteId}",
    reply: z.strictObject({ items: z.array(templateCondition) }),
    answers: { organizationId: none, siteId: none },
  }),
  getPublishedSite: endpoint({
    route: `GET ${itemPath}/published`,
    does: "read the published profile of site {siteId}",
    query: z.strictObject({ shareKey: z.string().optional().describe("Key of a share link, to resolve its URLs.") }),
    reply: publishedSite,
    answers: { organizationId: none, siteId: "site.id" },
  }),
  publishSite: endpoint({
    route: `POST ${itemPath}/publish`,
    does: "publish site {siteId}",
    reply: z.union([liveSite, checkout]),
    answers: { organizationId: none, siteId: "id" },
    repeatable: true,
  }),
  unpublishSite: endpoint({
    route: `POST ${itemPath}/unpublish`,
    does: "unpublish site {siteId}",
    ...oneSite,
    repeatable: true,
  }),
  sortSiteStructure: endpoint({
    route: `PATCH ${itemPath}/structure/sort`,
    does: "move an item in the structure of site {siteId}",
    body: z.strictObject({
      item: structureItem,
      position: z.strictObject({ before: structureItem.optional(), after: structureItem.optional() }),
    }),
    reply: z.union([siteSpace, siteSection, siteSectionGroup]),
    answers: { organizationId: none, siteId: none, "body.item.id": "id", "body.item.type": "object" },
  }),
  searchSite: endpoint({
    route: `POST ${itemPath}/search`,
    does: "search in site {siteId}",
    query: pageQuery,
    body: searchBody,
    reply: page(searchResult),
    answers: { organizationId: none, siteId: none },
    repeatable: true,
    readsOnly: true,
  }),
  streamAiResponse: endpoint({
    route: `POST ${itemPath}/ai/response`,
    does: "ask for an AI response in site {siteId}",
    body: aiResponseBody,
    events: aiEvent(),
  }),
};

/** Events of an AI response, as the emulator sends them. The client accepts any event (see `tolerant`). */
function aiEvent() {
  const messageId = z.string();
  const event = <const T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
    z.strictObject({ type: z.literal(type), messageId, ...shape });
  const stepIndex = z.number().int();
  const blocks = { stepIndex, operation: z.enum(["insert", "update"]), blocks: z.array(z.looseObject({})) };
  return z.union([
    event("response_start", { task: z.looseObject({ type: z.string() }).optional() }),
    event("response_document", blocks),
    event("response_reasoning", blocks),
    event("response_object", { jsonChunk: z.string() }),
    event("response_tool_call", { stepIndex, toolCall: z.looseObject({ tool: z.string() }) }),
    event("response_tool_call_pending", {
      stepIndex,
      toolCallId: z.string(),
      toolCall: z.looseObject({ tool: z.string(), input: z.unknown() }),
    }),
    event("response_followup_suggestion", { suggestions: z.array(z.string()) }),
    event("response_finish", {
      responseId: z.string().optional(),
      response: z.looseObject({ id: z.string().optional() }).optional(),
    }),
  ]);
}
