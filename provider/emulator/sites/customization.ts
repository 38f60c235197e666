import type { Customization } from "../../api/groups/site-structure";
import type { Version } from "../store/service";
import type { SiteRecord } from "./record";

/** Customization of a site: the same for every site except the title, because no operation of the API document changes it. */
export function customizationOf({ title }: SiteRecord, version: Version): Customization {
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

function stylingOf(version: Version): Customization["styling"] {
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
