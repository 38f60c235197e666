import path from "node:path";
import { root } from "./declarations";
import type { Resource } from "./resources";

const folder = path.join(root, "provider", "hosts", "dynamic");
const header = "// Made by `npm run reference` from provider/definitions.ts and the doc comments of the definitions.\n";

/** Source of the classes for programs of the dynamic host, each with the doc comment of its definition. */
export function classesFile(resources: readonly Resource[]): string {
  return [
    header,
    ...resources.map(({ name, file }) => `import { ${definitionOf(name)} } from "${moduleOf(file)}";\n`),
    typesOf(resources, "./arguments"),
    'import { resourceClass } from "./resource-class";\n',
    ...resources.map((resource) => classOf(resource, definitionOf(resource.name))),
  ].join("");
}

/** Source of the classes for programs that use the provider plugin: they only know the names of the properties. */
export function pluginClassesFile(resources: readonly Resource[]): string {
  return [
    header,
    typesOf(resources, "../dynamic/arguments"),
    'import { resourceClass } from "./resource-class";\n',
    ...resources.map((resource) => {
      const { inputs, outputs } = resource.definition;
      const names = { name: resource.name, inputs: Object.keys(inputs.shape), outputs: Object.keys(outputs.shape) };
      return classOf(resource, JSON.stringify(names));
    }),
  ].join("");
}

const typesOf = (resources: readonly Resource[], module: string): string =>
  `import type { ${resources.map(({ name }) => `${name}Inputs, ${name}Outputs`).join(", ")} } from "${module}";\n`;

const definitionOf = (name: string): string => name.replace(/^./, (first) => first.toLowerCase());
const moduleOf = (file: string): string => path.relative(folder, file).replace(/\.ts$/, "");

function classOf({ name, comment }: Resource, argument: string): string {
  const doc = comment.replace(/\n \*\n \* @internal(?=\n)/, "");
  const base = `resourceClass<${name}Inputs, ${name}Outputs>(${argument})`;
  return `\n${doc}\nexport class ${name} extends ${base} {}\n`;
}
