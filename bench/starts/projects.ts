import { symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { projectFiles } from "../../provider/export/project";
import type { HostName } from "../../provider/run/urn";
import { Stack } from "../../scripts/stack";
import { succeeded } from "./turns";

/** A program and its settings, of which a preview is measured. */
export interface Project {
  readonly words: string;
  /** The files of the project. */
  readonly files: Readonly<Record<string, string>>;
  readonly environment?: NodeJS.ProcessEnv;
  /** Makes what else the project needs in its folder. */
  readonly prepare?: (stack: Stack) => Promise<void>;
  /** Whether each run begins without what earlier ones have kept. */
  readonly isFirst?: true;
  /** Whether the stack has had an `up`, so that its previews read the site. */
  readonly isUp?: boolean;
}

/** What `docs-org export` writes. */
function exported(host: HostName): Readonly<Record<string, string>> {
  const target = { host, language: "typescript", format: "resources" } as const;
  const program = { name: "docs-org-test", target, organization: { organization: "acme" } } as const;
  return Object.fromEntries(projectFiles({ ...program, children: [], texts: new Map() }));
}

const inputsOf = (title: string): string => `{ title: "${title}", visibility: "public", published: true }`;
const inputs = inputsOf("Handbook");
const importOf = (host: HostName): string => (host === "plugin" ? "pulumi-docs-org/plugin" : "pulumi-docs-org");
const siteIn = (host: HostName, title = "Handbook"): string =>
  `import * as docs from "${importOf(host)}";\nnew docs.Site("handbook", ${inputsOf(title)});\n`;
const siteInJavaScript = `const docs = require("pulumi-docs-org");\nnew docs.Site("handbook", ${inputs});\n`;
const nothing = `
import * as pulumi from "@pulumi/pulumi";
class Nothing extends pulumi.dynamic.Resource {
  constructor(name: string, props: object) {
    super({ create: async (inputs: object) => ({ id: "id", outs: inputs }) }, name, props);
  }
}
new Nothing("handbook", ${inputs});
`;

/** What `pulumi new` writes, and before it the line with the program. */
const plain = (main: string): string => `name: docs-org-test\nruntime: nodejs\nmain: ${main}\n`;
const withRefresh = (main: string): string => `${plain(main)}options:\n  refresh: always\n`;
const withoutDynamicHost = (yaml = ""): string => yaml.replace(/^plugins:\n( .*\n)+/m, "");
const withoutOptions = (yaml = ""): string => yaml.replace(/^runtime:\n( .*\n)+/m, "runtime: nodejs\n");
const withoutChecks = JSON.stringify({
  compilerOptions: { target: "es2022", module: "node16", moduleResolution: "node16", types: ["node"], noCheck: true },
});
const withChecks = withoutChecks.replace('"noCheck":true', '"strict":true,"skipLibCheck":true');

/** The settings that docs-org export wrote before: ts-node compiles the program at each run. */
const before = { "Pulumi.yaml": withRefresh("index.ts"), "tsconfig.json": withoutChecks };

const site = (host: HostName, title?: string): Project["files"] => ({
  ...exported(host),
  "index.ts": siteIn(host, title),
});
const modules = '{ "type": "module" }';

/** Hides ts-node from programs, which the checkout has. */
const withoutTsNode = { NODE_OPTIONS: `--require=${path.join(__dirname, "without-ts-node.js")}` };

/** A site through the dynamic host: before and after the first `up`, with and without ts-node in the project. */
function sites(words: string, changed = (yaml = "") => yaml) {
  const one = (when: string, isUp: boolean, environment = {}): Project => {
    // All stacks have one organization, where a second site with the same title would be refused.
    const title = `${words}, ${when} the first \`up\``;
    const files = site("dynamic", title);
    return { words: title, files: { ...files, "Pulumi.yaml": changed(files["Pulumi.yaml"]) }, environment, isUp };
  };
  return {
    first: one("before", false),
    again: one("after", true),
    firstAlone: one("without `ts-node`, before", false, withoutTsNode),
    againAlone: one("without `ts-node`, after", true, withoutTsNode),
  };
}

/** What the bounds are about. */
export const bounded = {
  empty: { words: "an empty JavaScript program", files: { "Pulumi.yaml": plain("index.js"), "index.js": "" } },
  ...sites("a site through the dynamic host"),
  plugin: { words: "a site through the plugin", files: site("plugin") },
} as const satisfies Readonly<Record<string, Project>>;

/** What is below them: no program is faster. */
export const floors = {
  floor: { words: "an empty TypeScript program", files: { ...exported("plugin"), "index.ts": "" } },
  nothing: { words: "a dynamic resource that does nothing", files: { ...site("dynamic"), "index.ts": nothing } },
} as const satisfies Readonly<Record<string, Project>>;

const { "Pulumi.yaml": yaml } = exported("dynamic");
const dynamic = { ...before, "index.ts": siteIn("dynamic") };
const ignored = sites("the default settings, whose options the language host ignores", withoutOptions);

/** Other settings for a program with one site through the dynamic host, and for one through the plugin. */
export const options = {
  before: { words: "`runtime: nodejs`, types not checked (`noCheck`)", files: dynamic },
  transpileOnly: {
    words: "the same with `PULUMI_NODEJS_TRANSPILE_ONLY=true` instead of `noCheck`",
    files: { ...dynamic, "tsconfig.json": withChecks },
    environment: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
  },
  checked: { words: "`runtime: nodejs`, types checked", files: { ...dynamic, "tsconfig.json": withChecks } },
  swc: {
    words: '`runtime: nodejs`, `"ts-node": { "swc": true }`',
    files: { ...dynamic, "tsconfig.json": withoutChecks.replace(/}$/, ',"ts-node":{"swc":true}}') },
    prepare: installSwc,
  },
  modules: {
    words: '`runtime: nodejs`, an ECMAScript module (`"type": "module"`)',
    files: { ...dynamic, "package.json": modules },
  },
  javaScript: {
    words: "`runtime: nodejs`, plain JavaScript",
    files: { "Pulumi.yaml": withRefresh("index.js"), "index.js": siteInJavaScript },
  },
  javaScriptModule: {
    words: "`runtime: nodejs`, plain JavaScript, an ECMAScript module",
    files: { "Pulumi.yaml": withRefresh("index.js"), "index.js": siteIn("dynamic"), "package.json": modules },
  },
  javaScriptExported: {
    words: "the default settings, plain JavaScript",
    files: { "Pulumi.yaml": yaml?.replace("index.ts", "index.js") ?? "", "index.js": siteInJavaScript },
  },
  withoutDynamicHost: {
    words: "the default settings without `plugins` (the SDK's own start of dynamic providers)",
    files: { ...site("dynamic"), "Pulumi.yaml": withoutDynamicHost(yaml) },
  },
  nothingKept: { words: "the default settings, when nothing is kept yet", files: site("dynamic"), isFirst: true },
  pluginBefore: {
    words: "the plugin, `runtime: nodejs`, types not checked (`noCheck`)",
    files: {
      ...site("plugin"),
      "Pulumi.yaml": withoutOptions(exported("plugin")["Pulumi.yaml"]),
      "tsconfig.json": withoutChecks,
    },
  },
  pluginFirst: { words: "the plugin, when nothing is kept yet", files: site("plugin"), isFirst: true },
  ...Object.fromEntries(Object.entries(ignored).map(([name, project]) => [`ignored-${name}`, project])),
} as const satisfies Readonly<Record<string, Project>>;

/** A stack with exactly these files, in a folder that has the package as npm installs it. */
export async function stackOf(project: Project, environment: NodeJS.ProcessEnv): Promise<Stack> {
  const { files, prepare, isUp } = project;
  // The settings of stacks in tests must not decide whether types are checked.
  const own = { PULUMI_NODEJS_TRANSPILE_ONLY: "", ...environment, ...project.environment };
  const stack = await Stack.create({ text: "" }, own);
  const write = (name: string, text: string) => writeFile(path.join(stack.folder, name), text);
  await write("tsconfig.json", withoutChecks);
  for (const [name, text] of Object.entries(files)) await write(name, text);
  await stack.linkPackage();
  await prepare?.(stack);
  if (isUp) succeeded(await stack.up());
  return stack;
}

/** It is no dependency of this package, so it is installed only here. */
async function installSwc(stack: Stack): Promise<void> {
  const folder = await stack.execute("npm", ["install", "--no-save", "--no-audit", "--prefix", ".swc", "@swc/core@1"]);
  if (folder.status !== 0) throw new Error("@swc/core could not be installed");
  const installed = path.join(stack.folder, ".swc", "node_modules", "@swc");
  await symlink(installed, path.join(stack.folder, "node_modules", "@swc"));
}
