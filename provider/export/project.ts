import { organizationYaml } from "../organization/file/loader";
import type { OrganizationFile } from "../organization/file/types";
import type { Child } from "../organization/sections";
import type { ResourceName } from "../resources/names";
import type { Properties } from "../run/properties";
import type { HostName } from "../run/urn";
import { escapedLines, visible } from "../text/visible";

export interface ExportTarget {
  readonly host: HostName;
  /**
   * `file`: organization.yaml and a program that refers to it. `resources`: a program that declares each resource. `none`: no
   * program, for the commands that run `organization.yaml` themselves.
   */
  readonly format: "file" | "resources" | "none";
  /** `typescript` by default. A program in Pulumi YAML needs the plugin, and refers to organization.yaml. */
  readonly language?: "typescript" | "yaml";
}

export interface Program {
  /** Name of the component and of the project. */
  readonly name: string;
  readonly target: ExportTarget;
  readonly organization: OrganizationFile;
  readonly children: readonly Child[];
}

/** The project file of a TypeScript program. It and `tsconfig` are as in docs/getting-started.md. */
const projectFile = (name: string, target: ExportTarget) => `name: ${JSON.stringify(name)}
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
    "strict": true, "skipLibCheck": true
  }
}
`;

/** The project file of a program in Pulumi YAML, which is the whole program. */
const yamlProject = (name: string) => `name: ${JSON.stringify(name)}
runtime: yaml
${pluginLines}
resources:
  organization:
    type: docs:Organization
    name: ${JSON.stringify(name)}
    properties:
      file: ${organizationYaml}
`;

export function projectNames({ format, language }: ExportTarget): readonly string[] {
  if (format === "none") return [];
  return language === "yaml" ? ["Pulumi.yaml"] : ["index.ts", "Pulumi.yaml", "tsconfig.json"];
}

/** The files of a project. A program in YAML is in the project file. */
export function projectFiles(program: Program): Map<string, string> {
  const { name, target } = program;
  if (target.format === "none") return new Map();
  if (target.language === "yaml") return new Map([["Pulumi.yaml", yamlProject(name)]]);
  const text = target.format === "file" ? fileProgram(program) : typescriptProgram(program);
  return new Map([
    ["index.ts", text],
    ["Pulumi.yaml", projectFile(name, target)],
    ["tsconfig.json", tsconfig],
  ]);
}

const fileProgram = ({ name, target }: Program): string => `import * as docs from "${moduleFor(target)}";

new docs.Organization(${JSON.stringify(name)}, { file: "${organizationYaml}" });
`;

/** The module that a program imports its classes from. */
const moduleFor = ({ host }: ExportTarget): string =>
  host === "plugin" ? "pulumi-docs-org/plugin" : "pulumi-docs-org";

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
  return `${commentAbove(child, program)}${start}new docs.${resource}(${JSON.stringify(name)}, {\n${body}${end}`;
}

/** The title of a team: readers do not know teams by their ids. */
function commentAbove({ resource, inputs }: Child, { organization: { teams = {} } }: Program): string {
  const title = resource === "TeamMembers" ? teams[String(inputs.teamId)]?.title : undefined;
  return title === undefined ? "" : `// ${visible(title)}\n`;
}

export function declarationOf(resource: ResourceName, name: string, inputs: Properties): string {
  const lines = Object.entries(inputs).map(([property, value]) => `  ${property}: ${literal(value)},\n`);
  return escapedLines(`new docs.${resource}(${JSON.stringify(name)}, {\n${lines.join("")}});`);
}

const literal = (value: unknown): string => JSON.stringify(value, undefined, 2).replaceAll("\n", "\n  ");
