import path from "node:path";
import { root } from "./declarations";
import type { Resource } from "./resources";

const folder = path.join(root, "provider", "hosts", "dynamic");

/** Source of the classes for programs, each with the doc comment of its definition. */
export function classesFile(resources: readonly Resource[]): string {
  return [
    "// Made by `npm run reference` from provider/definitions.ts and the doc comments of the definitions.\n",
    ...resources.map(({ name, file }) => `import { ${definitionOf(name)} } from "${moduleOf(file)}";\n`),
    `import type { ${resources.map(({ name }) => `${name}Inputs, ${name}Outputs`).join(", ")} } from "./arguments";\n`,
    'import { resourceClass } from "./resource-class";\n',
    ...resources.map(classOf),
  ].join("");
}

const definitionOf = (name: string): string => name.replace(/^./, (first) => first.toLowerCase());
const moduleOf = (file: string): string => path.relative(folder, file).replace(/\.ts$/, "");

function classOf({ name, comment }: Resource): string {
  const doc = comment.replace(/\n \*\n \* @internal(?=\n)/, "");
  const base = `resourceClass<${name}Inputs, ${name}Outputs>(${definitionOf(name)})`;
  return `\n${doc}\nexport class ${name} extends ${base} {}\n`;
}
