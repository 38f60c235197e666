// A step of `npm run build`: files with the modules of the package, one file for each entry, and the provider plugin.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const { version, exports: entries, bin } = JSON.parse(readFileSync("package.json", "utf8"));
const command = path.posix.normalize(bin["docs-org"]);
/** What Node.js loads: the entries, the command, and what dynamic-host/ starts. */
const files = [
  ...Object.values(entries).flatMap((entry) => entry.default ?? []),
  command,
  "dist/start/dynamic-provider.js",
].map(path.posix.normalize);
const sourceOf = (file) => file.replace(/^dist/, "provider").replace(/\.js$/, ".ts");

const common = {
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  legalComments: "none",
  logLevel: "warning",
};

/** Modules of packages that the plugin never uses, a fifth of its size: other languages, and other ways to send requests. */
const unused = [
  [/zod.v4.locales.index\.c?js$/, 'export { default as en } from "./en.js";'],
  [/undici.lib.web.cache.cachestorage\.js$/, "exports.CacheStorage = class {};"],
  [/undici.lib.(cache|interceptor|mock|web.(cookies|eventsource|fetch.index|websocket))\b/, ""],
];
const withoutUnused = {
  name: "without unused",
  setup({ onLoad }) {
    for (const [filter, contents] of unused) onLoad({ filter }, () => ({ contents }));
  },
};

const all = await analyzed(files.map(sourceOf));
const parts = partsOf(all);
for (const name of new Set(parts.values())) await bundlePart(name);
for (const file of files) writeEntry(file);
await bundlePlugin();

/** The modules that these lead to, with what each imports and exports. */
async function analyzed(entryPoints) {
  const { metafile } = await build({
    ...common,
    format: "esm",
    packages: "external",
    entryPoints,
    outdir: "dist",
    metafile: true,
    write: false,
  });
  const exported = Object.values(metafile.outputs).map(({ entryPoint, exports }) => [entryPoint, exports]);
  return { inputs: metafile.inputs, exported: new Map(exported) };
}

/**
 * The name of the file in dist/shared for each module. Node.js also needs time for code that it loads and does not run, so a file
 * has the modules that are needed together. A module is in the file of the first group that has it.
 */
function partsOf({ inputs }) {
  const [dynamic, plugin] = [["provider/index.ts", "provider/hosts/dynamic/runtime.ts"], "provider/plugin-program.ts"];
  const reachedBy = (sources, isFollowed) => {
    const reached = new Set();
    const visit = (source) => {
      if (reached.has(source)) return;
      reached.add(source);
      for (const { path, kind, external } of inputs[source].imports) if (!external && isFollowed(kind)) visit(path);
    };
    sources.forEach(visit);
    return [...reached];
  };
  // The other imports, such as calls of require, load a module later, when a function needs it.
  const loadedWith = (...sources) => reachedBy(sources, (kind) => kind === "import-statement");
  const groups = {
    start: loadedWith("provider/start/index.ts", "provider/start/dynamic-provider.ts"),
    command: loadedWith(sourceOf(command)),
    plugin: loadedWith(plugin),
    dynamic: loadedWith(...dynamic),
    resources: reachedBy([...dynamic, plugin], () => true),
    tools: Object.keys(inputs),
  };
  const parts = new Map();
  for (const [name, sources] of Object.entries(groups)) {
    for (const source of sources) if (!parts.has(source)) parts.set(source, name);
  }
  return parts;
}

/** A module runs when another one needs it, as if it had a file. Names are kept, because stacks show them. */
async function bundlePart(name) {
  const sources = [...parts.keys()].filter((source) => parts.get(source) === name);
  const table = sources.map((source) => `"${source}": () => require("./${source}"),`);
  await build({
    ...common,
    packages: "external",
    stdin: { contents: `module.exports = {\n${table.join("\n")}\n};`, resolveDir: "." },
    outfile: `dist/shared/${name}.js`,
    minifyWhitespace: true,
    // Node.js shows the line of an error that nothing catches.
    lineLimit: 120,
    plugins: [otherPartsOf(name)],
  });
}

/** Takes modules of other parts from their files. */
function otherPartsOf(name) {
  const setup = ({ onResolve, onLoad }) => {
    onResolve({ filter: /^\./, namespace: "file" }, ({ path: original, importer }) => {
      if (importer === "<stdin>") return undefined;
      const { imports } = all.inputs[path.relative(".", importer).replaceAll(path.sep, "/")];
      const { path: source } = imports.find((one) => one.original === original);
      return parts.get(source) === name ? undefined : { path: source, namespace: "other" };
    });
    onResolve({ filter: /^\./, namespace: "other" }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /^/, namespace: "other" }, ({ path }) => ({
      contents: `module.exports = require("./${parts.get(path)}.js")["${path}"]();`,
    }));
  };
  return { name: "other parts", setup };
}

function writeEntry(file) {
  const source = sourceOf(file);
  const part = path.relative(path.dirname(file), `dist/shared/${parts.get(source)}.js`);
  const names = all.exported.get(source).filter((name) => name !== "default");
  const namesForImports = [
    "// Modules of ECMAScript find the names here, without running the file.",
    `0 && (module.exports = { ${names.join(", ")} });`,
  ];
  const lines = [
    ...(file === command ? ["#!/usr/bin/env node"] : []),
    `module.exports = require("./${part}")["${source}"]();`,
    ...(names.length === 0 ? [] : namesForImports),
  ];
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join("\n")}\n`);
}

/** The plugin starts fast, and needs no packages. */
async function bundlePlugin() {
  const smallest = { ...common, minify: true };
  await build({
    ...smallest,
    entryPoints: ["provider/plugin.ts"],
    outfile: "plugin/provider.js",
    keepNames: true,
    define: { PACKAGE_VERSION: JSON.stringify(version) },
    plugins: [withoutUnused],
  });
  const hash = createHash("sha256").update(readFileSync("plugin/provider.js")).digest("hex").slice(0, 16);
  await build({
    ...smallest,
    entryPoints: ["provider/start/plugin.ts"],
    outfile: "plugin/index.js",
    define: { BUNDLE_HASH: JSON.stringify(hash) },
  });
}
