import { z } from "zod";
import { identifier, openEnum, publishedUrl, url } from "./shared";
import { space } from "./spaces";

/** Structure of a site: site spaces, sections and groups of sections, with their customization. */

const title = z.string();
const path = z.string().min(1).max(100);
const icon = z.string().max(50);
const condition = z.string().max(1024);
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
    hasAdvancedCustomizationFeature: z
      .boolean()
      .optional()
      .describe("Whether the site space has advanced customization."),
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

const color = z.string().regex(/^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/);
const light = "For the light theme.";
const dark = "For the dark theme.";
const colors = z
  .strictObject({ light: color.describe(light), dark: color.describe(dark) })
  .meta({ id: "CustomizationColors", description: "A color for each theme." });
const images = z
  .strictObject({ light: url.describe(light), dark: url.describe(dark) })
  .meta({ id: "CustomizationImages", description: "URL of a picture for each theme." });
const target = z.looseObject({ kind: z.string() });
const linkTitle = title.describe("Text of the link.");
const link = z
  .strictObject({ title: linkTitle, to: target.nullable().describe("Target of the link.") })
  .meta({ id: "CustomizationLink", description: "A link." });

const styling = z.strictObject({
  theme: openEnum(["clean", "muted", "bold", "gradient"]).describe("Theme: `clean`, `muted`, `bold` or `gradient`."),
  primaryColor: colors.describe("Primary color."),
  tint: z
    .strictObject({ color: colors.describe("Color of the tint.") })
    .optional()
    .describe("Tint."),
  infoColor: colors.describe("Color of information."),
  successColor: colors.describe("Color of success."),
  warningColor: colors.describe("Color of warnings."),
  dangerColor: colors.describe("Color of dangers."),
  corners: openEnum(["straight", "rounded", "circular"]).describe(
    "Shape of corners: `straight`, `rounded` or `circular`.",
  ),
  depth: openEnum(["subtle", "flat"]).describe("Depth: `subtle` or `flat`."),
  links: openEnum(["default", "accent"]).describe("Style of links: `default` or `accent`."),
  font: z.union([z.string(), z.looseObject({})]).describe("Font: its name, or a custom one."),
  monospaceFont: z.union([z.string(), z.looseObject({})]).describe("Font of code: its name, or a custom one."),
  icons: openEnum(["regular", "solid", "duotone", "light", "thin"]).describe("Style of icons."),
  background: z.string().optional().describe("Deprecated: the background."),
  codeTheme: z.looseObject({}).optional().describe("Theme of code. Only newer versions of the service answer it."),
  sidebar: z
    .strictObject({
      background: openEnum(["default", "filled"]).describe("Background: `default` or `filled`."),
      list: openEnum(["default", "pill", "line"]).describe("Style of the list: `default`, `pill` or `line`."),
    })
    .describe("Style of the sidebar."),
  search: openEnum(["prominent", "subtle"]).describe("Style of the search: `prominent` or `subtle`."),
});

const enabled = z.strictObject({ enabled: z.boolean().describe("Whether it is turned on.") });

/** Appearance of a site or a site space. The API document has no operation that writes it. */
export const customization = z
  .strictObject({
    title: z.string().optional().describe("Title of the site."),
    styling: styling.describe("Colors, fonts and shapes."),
    internationalization: z
      .strictObject({ locale: z.string().describe("Code of the language.") })
      .optional()
      .describe("Deprecated: the language."),
    favicon: z
      .strictObject({
        icon: images.optional().describe("A picture."),
        emoji: z.string().optional().describe("An emoji."),
      })
      .describe("Icon of the site in a browser."),
    header: z
      .strictObject({
        preset: z.string().optional().describe("Deprecated: the preset."),
        logo: images.optional().describe("Logo."),
        links: z
          .array(
            link.extend({
              style: openEnum(["link", "button-primary", "button-secondary"]).optional().describe("Style of the link."),
              links: z.array(link).optional().describe("Links below the link."),
              condition: condition.optional().describe("Condition on the visitor under which it is shown."),
            }),
          )
          .describe("Links of the header."),
      })
      .describe("Header of the pages."),
    footer: z
      .strictObject({
        logo: images.optional().describe("Logo."),
        groups: z
          .array(
            z.strictObject({
              title: title.describe("Title of the group."),
              links: z.array(link).describe("Links of the group."),
            }),
          )
          .describe("Groups of links."),
        copyright: z.string().optional().describe("Copyright notice."),
      })
      .describe("Footer of the pages."),
    announcement: enabled
      .extend({
        message: z.string().min(2).max(128).describe("Text of the announcement."),
        link: link.optional().describe("Link of the announcement."),
        style: openEnum(["info", "warning", "danger", "success"]).describe(
          "Style: `info`, `warning`, `danger` or `success`.",
        ),
      })
      .optional()
      .describe("Announcement above the pages."),
    themes: z
      .strictObject({
        default: openEnum(["light", "dark", "system"]).describe("First theme: `light`, `dark` or `system`."),
        toggeable: z.boolean().describe("Whether visitors can change the theme."),
      })
      .describe("Light and dark theme."),
    pdf: enabled.optional().describe("Export to PDF."),
    feedback: enabled.describe("Feedback of visitors."),
    ai: z
      .strictObject({
        mode: openEnum(["none", "search", "assistant"]).describe("Mode: `none`, `search` or `assistant`."),
      })
      .describe("AI answers."),
    advancedCustomization: enabled.describe("Advanced customization."),
    git: z
      .strictObject({ showEditLink: z.boolean().describe("Whether pages have a link to their source.") })
      .optional()
      .describe("Links to git."),
    pageActions: z
      .union([
        z.strictObject({
          externalAI: z.boolean().describe("Whether pages can be opened in AI tools."),
          markdown: z.boolean().describe("Whether pages can be read as Markdown."),
          mcp: z.boolean().describe("Whether pages link to an MCP server."),
        }),
        z.strictObject({
          items: z.array(z.string()).describe("Names of the actions. Only newer versions of the service answer them."),
        }),
      ])
      .describe("Actions of pages."),
    externalLinks: z
      .strictObject({
        target: openEnum(["self", "blank"]).describe("Where they open: `self` or `blank`."),
      })
      .describe("Links to other sites."),
    pagination: enabled.describe("Links to the next and the previous page."),
    trademark: enabled.describe("Trademark of the service."),
    privacyPolicy: z
      .strictObject({ url: url.optional().describe("URL of the privacy policy.") })
      .describe("Privacy policy."),
    socialPreview: z
      .strictObject({ url: url.optional().describe("URL of the picture.") })
      .describe("Picture for previews in social networks."),
    insights: z
      .strictObject({ trackingCookie: z.boolean().describe("Whether visits are measured with a cookie.") })
      .describe("Measurement of visits."),
    socialAccounts: z
      .array(z.looseObject({}))
      .optional()
      .describe("Social accounts. Only newer versions of the service answer them."),
  })
  .meta({ id: "Customization", description: "Appearance of a site or a site space." });
export type Customization = z.output<typeof customization>;
