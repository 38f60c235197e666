import { z } from "zod";
import { dateTime } from "../../api/groups/shared";
import { adaptiveJsonSchema, agentsContexts, site, siteSettings } from "../../api/groups/sites";
import { idPattern } from "../store/ids";

const id = z.string().regex(idPattern, "letters, digits, - and _");
const created = dateTime.optional().describe("Time of creation; default: 30 days before the start of the emulator.");
const condition = z.string().max(1024).optional().describe("Expression over the claims of a visitor.");
const path = z.string().min(1).max(100).optional().describe("Path in the URL; derived from the title by default.");

const siteSpace = z.strictObject({
  id: id.optional(),
  space: id,
  title: z.string().optional().describe("Title; that of the space by default."),
  path,
  condition,
  default: z.literal(true).optional().describe("Whether it opens first; by default the first site space does."),
});
export type SeedSiteSpace = z.input<typeof siteSpace>;

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
    id: id.optional(),
    title: z.string().min(1).max(128),
    path,
    description: z.string().max(256).optional(),
    icon: z.string().max(50).optional(),
    condition,
    default: z.literal(true).optional(),
    spaces: z.array(z.union([id, siteSpace])).optional(),
    get sections() {
      return z.array(section).optional();
    },
  })
  .refine(({ spaces, sections }) => (spaces === undefined) !== (sections === undefined), {
    error: "use `spaces` for a section, or `sections` for a group of sections",
  })
  .refine(({ title, sections }) => (sections ? title.length <= 100 : title.length >= 2), {
    path: ["title"],
    error: "use 2 to 128 characters for a section, 1 to 100 for a group",
  });

export const seedSite = z
  .strictObject({
    id: id.optional(),
    title: siteSettings.title.optional(),
    type: siteSettings.type.optional(),
    visibility: siteSettings.visibility.optional(),
    basename: siteSettings.basename.optional(),
    hostname: site.shape.hostname,
    icon: site.shape.icon,
    proxy: siteSettings.proxy.unwrap().optional(),
    adaptiveContent: siteSettings.adaptiveContent.optional(),
    ads: site.shape.ads,
    agentsContext: z.enum(agentsContexts).optional(),
    published: z.boolean().optional(),
    createdAt: created,
    needsUpgrade: z.boolean().optional().describe("Whether publishing requires a payment first."),
    adaptiveSchema: adaptiveJsonSchema.optional(),
    shareKeys: z.array(z.string().min(1)).optional().describe("Keys of the share links."),
    spaces: z
      .array(z.union([id, siteSpace]))
      .optional()
      .describe("Spaces of a site without sections, by id or with settings."),
    sections: z.array(section).optional().describe("Sections and groups of sections."),
  })
  .refine(({ spaces, sections }) => spaces === undefined || sections === undefined, {
    error: "use either `spaces` or `sections`",
  });
export type SeedSite = z.input<typeof seedSite>;
