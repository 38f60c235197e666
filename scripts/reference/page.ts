import type { z } from "zod";
import type { AnyDefinition } from "../../provider/lifecycle/definition";
import { exampleIn } from "../package-schema/examples/example";
import { type ExampleLanguage, exampleTexts } from "../package-schema/examples/texts";
import { type PackageSpec, tokenOf } from "../package-schema/spec";
import { oneLine } from "./declarations";
import { descriptionOf, unwrapped } from "./description";
import { formatted } from "./formatted";
import { pathsOf, propertiesOf, type Resource } from "./resources";
import { namedIn, spelledOut, typeText } from "./type-text";

export function pageOf(resource: Resource, schema: PackageSpec): string {
  const { name, summary, tags, definition } = resource;
  const sections = [
    `# ${name}`,
    summary,
    ...section("Example", exampleOf(tags.get("example"))),
    ...examplesWithPlugin(resource, schema),
    ...section("Inputs", inputsOf(definition.inputs)),
    ...(definition.atPreview ? [askedAtPreview] : []),
    ...section("Outputs", outputsOf(definition)),
    ...section("Types", typesOf(definition.inputs)),
    ...section("Drift", driftsOf(definition.inputs)),
    ...section("Id, import and destroy", idOf(name, tags.get("remarks"))),
  ];
  return `${sections.join("\n\n")}\n`;
}

const askedAtPreview =
  "With the plugin, the preview asks the service whether the declared person, team or site exists, and refuses what the `up` would refuse; " +
  "with dynamic providers, whose previews of creations send no requests, only the `up` does.";

const section = (title: string, text: string | undefined) => (text === undefined ? [] : [`## ${title}`, text]);

export function exampleOf(example: string | undefined): string | undefined {
  return example?.replace(/^```ts\n/, '```ts\nimport * as docs from "pulumi-docs-org";\n\n');
}

const titles: Readonly<Record<ExampleLanguage, string>> = {
  typescript: "TypeScript",
  python: "Python",
  go: "Go",
  yaml: "YAML",
};

/** The same example in the languages that only the plugin serves. */
export function examplesWithPlugin({ name, tags }: Pick<Resource, "name" | "tags">, schema: PackageSpec): string[] {
  const { typescript: _, ...texts } = exampleTexts(schema, exampleIn(name, tags.get("example") ?? ""));
  const blocks = Object.entries(texts).map(
    ([language, text]) => `### ${titles[language as ExampleLanguage]}\n\n\`\`\`${language}\n${text}\n\`\`\``,
  );
  return ["With the plugin, import `pulumi-docs-org/plugin` instead, or use another language:", ...blocks];
}

function inputsOf(inputs: z.ZodObject): string {
  const rows = pathsOf(inputs).map(([path, property]) => [
    `\`${path}\``,
    `\`${typeIn(property)}\``,
    marksOf(property),
    descriptionOf(property),
    path.includes(".") ? "" : driftOf(path, property),
  ]);
  return [
    "Omitted properties are not managed: they are never sent and never count as drift.",
    [
      "- _required_: the property cannot be omitted.",
      "- _replaces_: a change creates a new resource.",
      "- _option_: the property changes what the provider does, and is never sent to the service.",
    ].join("\n"),
    table(["name", "type", "", "what it is", "drift"], rows),
  ].join("\n\n");
}

function marksOf(property: z.ZodType): string {
  const { replacesUnlessLive, option } = unwrapped(property).meta() ?? {};
  const isRequired = unwrapped(property) === property;
  const marks = [isRequired && "required", replacesUnlessLive && "replaces", option && "option"];
  return marks
    .filter(Boolean)
    .map((mark) => `_${mark}_`)
    .join(", ");
}

/** Whether a change of the property outside Pulumi is found. */
function driftOf(name: string, property: z.ZodType): string {
  const { replacesUnlessLive: liveOutput, option, selection, unread } = unwrapped(property).meta() ?? {};
  if (unread !== undefined) return "see below";
  // A property that is its own live output cannot drift.
  if (option || selection || liveOutput === name) return "no";
  return liveOutput === undefined ? "yes" : `shown by \`${liveOutput}\``;
}

function outputsOf({ outputs, changesWith }: AnyDefinition): string {
  const rows = pathsOf(outputs).map(([path, property]) => [
    `\`${path}\``,
    `\`${typeIn(property)}\``,
    descriptionOf(property),
    ...(changesWith ? [path.includes(".") ? "" : knownIf(changesWith[path])] : []),
  ]);
  const inputs = "Each input is also an output of the same name, with its live value if it can be read.";
  if (rows.length === 0) return inputs;
  const head = ["name", "type", "what it is", ...(changesWith ? ["known in the preview of an update"] : [])];
  return [`${inputs} Additional outputs:`, table(head, rows), ...(changesWith ? [unknownInPreview] : [])].join("\n\n");
}

/** When the preview of an update knows an output that changes with these inputs. */
function knownIf(inputs: readonly string[] | undefined): string {
  if (!inputs) return "no";
  return inputs.length === 0 ? "yes" : `unless one of these changes: ${inputs.map((name) => `\`${name}\``).join(", ")}`;
}

const unknownInPreview =
  "The last column holds with the plugin. With dynamic providers, the preview of an update knows only `id` and the inputs: " +
  "the engine does not ask these providers in a preview.";

/** The named types of the inputs, and the types that these use. */
function typesOf(inputs: z.ZodObject): string | undefined {
  const texts = new Map<string, string>();
  const add = (text: string): void => {
    for (const { name, schema } of namedIn(text)) {
      if (texts.has(name)) continue;
      texts.set(name, spelledOut(schema));
      add(spelledOut(schema));
    }
  };
  for (const [, property] of propertiesOf(inputs)) add(typeText(property));
  if (texts.size === 0) return undefined;
  const lines = [...texts].map(([name, text]) => `type ${name} = ${withoutUndefined(text)};`);
  return `\`\`\`ts\n${formatted(lines.join("\n\n"))}\`\`\``;
}

function driftsOf(inputs: z.ZodObject): string {
  const rows = propertiesOf(inputs).flatMap(([name, property]) => {
    const { unread } = unwrapped(property).meta() ?? {};
    return unread === undefined ? [] : [`- \`${name}\`: ${unread}`];
  });
  const compared =
    "Inputs with `yes` in the table are read and compared with the declaration; inputs with `no` have no drift.";
  return rows.length === 0 ? compared : `${compared} The others are special:\n\n${rows.join("\n")}`;
}

function idOf(name: string, remarks: string | undefined): string {
  const paragraphs = (remarks ?? "").split(/\n\s*\n/).map(oneLine);
  const entry = `docs.importFile([{ resource: "${name}", name: "...", id: "..." }])`;
  const importing = `With the plugin, \`pulumi import ${tokenOf(name)} NAME ID\` imports an existing object. NAME is the name of the resource in the program.`;
  const taking = `Without the plugin, \`${entry}\` returns the file that imports an existing one; see [Take over what exists](../guides/take-over.md).`;
  return [...paragraphs, importing, taking].filter(Boolean).join("\n\n");
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  // A bar would end the cell, even inside code.
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Without `undefined`, which every optional property may be. */
const withoutUndefined = (text: string): string => text.replaceAll(" | undefined", "");
export const typeIn = (property: z.ZodType): string => withoutUndefined(typeText(unwrapped(property)));
