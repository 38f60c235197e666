import { z } from "zod";
import { identifier, openEnum, url } from "./shared";
import { space } from "./spaces";

/** Structure of a site: site spaces, sections and groups of sections, with their customization. */

const title = z.string();
const path = z.string().min(1).max(100);
const icon = z.string().max(50);
const condition = z.string().max(1024);
const draft = z.boolean();
const urls = z.strictObject({ published: url.optional() });

export const siteSpace = z
  .strictObject({
    object: z.literal("site-space"),
    id: identifier,
    path,
    section: identifier.optional(),
    space,
    title,
    default: z.boolean().optional(),
    condition: condition.optional(),
    hasAdvancedCustomizationFeature: z.boolean().optional(),
    urls,
    draft: draft.optional(),
  })
  .meta({ id: "SiteSpace" });
export type SiteSpace = z.output<typeof siteSpace>;

export const siteSection = z
  .strictObject({
    object: z.literal("site-section"),
    id: identifier,
    title: title.min(2).max(128),
    description: z.string().max(256).optional(),
    default: z.boolean().optional(),
    path,
    condition: condition.optional(),
    sectionGroup: identifier.optional(),
    siteSpaces: z.array(siteSpace),
    urls,
    icon: icon.optional(),
    draft: draft.optional(),
  })
  .meta({ id: "SiteSection" });
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
    id: identifier,
    title: title.min(1).max(100),
    icon: icon.optional(),
    /** Deprecated: `children` has the same sections, and nested groups as well. */
    sections: z.array(siteSection),
    get children() {
      return z.array(z.union([siteSection, siteSectionGroup]));
    },
    draft: draft.optional(),
  })
  .meta({ id: "SiteSectionGroup" });

const color = z.string().regex(/^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/);
const colors = z.strictObject({ light: color, dark: color }).meta({ id: "CustomizationColors" });
const images = z.strictObject({ light: url, dark: url }).meta({ id: "CustomizationImages" });
const target = z.looseObject({ kind: z.string() });
const link = z.strictObject({ title, to: target.nullable() }).meta({ id: "CustomizationLink" });

const styling = z.strictObject({
  theme: openEnum(["clean", "muted", "bold", "gradient"]),
  primaryColor: colors,
  tint: z.strictObject({ color: colors }).optional(),
  infoColor: colors,
  successColor: colors,
  warningColor: colors,
  dangerColor: colors,
  corners: openEnum(["straight", "rounded", "circular"]),
  depth: openEnum(["subtle", "flat"]),
  links: openEnum(["default", "accent"]),
  font: z.union([z.string(), z.looseObject({})]),
  monospaceFont: z.union([z.string(), z.looseObject({})]),
  icons: openEnum(["regular", "solid", "duotone", "light", "thin"]),
  background: z.string().optional(),
  codeTheme: z.looseObject({}).optional(),
  sidebar: z.strictObject({
    background: openEnum(["default", "filled"]),
    list: openEnum(["default", "pill", "line"]),
  }),
  search: openEnum(["prominent", "subtle"]),
});

const enabled = z.strictObject({ enabled: z.boolean() });

/** Appearance of a site or a site space. The API document has no operation that writes it. */
export const customization = z
  .strictObject({
    title: z.string().optional(),
    styling,
    internationalization: z.strictObject({ locale: z.string() }).optional(),
    favicon: z.strictObject({ icon: images.optional(), emoji: z.string().optional() }),
    header: z.strictObject({
      preset: z.string().optional(),
      logo: images.optional(),
      links: z.array(
        link.extend({
          style: openEnum(["link", "button-primary", "button-secondary"]).optional(),
          links: z.array(link).optional(),
          condition: condition.optional(),
        }),
      ),
    }),
    footer: z.strictObject({
      logo: images.optional(),
      groups: z.array(z.strictObject({ title, links: z.array(link) })),
      copyright: z.string().optional(),
    }),
    announcement: enabled
      .extend({
        message: z.string().min(2).max(128),
        link: link.optional(),
        style: openEnum(["info", "warning", "danger", "success"]),
      })
      .optional(),
    themes: z.strictObject({ default: openEnum(["light", "dark", "system"]), toggeable: z.boolean() }),
    pdf: enabled.optional(),
    feedback: enabled,
    ai: z.strictObject({ mode: openEnum(["none", "search", "assistant"]) }),
    advancedCustomization: enabled,
    git: z.strictObject({ showEditLink: z.boolean() }).optional(),
    pageActions: z.union([
      z.strictObject({ externalAI: z.boolean(), markdown: z.boolean(), mcp: z.boolean() }),
      z.strictObject({ items: z.array(z.string()) }),
    ]),
    externalLinks: z.strictObject({ target: openEnum(["self", "blank"]) }),
    pagination: enabled,
    trademark: enabled,
    privacyPolicy: z.strictObject({ url: url.optional() }),
    socialPreview: z.strictObject({ url: url.optional() }),
    insights: z.strictObject({ trackingCookie: z.boolean() }),
    socialAccounts: z.array(z.looseObject({})).optional(),
  })
  .meta({ id: "Customization" });
export type Customization = z.output<typeof customization>;
