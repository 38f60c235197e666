// npm run readme: writes the review of the example into README.md, as docs-org preview shows it.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { compile } from "./compiled";
import { readmeWithReview } from "./pages/readme";
import { root } from "./stack";

async function main(): Promise<void> {
  await compile();
  writeFileSync(path.join(root, "README.md"), await readmeWithReview());
}

main();
