import type { SiteSection, SiteSectionGroup, SiteSpace } from "../../api/groups/site-structure";
import type { PublishedSite } from "../../api/groups/sites";
import { badRequest, bug, notFound, Refusal } from "../http/errors";
import type { Routes } from "../http/route";
import { spaceAnswer } from "../spaces/answer";
import type { RecordContext, Version } from "../store/service";
import { addressOfSite, siteAnswer } from "./answer";
import {
  type GroupNode,
  nodesIn,
  type Placed,
  type SectionNode,
  type SiteRecord,
  type SiteSpaceNode,
  type StructureNode,
  siteSpacesIn,
} from "./record";

/** Moves items in the structure of a site, and the published profile of a site: everything that a renderer needs. */
export const siteStructureRoutes = {
  sortSiteStructure: (call) => {
    const { site } = call;
    const { item, position } = call.body;
    const { node, siblings, section, group } = findItem(site, item, "item");
    const others = siblings.filter((sibling) => sibling !== node);
    const index = indexIn(others, {
      before: position.before && findBeside(site, position.before, others, "before"),
      after: position.after && findBeside(site, position.after, others, "after"),
    });
    siblings.splice(0, siblings.length, ...others.slice(0, index), node, ...others.slice(index));
    const place = { ...call, published: addressOfSite(call, site) };
    return node.type === "site-space" ? siteSpaceAnswer(place, node, section) : branchAnswer(place, node, group);
  },

  getPublishedSite: (call) => {
    const { site, service, query } = call;
    if (!site.published) throw notFound("published site", site.id);
    const place = { ...call, published: addressOfSite(call, site, query.shareKey) };
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

type Pointer = Pick<StructureNode, "type" | "id">;

function findItem(site: SiteRecord, { type, id }: Pointer, property: string): Placed {
  for (const placed of nodesIn(site.structure)) if (placed.node.type === type && placed.node.id === id) return placed;
  throw new Refusal(404, `${property}: site "${site.id}" has no ${type} "${id}"`);
}

/** Finds the item to move next to. It must be on the same level: items do not move into another section or group. */
function findBeside(site: SiteRecord, pointer: Pointer, others: readonly StructureNode[], name: string): StructureNode {
  const { node } = findItem(site, pointer, `position.${name}`);
  if (others.includes(node)) return node;
  throw badRequest(`position.${name}: "${pointer.id}" is no other item of the same level`);
}

/** New index of the item among the others; the end if neither `before` nor `after` is given. */
function indexIn(
  others: readonly StructureNode[],
  at: { before?: StructureNode | undefined; after?: StructureNode | undefined },
): number {
  const before = at.before && others.indexOf(at.before);
  const after = at.after && others.indexOf(at.after) + 1;
  if (before !== undefined && after !== undefined && before !== after)
    throw badRequest("position: `after` and `before` are not adjacent; use adjacent items, or only one of them");
  return before ?? after ?? others.length;
}

interface StructurePlace extends RecordContext {
  /** URL of the site with a trailing slash; `undefined` omits published URLs. */
  readonly published: string | undefined;
}

function siteSpaceAnswer(place: StructurePlace, node: SiteSpaceNode, section?: SectionNode): SiteSpace {
  const { type: object, space: id, ...shown } = node;
  const space = place.organization.spaces.get(id);
  if (!space) throw bug(`site space "${node.id}" refers to space "${id}", which does not exist`);
  return {
    object,
    ...shown,
    section: section?.id,
    space: spaceAnswer(place, space),
    hasAdvancedCustomizationFeature: false,
    urls: publishedAt(place, [section, node]),
    ...newerProperties(place),
  };
}

function sectionAnswer(place: StructurePlace, node: SectionNode, group?: GroupNode): SiteSection {
  const { type: object, siteSpaces, ...shown } = node;
  return {
    object,
    ...shown,
    sectionGroup: group?.id,
    siteSpaces: siteSpaces.map((inner) => siteSpaceAnswer(place, inner, node)),
    urls: publishedAt(place, [node]),
    ...newerProperties(place),
  };
}

function groupAnswer(place: StructurePlace, node: GroupNode): SiteSectionGroup {
  const { type: object, ...shown } = node;
  const children = node.children.map((child) => branchAnswer(place, child, node));
  return {
    object,
    ...shown,
    sections: children.filter((child) => child.object === "site-section"),
    children,
    ...newerProperties(place),
  };
}

function branchAnswer(place: StructurePlace, node: SectionNode | GroupNode, group?: GroupNode) {
  return node.type === "site-section" ? sectionAnswer(place, node, group) : groupAnswer(place, node);
}

/** A default node is published at the URL of its parent, any other node at its own path below that URL. */
function publishedAt(
  { published }: StructurePlace,
  nodes: readonly ({ path: string; default: boolean } | undefined)[],
) {
  if (published === undefined) return {};
  const path = nodes.map((node) => (node && !node.default ? `${encodeURIComponent(node.path)}/` : ""));
  return { published: published + path.join("") };
}

function newerProperties({ service }: StructurePlace): { draft?: false } {
  return service.version === "0.202" ? { draft: false } : {};
}

function structureOf(place: StructurePlace, { structure }: SiteRecord): PublishedSite["structure"] {
  const spaces = structure.filter((node) => node.type === "site-space");
  if (spaces.length === structure.length)
    return { type: "siteSpaces", structure: spaces.map((node) => siteSpaceAnswer(place, node)) };
  const branches = structure.filter((node) => node.type !== "site-space");
  return { type: "sections", structure: branches.map((node) => branchAnswer(place, node)) };
}

/** Customization of a site: the same for every site except the title, because no operation of the API document changes it. */
function customizationOf({ title }: SiteRecord, version: Version) {
  return { title, ...common, ...(version === "0.146" ? older : newer), styling: stylingOf(version) };
}

const bothThemes = (color: string) => ({ light: color, dark: color });

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
    primaryColor: bothThemes("#2f6feb"),
    infoColor: bothThemes("#2f6feb"),
    successColor: bothThemes("#1a7f37"),
    warningColor: bothThemes("#9a6700"),
    dangerColor: bothThemes("#cf222e"),
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
