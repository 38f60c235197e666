import { Document } from "yaml";
import { DocsError } from "../api/http/errors";
import { organizationYaml } from "../organization/file/loader";
import type { OrganizationFile } from "../organization/file/types";
import type { Child } from "../organization/sections";
import type { ResourceName } from "../resources/names";
import type { Properties } from "../run/properties";
import type { HostName } from "../run/urn";
import { escapedLines, visible } from "../text/visible";
import { quoted } from "./yaml";

export interface Target {
  readonly host: HostName;
  /**
   * `file`: organization.yaml and a program that refers to it. `resources`: a program that declares each resource. `none`: no
   * program, for the commands that run `organization.yaml` themselves.
   */
  readonly format: "file" | "resources" | "none";
  /** `typescript` by default. A program in Pulumi YAML needs the plugin. */
  readonly language?: "typescript" | "yaml";
}

export interface Program {
  /** Name of the component and of the project. */
  readonly name: string;
  readonly target: Target;
  readonly organization: OrganizationFile;
  readonly children: readonly Child[];
}

/** The project file of a TypeScript program. It and `tsconfig` are as in docs/getting-started.md. */
const projectFile = (name: string, target: Target) => `name: ${JSON.stringify(name)}
runtime:
  name: nodejs
  options: # compiles index.ts once, and starts fast: docs/concepts/start-up.md of pulumi-docs-org
    typescript: false
    nodeargs: --require=pulumi-docs-org/start
main: index.ts
${target.host === "plugin" ? pluginLines : dynamicLines}`;

const providerLines = (name: string, path: string) => `plugins:
  providers:
    - name: ${name}
      path: ${path}
`;

const dynamicLines = `${providerLines("pulumi-nodejs", "node_modules/pulumi-docs-org/dynamic-host")}options:
  refresh: always # a plain \`pulumi preview\` reads what is live, and so finds drift
`;

const pluginLines = providerLines("docs", "node_modules/pulumi-docs-org/plugin");

const tsconfig = `{
  "compilerOptions": {
    "target": "es2022", "module": "node16", "moduleResolution": "node16", "types": ["node"],
    "strict": true, "skipLibCheck": true, "noCheck": true
  }
}
`;

export function projectNames({ format, language }: Target): readonly string[] {
  if (format === "none") return [];
  return language === "yaml" ? ["Pulumi.yaml"] : ["index.ts", "Pulumi.yaml", "tsconfig.json"];
}

/** The files of a project. A program in YAML is in the project file. */
export function projectFiles(program: Program): Map<string, string> {
  const { name, target } = program;
  if (target.format === "none") return new Map();
  if (target.language === "yaml") return new Map([["Pulumi.yaml", yamlProgram(program)]]);
  const text = target.format === "file" ? fileProgram(program) : typescriptProgram(program);
  return new Map([
    ["index.ts", text],
    ["Pulumi.yaml", projectFile(name, target)],
    ["tsconfig.json", tsconfig],
  ]);
}

function yamlProgram(program: Program): string {
  const { name, target, children } = program;
  const component = { resource: "Organization", name, key: name, inputs: { file: organizationYaml } };
  const resources =
    target.format === "file"
      ? resourcesInYaml([component], () => "")
      : resourcesInYaml(children, (child) => commentAbove("#", child, program));
  return `${pulumiYaml({ name, runtime: "yaml" })}\n${pluginLines}\n${resources}`;
}

const fileProgram = ({ name, target }: Program): string => `import * as docs from "${moduleFor(target)}";

new docs.Organization(${JSON.stringify(name)}, { file: "${organizationYaml}" });
`;

/** The module that a program imports its classes from. */
const moduleFor = ({ host }: Target): string => (host === "plugin" ? "pulumi-docs-org/plugin" : "pulumi-docs-org");

function typescriptProgram(program: Program): string {
  const { organization, children, target } = program;
  const usedSites = new Set(children.flatMap(({ site }) => site ?? []));
  const head = [
    `import * as docs from "${moduleFor(target)}";`,
    "",
    `const organizationId = ${JSON.stringify(organization.organization)};`,
  ];
  const statements = children.map((child) => statementOf(child, program, usedSites));
  return escapedLines(`${[head.join("\n"), ...statements].join("\n\n")}\n`);
}

/** The variable of a site that other resources refer to. The names that an export makes have letters, digits and hyphens. */
const variableOf = (site: string): string => `site_${site.replaceAll("-", "_")}`;

/** Sites in `usedSites` get a variable, because other resources refer to them. */
function statementOf(child: Child, program: Program, usedSites: ReadonlySet<string>): string {
  const { resource, name, key, protect, site } = child;
  const properties = Object.entries({ ...child.inputs, ...(site !== undefined && { siteId: site }) });
  const lines = properties.map(([property, value]) => {
    // The constant of this name at the top of the program.
    if (property === "organizationId") return property;
    if (property === "siteId") return `siteId: ${variableOf(String(value))}.id`;
    return `${property}: ${literal(value)}`;
  });
  const start = resource === "Site" && usedSites.has(key) ? `const ${variableOf(key)} = ` : "";
  const end = protect ? "}, { protect: true });" : "});";
  const body = lines.map((line) => `  ${line},\n`).join("");
  return `${commentAbove("//", child, program)}${start}new docs.${resource}(${JSON.stringify(name)}, {\n${body}${end}`;
}

/** The title of a team: readers do not know teams by their ids. */
function commentAbove(mark: string, { resource, inputs }: Child, { organization: { teams = {} } }: Program): string {
  const title = resource === "TeamMembers" ? teams[String(inputs.teamId)]?.title : undefined;
  return title === undefined ? "" : `${mark} ${visible(title)}\n`;
}

export function declarationOf(resource: ResourceName, name: string, inputs: Properties): string {
  const lines = Object.entries(inputs).map(([property, value]) => `  ${property}: ${literal(value)},\n`);
  return escapedLines(`new docs.${resource}(${JSON.stringify(name)}, {\n${lines.join("")}});`);
}

const literal = (value: unknown): string => JSON.stringify(value, undefined, 2).replaceAll("\n", "\n  ");

type Declared = Pick<Child, "name" | "key" | "inputs" | "protect" | "site"> & { readonly resource: string };

/** The resources of a program in Pulumi YAML. `commentAbove` is the lines above a resource. */
function resourcesInYaml<One extends Declared>(all: readonly One[], commentAbove: (one: One) => string): string {
  const keys = keysOf(all);
  const sites = new Map(all.flatMap((one, index) => (one.resource === "Site" ? [[one.key, keys[index]]] : [])));
  const written = all.map((one, index) => {
    const { resource, name, inputs, protect, site } = one;
    const key = keys[index] as string;
    const siteId = site === undefined ? {} : { siteId: idOf(sites.get(site) as string) };
    const declaration = {
      type: `docs:${resource}`,
      ...(key !== name && { name }),
      properties: { ...escapeProperties(inputs, name), ...siteId },
      ...(protect && { options: { protect } }),
    };
    return `${commentAbove(one)}${pulumiYaml({ [key]: declaration })}`.replace(/^(?=.)/gm, "  ");
  });
  return `resources:\n${written.join("\n")}`;
}

/** A value that every version of YAML reads as it is, with certificates as blocks. Pulumi YAML has no aliases. */
function pulumiYaml(value: object): string {
  const document = new Document(value, { version: "1.1", aliasDuplicateObjects: false });
  // Some version may read a text with a digit or a sign in front as a number or a date. Texts of several lines are quoted as well, except certificates.
  return quoted(document, (text) => !/^[A-Za-z$].*$|^-----BEGIN /.test(text));
}

/**
 * The keys of the resources: their names. A name that is taken, by a resource of another type or by the variable `pulumi` of every
 * program, is followed by the type.
 */
function keysOf(resources: readonly Declared[]): string[] {
  const names = new Set(resources.map(({ name }) => name));
  const taken = new Set(["pulumi"]);
  return resources.map(({ name, resource }) => {
    let key = name;
    if (taken.has(name)) {
      key += resource.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      while (taken.has(key) || names.has(key)) key += "-";
    }
    taken.add(key);
    return key;
  });
}

/** The id of another resource. A key with dots must be quoted. */
const idOf = (key: string): string => (key.includes(".") ? `\${["${key}"].id}` : `\${${key}.id}`);

/** Escapes values for Pulumi YAML, which interpolates texts, and the keys of maps as well. */
function escapeProperties(values: Properties, resource: string): Properties {
  const entries = Object.entries(values).map(([key, value]) => {
    if (!/^fn::/i.test(key)) return [escapeInterpolation(key), escapeValue(value, resource)];
    throw new DocsError(
      `${resource}: Pulumi YAML takes the name ${JSON.stringify(key)} for a function; export with --language typescript`,
    );
  });
  return Object.fromEntries(entries);
}

function escapeValue(value: unknown, resource: string): unknown {
  if (typeof value === "string") return escapeInterpolation(value);
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value)
    ? value.map((one) => escapeValue(one, resource))
    : escapeProperties(value as Properties, resource);
}

const escapeInterpolation = (text: string): string => text.replace(/\$(?=[${])/g, "$$$$");
