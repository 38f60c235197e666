import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../../scripts/stack";

const folder = path.join(root, "docs", "reference");

/** The program in a language on each page of the reference, by the name of the page. */
export function examplesIn(language: "Python" | "Go" | "YAML"): Map<string, string> {
  const block = new RegExp(`^### ${language}\\n\\n\`\`\`\\w+\\n([\\s\\S]*?)^\`\`\`$`, "m");
  const found = readdirSync(folder).flatMap((file) => {
    const text = block.exec(readFileSync(path.join(folder, file), "utf8"))?.[1];
    return text === undefined ? [] : [[path.basename(file, ".md").replaceAll("-", "_"), text] as const];
  });
  return new Map(found);
}

/** The files that the examples read. */
export const read = { "sign-in.pem": "certificate" };
