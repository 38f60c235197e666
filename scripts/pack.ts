// Packs the package for the linters of `npm run check:package`, without compiling it again.
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync } from "node:fs";
import path from "node:path";
import { compile } from "./compiled";
import { root } from "./stack";

const folder = path.join(root, "node_modules", ".cache", "pulumi-docs-org");

async function main(): Promise<void> {
  await compile();
  mkdirSync(folder, { recursive: true });
  const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const [packed] = JSON.parse(execFileSync("npm", pack, { cwd: root, encoding: "utf8" }));
  renameSync(path.join(folder, packed.filename), path.join(folder, "package.tgz"));
}

main();
