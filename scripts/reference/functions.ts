import { z } from "zod";
import { capitalized } from "../package-schema/types";
import { comment, importsFor, interfaceText } from "./interfaces";
import type { Reading } from "./resources";
import { typeText } from "./type-text";

/** Source of the functions with which programs read the live organization, with the types of their arguments. */
export function functionsFile(readings: readonly Reading[]): string {
  const texts = readings.map(functionsOf).join("\n");
  // A type may have the name of a function, whose use is no reason to import the type.
  const withoutFunctions = texts.replace(new RegExp(`\\b(${readings.map(({ name }) => name).join("|")})\\b`, "g"), "");
  return [
    "// Made by `npm run reference` from provider/lookups/index.ts and the doc comments of the lookups.\n",
    'import type { Output } from "@pulumi/pulumi";\n',
    'import type { LookupOptions, ProviderOption } from "./after-resources";\n',
    'import { loadAsk, loadLookups } from "./late";\n',
    'import type { Arguments } from "./types";\n',
    importsFor(withoutFunctions, "./service-types"),
    "\n",
    texts,
  ].join("");
}

function functionsOf({ name, comment: doc, lookup }: Reading): string {
  const type = capitalized(name);
  const [args, result] = [`${type}Args`, `${type}Result`];
  const defaultArgs = hasOptionalOnly(lookup.arguments) ? " = {}" : "";
  return [
    interfaceText(args, lookup.arguments),
    `${comment(lookup.result.description ?? "")}export type ${result} = ${typeText(lookup.result)};\n`,
    `${doc}
export function ${name}(args: ${args}${defaultArgs}, options?: ProviderOption): Promise<${result}> {
  return loadAsk().ask(loadLookups().${name}, args, options);
}\n`,
    `/** {@link ${name}} where arguments are outputs of resources. */
export function ${name}Output(args: Arguments<${args}>${defaultArgs}, options?: LookupOptions): Output<${result}> {
  return loadAsk().askLater(loadLookups().${name}, args, options);
}\n`,
  ].join("\n");
}

const hasOptionalOnly = ({ shape }: z.ZodObject): boolean =>
  Object.values(shape).every((property) => property instanceof z.ZodOptional);
