// npm run reference: writes the pages in docs/reference and the interfaces of the resources.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "./reference/declarations";
import { pages, referenceFiles } from "./reference/files";

const files = referenceFiles();
const folder = path.join(root, pages);
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) if (!files.has(path.join(pages, name))) rmSync(path.join(folder, name));
for (const [file, text] of files) {
  writeFileSync(path.join(root, file), text);
  console.log(file);
}
