import { z } from "zod";
import { adaptiveJsonSchema, agentsContexts, liveSite, siteSettings } from "../../api/groups/sites";
import { created, id, ownId, type SeedingContext } from "../seed/fields";
import { newId, pathFrom, uniqueSlug } from "../store/ids";
import type { OrganizationRecord } from "../store/state";
import {
  type GroupNode,
  makeDefault,
  type SectionNode,
  type SiteRecord,
  type SiteSpaceNode,
  sectionsIn,
} from "./record";

const condition = z.string().max(1024).optional().describe("Expression over the claims of a visitor.");
const path = z.string().min(1).max(100).optional().describe("Path in the URL; derived from the title by default.");

const siteSpace = z.strictObject({
  id: ownId("the site space"),
  space: id.describe("Id of the space that it shows."),
  title: z.string().optional().describe("Title; that of the space by default."),
  path,
  condition,
  default: z.literal(true).optional().describe("Whether it opens first; by default the first site space does."),
});
export type SeedSiteSpace = z.input<typeof siteSpace>;
const siteSpaces = z.array(z.union([id, siteSpace])).optional();

export interface SeedSection extends Omit<SeedSiteSpace, "space" | "title"> {
  title: string;
  description?: string | undefined;
  icon?: string | undefined;
  spaces?: (string | SeedSiteSpace)[] | undefined;
  sections?: SeedSection[] | undefined;
}

/** A section has `spaces`; a group has `sections`, which may be groups themselves. */
const section: z.ZodType<SeedSection, SeedSection> = z
  .strictObject({
    id: ownId("the section or group"),
    title: z.string().min(1).max(128).describe("Title: 2 to 128 characters, of a group 1 to 100."),
    path,
    description: z.string().max(256).optional().describe("Description, at most 256 characters."),
    icon: z.string().max(50).optional().describe("Name of an icon, at most 50 characters."),
    condition,
    default: z.literal(true).optional().describe("Whether it opens first; by default the first section does."),
    spaces: siteSpaces.describe("Spaces of a section, by id or with settings."),
    get sections() {
      return z.array(section).optional().describe("Sections of a group, or groups.");
    },
  })
  .refine(({ spaces, sections }) => (spaces === undefined) !== (sections === undefined), {
    error: "use `spaces` for a section, or `sections` for a group of sections",
  })
  .refine(({ title, sections }) => (sections ? title.length <= 100 : title.length >= 2), {
    path: ["title"],
    error: "use 2 to 128 characters for a section, 1 to 100 for a group",
  });

const settableInSeed = { title: true, type: true, visibility: true, basename: true, adaptiveContent: true } as const;

export const seedSite = z
  .strictObject({
    id: ownId("the site"),
    ...z.strictObject(siteSettings).pick(settableInSeed).partial().shape,
    hostname: liveSite.shape.hostname.describe("Own host name of the site, such as `docs.acme.test`."),
    icon: liveSite.shape.icon.describe(
      "Icon: `emoji`, or `icon` with the addresses of two images, `light` and `dark`.",
    ),
    proxy: siteSettings.proxy
      .unwrap()
      .optional()
      .describe("Host and path under which the site is served, such as `www.acme.test/docs`."),
    ads: liveSite.shape.ads.describe("State of the advertisements on the site."),
    agentsContext: z.enum(agentsContexts).optional().describe("Whether agents can access the site."),
    published: z.boolean().optional().describe("Whether the site is published; default: false."),
    createdAt: created,
    adaptiveSchema: adaptiveJsonSchema.optional().describe("JSON schema of the claims of visitors."),
    shareKeys: z.array(z.string().min(1)).optional().describe("Keys of the share links."),
    spaces: siteSpaces.describe("Spaces of a site without sections, by id or with settings."),
    sections: z.array(section).optional().describe("Sections and groups of sections."),
  })
  .refine(({ spaces, sections }) => spaces === undefined || sections === undefined, {
    error: "use either `spaces` or `sections`",
  });
export type SeedSite = z.input<typeof seedSite>;

type NewSite = Partial<SiteRecord> & Pick<SiteRecord, "sequence" | "createdAt" | "structure">;

export const newSite = ({ id = newId("site"), ...settings }: NewSite): SiteRecord => ({
  id,
  type: "basic",
  title: "Untitled",
  visibility: "public",
  published: false,
  agentsContext: "included",
  shareKeys: [],
  ...settings,
});

export function siteOf(seed: SeedSite, organization: Pick<OrganizationRecord, "spaces">, context: SeedingContext) {
  const { spaces = [], sections, adaptiveSchema: jsonSchema, createdAt = context.createdAt, ...settings } = seed;
  const adaptiveSchema = jsonSchema && { jsonSchema, updatedAt: createdAt };
  const structure = sections ? sectionsOf(sections, organization) : siteSpacesOf(spaces, organization);
  return newSite({ ...settings, createdAt, adaptiveSchema, structure, sequence: context.next() });
}

/** Creates site spaces. The first one is the default unless another one is marked. */
export function siteSpacesOf(
  uses: readonly (string | SeedSiteSpace)[],
  { spaces }: Pick<OrganizationRecord, "spaces">,
) {
  const slugs = new Set<string>();
  const nodes = uses.map((use): SiteSpaceNode => {
    const { space, ...given }: SeedSiteSpace = typeof use === "string" ? { space: use } : use;
    const title = given.title ?? spaces.get(space)?.title ?? space;
    const path = given.path ?? uniqueSlug(title, slugs);
    return { type: "site-space", id: newId("sitespace"), default: false, ...given, space, title, path };
  });
  markOneDefault(nodes);
  return nodes;
}

function sectionsOf(seeds: readonly SeedSection[], organization: Pick<OrganizationRecord, "spaces">) {
  const structure = seeds.map((seed) => nodeOf(seed, organization));
  markOneDefault(sectionsIn({ structure }).map(({ node }) => node));
  return structure;
}

function nodeOf(seed: SeedSection, organization: Pick<OrganizationRecord, "spaces">): SectionNode | GroupNode {
  const { title, icon, spaces = [], sections } = seed;
  if (sections) {
    const children = sections.map((inner) => nodeOf(inner, organization));
    return { type: "site-section-group", id: seed.id ?? newId("group"), title, icon, children };
  }
  return {
    type: "site-section",
    id: seed.id ?? newId("section"),
    title,
    path: seed.path ?? pathFrom(title),
    description: seed.description,
    icon,
    default: seed.default ?? false,
    condition: seed.condition,
    siteSpaces: siteSpacesOf(spaces, organization),
  };
}

/** Ensures that exactly one node is the default. */
function markOneDefault(nodes: { default: boolean }[]): void {
  makeDefault(nodes, nodes.find((node) => node.default) ?? nodes[0]);
}
