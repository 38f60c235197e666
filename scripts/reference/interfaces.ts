import type { z } from "zod";
import { organizationFile } from "../../provider/organization/sections/schema";
import { descriptionOf } from "./description";
import { propertiesOf, type Resource } from "./resources";
import { namedIn, propertyText } from "./type-text";

/** Source of the interfaces of all resources, which editors show. */
export function interfacesFile(resources: readonly Resource[]): string {
  const texts = resources.map(interfacesOf).join("\n");
  return [
    "// Made by `npm run reference` from the schemas of the resources.\n",
    importsFor(texts, "./service-types"),
    'import type { Arguments } from "./types";\n\n',
    texts,
  ].join("");
}

/** Source of the interface of `organization.yaml`, for programs that declare the organization as an object. */
export function organizationInterface(): string {
  const text = interfaceText("OrganizationFile", organizationFile);
  return `// Made by \`npm run reference\` from the schema of the file.\n${importsFor(text, "../../program/service-types")}\n/** An organization: what its file may hold. */\n${text}`;
}

export const importsFor = (text: string, module: string): string =>
  namedIn(text)
    .map(({ name }) => `import type { ${name} } from "${module}";\n`)
    .join("");

function interfacesOf({ name, definition: { inputs, outputs } }: Resource): string {
  const args = `export type ${name}Args = Arguments<${name}Inputs>;\n`;
  return [
    `${comment(`Properties of \`${name}\` that a program can declare.`)}${interfaceText(`${name}Inputs`, inputs)}`,
    `${comment(`Arguments of \`${name}\`: each value is plain, or an output of another resource.`)}${args}`,
    `${comment(`Outputs of \`${name}\` in addition to its inputs.`)}${interfaceText(`${name}Outputs`, outputs)}`,
  ].join("\n");
}

export function interfaceText(name: string, object: z.ZodObject): string {
  const documented = (property: z.ZodType) => comment(descriptionOf(property));
  const properties = propertiesOf(object).map(([key, property]) => propertyText(key, property, documented));
  if (properties.length === 0) return `export type ${name} = Record<never, never>;\n`;
  return `export interface ${name} {\n${properties.join(";\n\n")};\n}\n`;
}

/** A doc comment whose lines have at most 115 characters, before the formatter indents them. */
export function comment(text: string): string {
  if (text === "") return "";
  const safe = text.replaceAll("*/", "*\\/");
  return safe.length < 108 ? `/** ${safe} */\n` : `/**\n * ${wrapped(safe).join("\n * ")}\n */\n`;
}

/** Wraps a text; code in backticks is not broken. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.match(/(?:`[^`]*`|[^\s`])+/g) ?? []) {
    const longer = [...lines.slice(-1), word].join(" ");
    if (lines.length > 0 && longer.length <= 112) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
