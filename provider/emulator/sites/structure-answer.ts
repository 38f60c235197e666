import type { SiteSection, SiteSectionGroup, SiteSpace } from "../../api/groups/site-structure";
import { bug } from "../http/errors";
import { spaceAnswer } from "../spaces/answer";
import type { Place } from "../store/service";
import type { GroupNode, SectionNode, SiteSpaceNode } from "./record";

export interface StructurePlace extends Place {
  /** URL of the site with a trailing slash; `undefined` omits published URLs. */
  readonly published: string | undefined;
}

export function siteSpaceAnswer(place: StructurePlace, node: SiteSpaceNode, section?: SectionNode): SiteSpace {
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

export function sectionAnswer(place: StructurePlace, node: SectionNode, group?: GroupNode): SiteSection {
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

export function groupAnswer(place: StructurePlace, node: GroupNode): SiteSectionGroup {
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

export function branchAnswer(place: StructurePlace, node: SectionNode | GroupNode, group?: GroupNode) {
  return node.type === "site-section" ? sectionAnswer(place, node, group) : groupAnswer(place, node);
}

/** A default node is published at the URL of its parent, any other node below it at its own path. */
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
