import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import { proseOf } from "../../scripts/pages/page";
import { root } from "../../scripts/stack";

const run = promisify(execFile);

interface Packed {
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly mode: number; readonly size: number }[];
}

let packed: Packed;
let files: string[];
beforeAll(async () => {
  const pack = ["pack", "--json", "--dry-run", "--ignore-scripts", "--loglevel", "error"];
  const { stdout } = await run("npm", pack, { cwd: root, maxBuffer: 2 ** 24 });
  [packed] = JSON.parse(stdout.slice(stdout.indexOf("[\n"))) as [Packed];
  files = packed.files.map((file) => file.path);
});

const wanted = [
  /^dist\/.*\.(js|d\.ts)$/,
  /^docs\/.*\.md$/,
  /^examples\/.*\.(ts|py|json|yaml|yml|md|sh|pem)$/,
  /^plugin\/((index|provider)\.js|schema\.json|pulumi-resource-docs(\.cmd)?)$/,
  /^dynamic-host\/pulumi-resource-pulumi-nodejs(\.cmd)?$/,
  /^(package\.json|organization\.schema\.json|README\.md|CHANGELOG\.md|SECURITY\.md|LICENSE)$/,
];

it("has what is needed and nothing else, in at most 250 files and 5 MB", () => {
  expect(files.filter((file) => !wanted.some((pattern) => pattern.test(file)))).toEqual([]);
  for (const pattern of wanted) expect(files.filter((file) => pattern.test(file))).not.toEqual([]);
  expect(files.length).toBeLessThanOrEqual(250);
  expect(packed.size).toBeLessThan(1_300_000);
  expect(packed.unpackedSize).toBeLessThan(5_000_000);
});

it("has the types of every entry, in at most 1.5 MB", async () => {
  const { exports } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8")) as { exports: object };
  const types = Object.values(exports).flatMap((entry: { types?: string }) => entry.types ?? []);
  expect(types.length).toBeGreaterThan(0);
  expect(types.map((file) => path.normalize(file)).filter((file) => !files.includes(file))).toEqual([]);
  const declarations = packed.files.filter((file) => file.path.endsWith(".d.ts"));
  expect(declarations.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(1_500_000);
});

it("has the files that its pages link to", () => {
  const pages = files.filter((file) => file.endsWith(".md"));
  const links = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)].map(([, link = ""]) => ({
      page,
      target: path.join(path.dirname(page), link),
    })),
  );
  expect(links.length).toBeGreaterThan(150);
  expect(links.filter(({ target }) => !files.some((file) => `${file}/`.startsWith(`${target}/`)))).toEqual([]);
});

it("can start its command and its plugin", () => {
  const mode = (name: string) => packed.files.find((file) => file.path === name)?.mode;
  expect(mode("plugin/pulumi-resource-docs")).toBe(0o755);
  expect(mode("dynamic-host/pulumi-resource-pulumi-nodejs")).toBe(0o755);
  expect(files).toContain("dist/cli/index.js");
});

const entries: Readonly<Record<string, string>> = {
  "pulumi-docs-org": "Site",
  "pulumi-docs-org/plugin": "Provider",
  "pulumi-docs-org/client": "createClient",
  "pulumi-docs-org/emulator": "startEmulator",
  "pulumi-docs-org/review": "reviewOf",
  "pulumi-docs-org/testing": "mockOrganization",
};

it("works in programs of ECMAScript modules and of CommonJS", async () => {
  const names = Object.entries(entries);
  const module = names.map(([entry, name], nth) => `import { ${name} as _${nth} } from "${entry}";`);
  const kinds = `console.log([${names.map((_, nth) => `typeof _${nth}`)}].join());`;
  const common = names.map(([entry, name], nth) => `const { ${name}: _${nth} } = require("${entry}");`);
  const programs = [
    ["--input-type=module", "-e", [...module, kinds].join("\n")],
    ["--input-type=commonjs", "-e", [...common, kinds].join("\n")],
  ];
  const printed = await Promise.all(programs.map((args) => run(process.execPath, args, { cwd: root })));
  const functions = names.map(() => "function").join();
  expect(printed.map(({ stdout }) => stdout.trim())).toEqual([functions, functions]);
});
