import type { OrganizationFile } from "../organization/file/types";
import { sections } from "../organization/sections";
import type { Child } from "../organization/sections/children";
import type { Section } from "../organization/sections/section";
import { propertiesIn } from "../run/properties";
import type { Target } from "./target";

/** An input whose text is in a separate file. */
export interface TextInput {
  readonly input: string;
  readonly file: string;
}

/** What a program declares, in any language. */
export interface Program {
  /** Name of the component and of the project. */
  readonly name: string;
  readonly target: Target;
  readonly organization: OrganizationFile;
  readonly children: readonly Child[];
  /** By the names of the resources. */
  readonly texts: ReadonlyMap<string, TextInput>;
}

/** The inputs of children whose text is in a separate file, by the name of the child. */
export function textsOf(children: readonly Child[], organization: OrganizationFile): ReadonlyMap<string, TextInput> {
  return new Map(
    children.flatMap(({ section, key, name }): [string, TextInput][] => {
      const { textFile }: Section = sections[section];
      const { [textFile?.property ?? ""]: file } = propertiesIn(propertiesIn(organization[section])[key]);
      return textFile && typeof file === "string" ? [[name, { input: textFile.input, file }]] : [];
    }),
  );
}

/** The comment above a resource, if its section has one. */
export function commentOn(child: Child, { organization }: Program): string | undefined {
  const { commentOn }: Section["writing"] = sections[child.section].writing;
  return commentOn?.(child, organization);
}
