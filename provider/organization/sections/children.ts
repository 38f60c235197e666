import type { Properties } from "../../run/properties";
import type { OrganizationFile } from "../file/types";
import { type SectionName, sectionList } from ".";
import type { SectionChild } from "./section";

/** The type of the component, in URNs and in import files. */
export const organizationType = "docs:index:Organization";

/** The type of what a component tells reviews, which is registered once its guards have passed; and its name. */
export const notesType = "docs:index:OrganizationNotes";
export const notesName = (name: string): string => childName(name, "notes");

/** A resource of an organization. */
export interface Child extends SectionChild {
  /** The key in the file below the name of the organization. */
  readonly name: string;
  readonly section: SectionName;
}

/** The name of a resource in an organization of that name, by its key in the file. */
export const childName = (name: string, key: string): string => `${name}-${key}`;

/** The resources that an organization stands for at that time. */
export function childrenOf(name: string, organization: OrganizationFile, now: Date): Child[] {
  const { organization: organizationId } = organization;
  return sectionList.flatMap((section) =>
    section.declareChildren(organization, now).map((child) => ({
      ...child,
      section: section.name,
      name: childName(name, child.key),
      inputs: { organizationId, ...defined(child.inputs) },
    })),
  );
}

/** The classes know by themselves what a property that is left out means. */
const defined = (inputs: Properties): Properties =>
  Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== undefined));
