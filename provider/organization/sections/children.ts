import { defined } from "../../run/properties";
import type { OrganizationFile } from "../file/types";
import { type SectionName, sectionList } from ".";
import type { SectionChild } from "./section";

/** The type and name of the component that stores notes for reviews. It is registered when the guards have passed. */
export const notesType = "docs:index:OrganizationNotes";
export const notesName = (name: string): string => childName(name, "notes");

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
