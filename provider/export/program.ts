import type { OrganizationFile } from "../organization/file/types";
import { sections } from "../organization/sections";
import type { Child } from "../organization/sections/children";
import type { Section } from "../organization/sections/section";
import { propertiesIn } from "../run/properties";
import type { HostName } from "../run/urn";

export interface Target {
  readonly host: HostName;
  /** `none`: no program, for the commands that run `organization.yaml` themselves. */
  readonly language: "typescript" | "yaml" | "none";
  /** `file`: organization.yaml and a program that refers to it. `resources`: a program that declares each resource. */
  readonly format: "file" | "resources";
}

/** The folder that the engine loads the plugin from, relative to the project. */
export const pluginPath = "node_modules/pulumi-docs-org/plugin";

/** The folder with what starts the SDK's host of dynamic providers, relative to the project. */
export const dynamicHostPath = "node_modules/pulumi-docs-org/dynamic-host";

/** The module that a TypeScript program imports its classes from. */
export const moduleFor = ({ host }: Target): string =>
  host === "plugin" ? "pulumi-docs-org/plugin" : "pulumi-docs-org";

/** An input whose text is in a separate file. */
export interface TextInput {
  readonly input: string;
  readonly file: string;
}

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

export function commentOn(child: Child, { organization }: Program): string | undefined {
  const { commentOn }: Section["writing"] = sections[child.section].writing;
  return commentOn?.(child, organization);
}
