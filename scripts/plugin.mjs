// npm run build:plugin: bundles the provider plugin into one file, so that it starts fast and needs no packages.
import { readFileSync } from "node:fs";
import { build } from "esbuild";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
// Without the line breaks of the committed file.
const schema = JSON.stringify(JSON.parse(readFileSync("plugin/schema.json", "utf8")));

await build({
  entryPoints: ["provider/plugin.ts"],
  outfile: "plugin/index.js",
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  minify: true,
  keepNames: true,
  legalComments: "none",
  define: { PACKAGE_VERSION: JSON.stringify(version), PACKAGE_SCHEMA: JSON.stringify(schema) },
  logLevel: "warning",
});
