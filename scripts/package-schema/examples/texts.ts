import { packageNames } from "../names";
import type { PackageSpec } from "../spec";
import type { Example } from "./example";
import { goText } from "./go";
import { pythonText } from "./python";
import { yamlText } from "./yaml";

export type ExampleLanguage = "typescript" | "python" | "go" | "yaml";

/** The same example in every language. */
export function exampleTexts(spec: PackageSpec, example: Example): Record<ExampleLanguage, string> {
  const imported = `import * as docs from ${JSON.stringify(packageNames.typescript)};`;
  const { typescript } = example;
  return {
    typescript: `${imported}\n${typescript.startsWith("import") ? "" : "\n"}${typescript}`,
    python: pythonText(spec, example),
    go: goText(spec, example),
    yaml: yamlText(example),
  };
}
