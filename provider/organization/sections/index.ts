import { defined } from "../../run/properties";
import type { OrganizationFile } from "../file/types";
import { members } from "./members";
import { saml } from "./saml";
import type { Section, SectionChild } from "./section";
import { sites } from "./sites";
import { teams } from "./teams";
import { translations } from "./translations";

/** The sections of organization.yaml, in the order of the file: each is registered, exported and audited in this order. */
export const sections = {
  members,
  teams,
  saml,
  sites,
  translations,
};

export type Sections = typeof sections;
export type SectionName = keyof Sections;

export const sectionNames = Object.keys(sections) as SectionName[];

/** The types of the live objects, of the details, and of the unmanaged objects of a section. */
export type LiveOf<One> = One extends { live: Readonly<Partial<Record<"list" | "readAfter", Reading<infer Live>>>> }
  ? Live
  : never;
type Reading<Result> = (...given: never) => Promise<Result>;
export type DetailsOf<One> = One extends { live: { readDetails(...given: never): Promise<infer Details> } }
  ? Details
  : undefined;
export type UnmanagedOf<One> = One extends { audit: { order(a: infer Unmanaged, b: never): number } }
  ? Unmanaged
  : never;

export type Kind = Sections[SectionName]["audit"]["kind"];

export interface ListedSection extends Section {
  readonly name: SectionName;
  readonly audit: Section["audit"] & { readonly kind: Kind };
}

export const sectionList: readonly ListedSection[] = sectionNames.map((name) => ({ ...sections[name], name }));

/** The type of the component that stores notes for reviews. It is registered when the guards have passed. */
export const notesType = "docs:index:OrganizationNotes";

export interface Child extends SectionChild {
  /** The name of the component, a hyphen, and the key in the file. */
  readonly name: string;
  readonly section: SectionName;
}

/** The name of a resource, by the name of its component and its key in the file. */
export const childName = (name: string, key: string): string => `${name}-${key}`;

export function childrenOf(name: string, organization: OrganizationFile, now: Date): Child[] {
  const { organization: organizationId } = organization;
  return sectionList.flatMap((section) =>
    section.declareChildren(organization, now).map((child) => ({
      ...child,
      section: section.name,
      name: childName(name, child.key),
      inputs: defined({ organizationId, ...child.inputs }),
    })),
  );
}
