import { members } from "./members";
import { saml } from "./saml";
import type { Section } from "./section";
import { sites } from "./sites/sites";
import { teams } from "./teams/teams";
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
export type LiveOf<One> = One extends { live: { list(...given: never): Promise<infer Live> } }
  ? Live
  : One extends { live: { readAfter(...given: never): Promise<infer Live> } }
    ? Live
    : never;
export type DetailsOf<One> = One extends { live: { readDetails(...given: never): Promise<infer Details> } }
  ? Details
  : undefined;
export type UnmanagedOf<One> = One extends { audit: { order(a: infer Unmanaged, b: never): number } }
  ? Unmanaged
  : never;

/** The kinds of objects in the audit. */
export type Kind = Sections[SectionName]["audit"]["kind"];

interface ListedSection extends Section {
  readonly name: SectionName;
  readonly audit: Section["audit"] & { readonly kind: Kind };
}

export const sectionList: readonly ListedSection[] = sectionNames.map((name) => ({ ...sections[name], name }));
