import path from "node:path";
import type { z } from "zod";
import { root } from "./declarations";
import { required } from "./description";
import { comment, importsFor, interfaceText } from "./interfaces";
import type { Reading } from "./resources";
import { typeText } from "./type-text";

const folder = path.join(root, "provider", "hosts", "dynamic");

/** Source of the functions with which programs read the live organization, with the types of their arguments. */
export function functionsFile(readings: readonly Reading[]): string {
  const texts = readings.map(functionsOf).join("\n");
  const functions = readings.map(({ name }) => name);
  return [
    "// Made by `npm run reference` from provider/lookups/index.ts and the doc comments of the lookups.\n",
    'import type { Output } from "@pulumi/pulumi";\n',
    ...readings.map(({ name, file, local }) => `import { ${local} as ${lookupOf(name)} } from "${moduleOf(file)}";\n`),
    'import type { ProviderOption } from "./lookups/by-provider";\n',
    'import type { LookupOptions } from "./lookups/dependencies";\n',
    'import { ask, askLater } from "./lookups/lookup";\n',
    'import type { Arguments } from "./resource-class";\n',
    importsFor(texts.replace(new RegExp(`\\b(${functions.join("|")})\\b`, "g"), "")),
    "\n",
    texts,
  ].join("");
}

const moduleOf = (file: string): string => path.relative(folder, file).replace(/\.ts$/, "");
/** The lookup beside the function of the same name. */
const lookupOf = (name: string): string => `${name}Lookup`;

function functionsOf({ name, comment: doc, lookup }: Reading): string {
  const type = `${name.replace(/^./, (first) => first.toUpperCase())}`;
  const [args, result] = [`${type}Args`, `${type}Result`];
  const preset = hasOptionalOnly(lookup.arguments) ? " = {}" : "";
  return [
    interfaceText(args, lookup.arguments),
    `${comment(lookup.result.description ?? "")}export type ${result} = ${typeText(lookup.result)};\n`,
    `${doc.replace(/\n \*\n \* @internal(?=\n)/, "")}
export function ${name}(args: ${args}${preset}, options?: ProviderOption): Promise<${result}> {
  return ask(${lookupOf(name)}, args, options);
}\n`,
    `/** {@link ${name}} where arguments are outputs of resources. */
export function ${name}Output(args: Arguments<${args}>${preset}, options?: LookupOptions): Output<${result}> {
  return askLater(${lookupOf(name)}, args, options);
}\n`,
  ].join("\n");
}

const hasOptionalOnly = ({ shape }: z.ZodObject): boolean =>
  Object.values(shape).every((property) => required(property as z.ZodType) !== property);
