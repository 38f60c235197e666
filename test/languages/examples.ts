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

/** The files of a folder of `examples`, by name. */
export function filesOfExample(name: string): Record<string, string> {
  const place = path.join(root, "examples", name);
  return Object.fromEntries(readdirSync(place).map((file) => [file, readFileSync(path.join(place, file), "utf8")]));
}

/** The files that the examples of the reference read. */
export const read = { "sign-in.pem": "certificate" };
