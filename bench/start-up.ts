import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { startEmulator } from "../provider/emulator";
import { projectFiles } from "../provider/export/project";
import type { HostName } from "../provider/run/urn";
import { root, Stack } from "../scripts/stack";
import { OrganizationFolder, organizationId, seed } from "./folder";
import { grouped, median } from "./numbers";
import type { Verdict } from "./verdicts";

const runs = 9;

/** Maximum time of a preview, divided by the time of a preview of an empty JavaScript program. */
const ratios = {
  "a site through the dynamic host, before the first up": 1.45,
  "a site through the dynamic host, after the first up": 1.45,
  "a site through the plugin": 1.3,
  "docs-org preview of an organization with 50 people": 1.3,
} as const;

/** Maximum milliseconds of commands that do not start the engine. */
const limits = { "docs-org review of a saved preview": 400, "docs-org --help": 100 } as const;

/** Maximum milliseconds for loading a module after the SDK. */
const loads = { "pulumi-docs-org": 60, "pulumi-docs-org/plugin": 60, "pulumi-docs-org/runtime": 120 } as const;

type Timed = keyof typeof ratios | keyof typeof limits | "empty";

/** Measures what a start takes: of previews, of commands and of modules. */
export async function startUp(): Promise<Verdict[]> {
  const emulator = await startEmulator({ seed, organizationId });
  const settings = { DOCS_BASE_URL: emulator.url, DOCS_TOKEN: emulator.token, DOCS_ORGANIZATION_ID: organizationId };
  const folder = await OrganizationFolder.create(settings);
  const stacks = await stacksOf(settings);
  const saved = await folder.savePreview();
  const { empty, before, after, plugin } = stacks;
  try {
    const times = await inTurns({
      empty: () => preview(empty),
      "a site through the dynamic host, before the first up": () => preview(before),
      "a site through the dynamic host, after the first up": () => preview(after),
      "a site through the plugin": () => preview(plugin),
      "docs-org preview of an organization with 50 people": () => folder.docsOrg("preview"),
      "docs-org review of a saved preview": () => folder.docsOrg("review", saved),
      "docs-org --help": () => folder.docsOrg("--help"),
    });
    return [...verdictsOf(times), ...(await loadVerdicts())];
  } finally {
    for (const stack of Object.values(stacks)) await stack.remove();
    await folder.remove();
    await emulator.close();
  }
}

function verdictsOf(times: Readonly<Record<Timed, number>>): Verdict[] {
  const ratioOf = ([what, most]: [string, number]) => {
    const found = times[what as Timed] / times.empty;
    const bound = `${most} x an empty program (${grouped(times.empty)} ms)`;
    return { what, found: `${found.toFixed(2)} x`, bound, holds: found <= most };
  };
  return [
    ...Object.entries(ratios).map(ratioOf),
    ...Object.entries(limits).map(([what, most]) => inMilliseconds(what, times[what as Timed], most)),
  ];
}

const inMilliseconds = (what: string, found: number, most: number): Verdict => ({
  what,
  found: `${grouped(found)} ms`,
  bound: `${most} ms`,
  holds: found <= most,
});

/** The median of each work in milliseconds. The works take turns, so that the load of the machine is the same for all. */
async function inTurns(works: Readonly<Record<Timed, () => Promise<unknown>>>): Promise<Record<Timed, number>> {
  const names = Object.keys(works) as Timed[];
  const times = new Map<Timed, number[]>(names.map((name) => [name, []]));
  // Without measuring: the first preview fills caches that later ones find.
  for (const name of names) await works[name]();
  for (let run = 1; run <= runs; run++) {
    for (const name of names) {
      const begun = performance.now();
      await works[name]();
      times.get(name)?.push(performance.now() - begun);
    }
  }
  return Object.fromEntries([...times].map(([name, all]) => [name, median(all)])) as Record<Timed, number>;
}

/** Measures how long loading a module after the SDK takes: the fastest of several processes. */
async function loadVerdicts(): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const [module, most] of Object.entries(loads)) {
    const script = `
require("pulumi-docs-org/start");
require("@pulumi/pulumi");
const begun = performance.now();
require("${module}");
console.log(performance.now() - begun);`;
    const times: number[] = [];
    for (let run = 0; run < runs; run++) {
      const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], { cwd: root });
      times.push(Number(stdout));
    }
    verdicts.push(inMilliseconds(`require("${module}") after the SDK`, Math.min(...times), most));
  }
  return verdicts;
}

/** What `docs-org export` writes, with one site. */
function project(host: HostName, title: string): Readonly<Record<string, string>> {
  const target = { host, format: "resources" } as const;
  const program = { name: "docs-org-test", target, organization: { organization: "acme" } } as const;
  const module = host === "plugin" ? "pulumi-docs-org/plugin" : "pulumi-docs-org";
  const text = `import * as docs from "${module}";\nnew docs.Site("handbook", { title: "${title}", published: true });\n`;
  return { ...Object.fromEntries(projectFiles({ ...program, children: [] })), "index.ts": text };
}

async function stacksOf(settings: NodeJS.ProcessEnv) {
  const yaml = "name: docs-org-test\nruntime: nodejs\nmain: index.js\n";
  const empty = await stackOf({ "Pulumi.yaml": yaml, "index.js": "" }, settings);
  // All stacks have one organization, where a second site with the same title would be refused.
  const before = await stackOf(project("dynamic", "Before"), settings);
  const after = await stackOf(project("dynamic", "After"), settings);
  const plugin = await stackOf(project("plugin", "Plugin"), settings);
  const { status, output } = await after.up();
  if (status !== 0) throw new Error(output);
  return { empty, before, after, plugin };
}

/** A stack with exactly these files, in a folder that has the package as npm installs it. */
async function stackOf(files: Readonly<Record<string, string>>, settings: NodeJS.ProcessEnv): Promise<Stack> {
  // The settings of stacks in tests must not decide whether types are checked.
  const stack = await Stack.create({ text: "" }, { PULUMI_NODEJS_TRANSPILE_ONLY: "", ...settings });
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(stack.folder, name), text);
  await stack.linkPackage();
  return stack;
}

async function preview(stack: Stack): Promise<void> {
  const { status, output } = await stack.preview();
  if (status !== 0) throw new Error(output);
}
