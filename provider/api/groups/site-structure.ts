import { z } from "zod";
import { identifier, publishedUrl } from "./shared";
import { space } from "./spaces";

/** Structure of a site: site spaces, sections and groups of sections. */

const title = z.string();
const path = z.string().min(1).max(100);
const icon = z.string().max(50);
export const condition = z.string().max(1024);
const draft = z.boolean();
const urls = z.strictObject({ published: publishedUrl.optional() });

export const siteSpace = z
  .strictObject({
    object: z.literal("site-space"),
    id: identifier.describe("Id of the site space."),
    path: path.describe("Path of the site space in the site."),
    section: identifier.optional().describe("Id of the section that contains it."),
    space: space.describe("The space that holds the content."),
    title: title.describe("Title of the site space."),
    default: z.boolean().optional().describe("Whether it opens at the root."),
    condition: condition.optional().describe("Condition on the visitor under which it is shown."),
    hasAdvancedCustomizationFeature: z.boolean().optional().describe("Whether it has advanced customization."),
    urls: urls.describe("URLs of the site space."),
    draft: draft.optional().describe("Whether it is a draft."),
  })
  .meta({ id: "SiteSpace", description: "A site space: a space in a site." });
export type SiteSpace = z.output<typeof siteSpace>;

export const siteSection = z
  .strictObject({
    object: z.literal("site-section"),
    id: identifier.describe("Id of the section."),
    title: title.min(2).max(128).describe("Title of the section."),
    description: z.string().max(256).optional().describe("Description of the section."),
    default: z.boolean().optional().describe("Whether it opens at the root."),
    path: path.describe("Path of the section in the site."),
    condition: condition.optional().describe("Condition on the visitor under which it is shown."),
    sectionGroup: identifier.optional().describe("Id of the group that contains it."),
    siteSpaces: z.array(siteSpace).describe("Site spaces of the section."),
    urls: urls.describe("URLs of the section."),
    icon: icon.optional().describe("Icon of the section."),
    draft: draft.optional().describe("Whether it is a draft."),
  })
  .meta({ id: "SiteSection", description: "A section of a site." });
export type SiteSection = z.output<typeof siteSection>;

export interface SiteSectionGroup {
  object: "site-section-group";
  id: string;
  title: string;
  icon?: string | undefined;
  sections: SiteSection[];
  children: (SiteSection | SiteSectionGroup)[];
  draft?: boolean | undefined;
}

export const siteSectionGroup: z.ZodType<SiteSectionGroup, SiteSectionGroup> = z
  .strictObject({
    object: z.literal("site-section-group"),
    id: identifier.describe("Id of the group."),
    title: title.min(1).max(100).describe("Title of the group."),
    icon: icon.optional().describe("Icon of the group."),
    sections: z.array(siteSection).describe("Deprecated: `children` has the same sections."),
    get children() {
      return z.array(z.union([siteSection, siteSectionGroup])).describe("Sections and groups in the group.");
    },
    draft: draft.optional().describe("Whether it is a draft."),
  })
  .meta({ id: "SiteSectionGroup", description: "A group of sections of a site." });
