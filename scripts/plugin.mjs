// npm run build:plugin: bundles the provider plugin into one file, so that it starts fast and needs no packages.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { build } from "esbuild";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
// Without the line breaks of the committed file.
const schema = JSON.stringify(JSON.parse(readFileSync("plugin/schema.json", "utf8")));

const common = {
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
};

await build({
  ...common,
  entryPoints: ["provider/plugin.ts"],
  outfile: "plugin/provider.js",
  keepNames: true,
  define: { PACKAGE_VERSION: JSON.stringify(version), PACKAGE_SCHEMA: JSON.stringify(schema) },
});

const hash = createHash("sha256").update(readFileSync("plugin/provider.js")).digest("hex").slice(0, 16);
await build({
  ...common,
  entryPoints: ["provider/start/plugin.ts"],
  outfile: "plugin/index.js",
  define: { BUNDLE_HASH: JSON.stringify(hash) },
});
