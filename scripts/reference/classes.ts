import path from "node:path";
import { root } from "./declarations";
import type { Resource } from "./resources";

const folder = path.join(root, "provider", "hosts", "dynamic");
const header = "// Made by `npm run reference` from provider/definitions.ts and the doc comments of the definitions.\n";

/** Source of the classes for programs of the dynamic host, each with the doc comment of its definition. */
export function classesFile(resources: readonly Resource[]): string {
  return [
    header,
    typesOf(resources),
    'import { resourceClass } from "./resource-class";\n',
    "\n// Loaded with the first resource of the class: most programs use few of the classes.\n",
    ...resources.map(definitionOf),
    ...resources.map((resource) => classOf(resource, "resourceClass", `"${resource.name}", ${nameOf(resource)}`)),
  ].join("");
}

/** Source of the classes for programs that use the provider plugin: they only know the names of the properties. */
export function pluginClassesFile(resources: readonly Resource[]): string {
  return [
    header,
    typesOf(resources),
    'import { pluginResourceClass } from "./resource-class";\n',
    ...resources.map((resource) => {
      const { inputs, outputs } = resource.definition;
      const names = { name: resource.name, inputs: Object.keys(inputs.shape), outputs: Object.keys(outputs.shape) };
      return classOf(resource, "pluginResourceClass", JSON.stringify(names));
    }),
  ].join("");
}

const typesOf = (resources: readonly Resource[]): string =>
  `import type { ${resources.map(({ name }) => `${name}Inputs, ${name}Outputs`).join(", ")} } from "../../program/arguments";\n`;

const nameOf = ({ name }: Resource): string => name.replace(/^./, (first) => first.toLowerCase());

function definitionOf(resource: Resource): string {
  const module = `"${path.relative(folder, resource.file).replace(/\.ts$/, "")}"`;
  const name = nameOf(resource);
  return `const ${name} = () => (require(${module}) as typeof import(${module})).${name};\n`;
}

function classOf({ name, comment }: Resource, factory: string, argument: string): string {
  const base = `${factory}<${name}Inputs, ${name}Outputs>(${argument})`;
  return `\n${comment}\nexport class ${name} extends ${base} {}\n`;
}

/** Source of the names of the resources, for code and type declarations that do not load the definitions and their schemas. */
export function namesFile(resources: readonly Resource[]): string {
  const names = resources.map(({ name }) => JSON.stringify(name));
  return [
    "// Made by `npm run reference` from provider/definitions.ts.\n",
    `export const resourceNames = [${names.join(", ")}] as const;\n`,
    "/** Name of a resource: the name of its class. */",
    "export type ResourceName = (typeof resourceNames)[number];\n",
  ].join("\n");
}
