import type { PublishedSite } from "../../api/groups/sites";
import { notFound } from "../http/errors";
import type { Routes } from "../http/route";
import type { Place, Version } from "../store/service";
import { publishedUrl, siteAnswer } from "./answer";
import type { SiteRecord } from "./record";
import { siteOf } from "./routes";
import { siteSpacesIn } from "./structure";
import { branchAnswer, type StructurePlace, siteSpaceAnswer } from "./structure-answer";

/** The published profile of a site: everything that a renderer needs. */
export const sitePublishedRoutes = {
  getPublishedSite: (call) => {
    const site = siteOf(call);
    if (!site.published) throw notFound("published site", site.id);
    const { service, query } = call;
    const place = { ...call, published: addressOf(call, site, query.shareKey) };
    const customization = customizationOf(site, service.version);
    const customized = siteSpacesIn(site).map(({ node }) => [node.id, customization] as const);
    return {
      object: "published-content-site",
      site: siteAnswer(call, site),
      structure: structureOf(place, site),
      customizations: { site: customization, siteSpaces: Object.fromEntries(customized) },
      scripts: [],
    };
  },
} satisfies Partial<Routes>;

/** URL of the published site. A share-link site has one only with a valid key, which becomes part of the URL. */
export function addressOf({ organization }: Place, site: SiteRecord, shareKey?: string): string | undefined {
  const url = publishedUrl(organization, site);
  if (!site.published) return undefined;
  if (site.visibility !== "share-link") return url;
  return shareKey !== undefined && site.shareKeys.includes(shareKey)
    ? `${url}${encodeURIComponent(shareKey)}/`
    : undefined;
}

function structureOf(place: StructurePlace, { structure }: SiteRecord): PublishedSite["structure"] {
  const spaces = structure.filter((node) => node.type === "site-space");
  if (spaces.length === structure.length) {
    return { type: "siteSpaces", structure: spaces.map((node) => siteSpaceAnswer(place, node)) };
  }
  const branches = structure.filter((node) => node.type !== "site-space");
  return { type: "sections", structure: branches.map((node) => branchAnswer(place, node)) };
}

/** Customization of a site: the same for every site except the title, because no operation of the API document changes it. */
function customizationOf({ title }: SiteRecord, version: Version) {
  return { title, ...common, ...(version === "0.146" ? older : newer), styling: stylingOf(version) };
}

const same = (color: string) => ({ light: color, dark: color });

const common = {
  internationalization: { locale: "en" },
  favicon: {},
  header: { preset: "default", links: [] },
  footer: { groups: [] },
  themes: { default: "light", toggeable: true },
  feedback: { enabled: false },
  ai: { mode: "none" },
  advancedCustomization: { enabled: false },
  externalLinks: { target: "self" },
  pagination: { enabled: true },
  trademark: { enabled: true },
  privacyPolicy: {},
  socialPreview: {},
  insights: { trackingCookie: false },
};

const older = {
  pdf: { enabled: false },
  git: { showEditLink: false },
  pageActions: { externalAI: true, markdown: true, mcp: true },
};

const newer = { pageActions: { items: ["assistant", "markdown"] }, socialAccounts: [] };

const codeTheme = { light: "default-light", dark: "default-dark" };

function stylingOf(version: Version) {
  return {
    theme: "clean",
    primaryColor: same("#2f6feb"),
    infoColor: same("#2f6feb"),
    successColor: same("#1a7f37"),
    warningColor: same("#9a6700"),
    dangerColor: same("#cf222e"),
    corners: "rounded",
    depth: "subtle",
    links: "default",
    font: "Inter",
    monospaceFont: "FiraCode",
    icons: "regular",
    background: "plain",
    sidebar: { background: "default", list: "default" },
    search: "prominent",
    ...(version === "0.202" && { codeTheme: { default: codeTheme, openapi: codeTheme } }),
  };
}
