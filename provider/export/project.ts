import { organizationYaml } from "../organization/file/loader";
import { dynamicHostPath, moduleFor, type Program, pluginPath, type Target } from "./program";
import { pulumiYaml } from "./pulumi-yaml";
import { typescriptProgram } from "./typescript";

/** The project file of a TypeScript program. It and the next one are as in docs/getting-started.md. */
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

const dynamicLines = `${providerLines("pulumi-nodejs", dynamicHostPath)}options:
  refresh: always # a plain \`pulumi preview\` reads what is live, and so finds drift
`;

const pluginLines = providerLines("docs", pluginPath);

const tsconfig = `{
  "compilerOptions": {
    "target": "es2022", "module": "node16", "moduleResolution": "node16", "types": ["node"],
    "strict": true, "skipLibCheck": true, "noCheck": true
  }
}
`;

export const projectNames = ({ language }: Target): readonly string[] =>
  ({ none: [], yaml: ["Pulumi.yaml"], typescript: ["index.ts", "Pulumi.yaml", "tsconfig.json"] })[language];

/** The files of a project. A program in YAML is in the project file. */
export function projectFiles(program: Program): Map<string, string> {
  const { name, target } = program;
  if (target.language === "none") return new Map();
  if (target.language === "yaml") return new Map([["Pulumi.yaml", pulumiYaml(program)]]);
  const text = target.format === "file" ? fileProgram(program) : typescriptProgram(program);
  return new Map([
    ["index.ts", text],
    ["Pulumi.yaml", projectFile(name, target)],
    ["tsconfig.json", tsconfig],
  ]);
}

/** A program that only refers to the file. */
const fileProgram = ({ name, target }: Program): string => `import * as docs from "${moduleFor(target)}";

new docs.Organization(${JSON.stringify(name)}, { file: "${organizationYaml}" });
`;
