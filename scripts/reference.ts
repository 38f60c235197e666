// npm run reference: writes the pages in docs/reference and the interfaces of the resources.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "./reference/declarations";
import { differencesPage, pages, referenceFiles } from "./reference/files";

const files = referenceFiles();
const folder = path.join(root, pages);
mkdirSync(folder, { recursive: true });
const found = readdirSync(folder).map((name) => path.join(pages, name));
// Another script writes the page of the differences.
for (const file of found) if (file !== differencesPage && !files.has(file)) rmSync(path.join(root, file));
for (const [file, text] of files) {
  writeFileSync(path.join(root, file), text);
  console.log(file);
}
