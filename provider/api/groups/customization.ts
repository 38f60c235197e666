import { z } from "zod";
import { newer, openEnum, url } from "./shared";
import { condition } from "./site-structure";

/** Appearance of a published site or of a site space. The API document has no operation that writes it. */

const color = z.string().regex(/^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/);
const light = "For the light theme.";
const dark = "For the dark theme.";
const colors = z
  .strictObject({ light: color.describe(light), dark: color.describe(dark) })
  .meta({ id: "CustomizationColors", description: "A color for each theme." });
const images = z
  .strictObject({ light: url.describe(light), dark: url.describe(dark) })
  .meta({ id: "CustomizationImages", description: "URL of a picture for each theme." });
const logo = images.optional().describe("Logo.");
const link = z
  .strictObject({
    title: z.string().describe("Text of the link."),
    to: z.looseObject({ kind: z.string() }).nullable().describe("Target of the link."),
  })
  .meta({ id: "CustomizationLink", description: "A link." });
const enabled = z.strictObject({ enabled: z.boolean().describe("Whether it is turned on.") });

const font = z.union([z.string(), z.looseObject({})]);
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
  corners: openEnum(["straight", "rounded", "circular"]).describe("Corners: `straight`, `rounded` or `circular`."),
  depth: openEnum(["subtle", "flat"]).describe("Depth: `subtle` or `flat`."),
  links: openEnum(["default", "accent"]).describe("Style of links: `default` or `accent`."),
  font: font.describe("Font: its name, or a custom one."),
  monospaceFont: font.describe("Font of code: its name, or a custom one."),
  icons: openEnum(["regular", "solid", "duotone", "light", "thin"]).describe("Style of icons."),
  background: z.string().optional().describe("Deprecated: the background."),
  codeTheme: newer(z.looseObject({}), "Theme of code."),
  sidebar: z
    .strictObject({
      background: openEnum(["default", "filled"]).describe("Background: `default` or `filled`."),
      list: openEnum(["default", "pill", "line"]).describe("Style of the list: `default`, `pill` or `line`."),
    })
    .describe("Style of the sidebar."),
  search: openEnum(["prominent", "subtle"]).describe("Style of the search: `prominent` or `subtle`."),
});

const favicon = z.strictObject({
  icon: images.optional().describe("A picture."),
  emoji: z.string().optional().describe("An emoji."),
});

const headerLink = link.extend({
  style: openEnum(["link", "button-primary", "button-secondary"]).optional().describe("Style of the link."),
  links: z.array(link).optional().describe("Links below the link."),
  condition: condition.optional().describe("Condition on the visitor under which it is shown."),
});
const header = z.strictObject({
  preset: z.string().optional().describe("Deprecated: the preset."),
  logo,
  links: z.array(headerLink).describe("Links of the header."),
});

const footerGroup = z.strictObject({
  title: z.string().describe("Title of the group."),
  links: z.array(link).describe("Links of the group."),
});
const footer = z.strictObject({
  logo,
  groups: z.array(footerGroup).describe("Groups of links."),
  copyright: z.string().optional().describe("Copyright notice."),
});

const announcement = enabled.extend({
  message: z.string().min(2).max(128).describe("Text of the announcement."),
  link: link.optional().describe("Link of the announcement."),
  style: openEnum(["info", "warning", "danger", "success"]).describe("`info`, `warning`, `danger` or `success`."),
});

const themes = z.strictObject({
  default: openEnum(["light", "dark", "system"]).describe("First theme: `light`, `dark` or `system`."),
  toggeable: z.boolean().describe("Whether visitors can change the theme."),
});

const pageActions = z.union([
  z.strictObject({
    externalAI: z.boolean().describe("Whether pages can be opened in AI tools."),
    markdown: z.boolean().describe("Whether pages can be read as Markdown."),
    mcp: z.boolean().describe("Whether pages link to an MCP server."),
  }),
  z.strictObject({
    items: z.array(z.string()).describe("Names of the actions. Only newer versions of the service answer them."),
  }),
]);

const look = z
  .strictObject({
    title: z.string().optional().describe("Title of the site."),
    styling: styling.describe("Colors, fonts and shapes."),
    internationalization: z
      .strictObject({ locale: z.string().describe("Code of the language.") })
      .optional()
      .describe("Deprecated: the language."),
    favicon: favicon.describe("Icon of the site in a browser."),
    header: header.describe("Header of the pages."),
    footer: footer.describe("Footer of the pages."),
    announcement: announcement.optional().describe("Announcement above the pages."),
    themes: themes.describe("Light and dark theme."),
    pdf: enabled.optional().describe("Export to PDF."),
    feedback: enabled.describe("Feedback of visitors."),
    ai: z
      .strictObject({ mode: openEnum(["none", "search", "assistant"]).describe("`none`, `search` or `assistant`.") })
      .describe("AI answers."),
    advancedCustomization: enabled.describe("Advanced customization."),
    git: z
      .strictObject({ showEditLink: z.boolean().describe("Whether pages have a link to their source.") })
      .optional()
      .describe("Links to git."),
    pageActions: pageActions.describe("Actions of pages."),
    externalLinks: z
      .strictObject({ target: openEnum(["self", "blank"]).describe("Where they open: `self` or `blank`.") })
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
    socialAccounts: newer(z.array(z.looseObject({})), "Social accounts."),
  })
  .meta({ id: "Customization", description: "Appearance of a site or a site space." });

// An interface keeps its name in declarations, which would otherwise repeat all properties at each use.
export interface Customization extends z.output<typeof look> {}
export const customization: z.ZodType<Customization, Customization> = look;
