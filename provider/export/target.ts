import type { HostName } from "../run/urn";

/** What an export writes. */
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
