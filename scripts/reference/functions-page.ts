import type { z } from "zod";
import { snake } from "../package-schema/examples/python";
import { tokenOf } from "../package-schema/spec";
import { capitalized } from "../package-schema/types";
import { descriptionOf, unwrapped } from "./description";
import { table, typeIn } from "./page";
import { propertiesOf, type Reading } from "./resources";
import { typeText } from "./type-text";

/** The page of the functions with which programs read the live organization. */
export function functionsPage(readings: readonly Reading[]): string {
  const parts = [
    "# Functions",
    "Functions read the live organization while a program runs. Each has an `Output` form, which accepts outputs of resources.",
    "In TypeScript, a function that lists returns a list. In other languages, and in the plugin's protocol, it returns an object whose property `items` is the list. A secret argument makes the result a secret.",
    ...readings.map(partOf),
  ];
  return `${parts.join("\n\n")}\n`;
}

function partOf({ name, summary, lookup }: Reading): string {
  const rows = propertiesOf(lookup.arguments).map(([key, property]) => [
    `\`${key}\``,
    `\`${typeIn(property)}\``,
    unwrapped(property) === property ? "_required_" : "",
    descriptionOf(property),
  ]);
  return [
    `## ${name}`,
    summary,
    table(["argument", "type", "", "what it is"], rows),
    [`It returns \`${typeText(lookup.result)}\`.`, lookup.result.description ?? ""].join(" ").trim(),
    callsOf(name, lookup.arguments),
  ].join("\n\n");
}

/** Only the names: the table of the arguments has their types. */
const goArguments = (name: string, needed: readonly string[]): string =>
  needed.length === 0
    ? "nil"
    : `&docs.${capitalized(name)}Args{${needed.map((key) => `${capitalized(key)}: ${key}`).join(", ")}}`;

/** How the function is called in each language, with its required arguments. */
function callsOf(name: string, args: z.ZodObject): string {
  const needed = propertiesOf(args)
    .filter(([, property]) => unwrapped(property) === property)
    .map(([key]) => key);
  const object = needed.length === 0 ? "" : `{ ${needed.join(", ")} }`;
  const valuesInYaml = needed.map((key) => `${key}: ...`).join(", ");
  const inYaml = needed.length === 0 ? "" : `, arguments: { ${valuesInYaml} }`;
  const rows = [
    ["TypeScript", `docs.${name}Output(${object})`],
    ["Python", `docs.${snake(name)}_output(${needed.map((key) => `${snake(key)}=${snake(key)}`).join(", ")})`],
    ["Go", `docs.${capitalized(name)}(ctx, ${goArguments(name, needed)})`],
    ["YAML", `fn::invoke: { function: ${tokenOf(name)}${inYaml} }`],
  ];
  return table(
    ["language", "call"],
    rows.map(([language = "", call]) => [language, `\`${call}\``]),
  );
}
