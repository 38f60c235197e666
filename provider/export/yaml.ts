import { Document, isMap, isScalar, type Pair, Scalar, visit, type YAMLMap } from "yaml";
import { organizationYaml } from "../organization/file/loader";
import type { OrganizationFile } from "../organization/file/types";
import { sectionList } from "../organization/sections";
import { propertiesIn } from "../run/properties";

const schemaLine = " yaml-language-server: $schema=node_modules/pulumi-docs-org/organization.schema.json";

/** Maximum bytes of a file, below the limit of the loader, and of a part, which stays readable in a diff. */
const limits = { file: 1_500_000, part: 750_000 };

/** The organization's file. If it is too large, it is split into parts, which are in folders beside it. */
export function organizationFiles(organization: OrganizationFile, { file, part } = limits): Map<string, string> {
  const text = yamlOf(organization);
  if (Buffer.byteLength(text) <= file) return new Map([[organizationYaml, text]]);
  const parts = new Map<string, string>();
  /** Writes the entries to files in a folder, and returns the `!include` for the file above. */
  const include = (entries: readonly [string, unknown][], folder: string): Scalar => {
    const texts = textsOf(entries, part);
    // The number of parts is in the name, so that parts of an older export are never included by mistake.
    const end = `-of-${texts.length}.yaml`;
    for (const [index, one] of texts.entries()) parts.set(`${folder}/${String(index + 1).padStart(3, "0")}${end}`, one);
    return Object.assign(new Scalar(`${folder.split("/").at(-1)}/*${end}`), { tag: "!include" });
  };
  const split = sectionList.flatMap(({ name, writing: { parts } }): [string, [string, unknown][]][] => {
    const entries = Object.entries(propertiesIn(organization[name]));
    if (!parts || entries.length === 0) return [];
    const { inside } = parts;
    if (inside === undefined) return [[name, entries]];
    const shortened = entries.map(([key, entry], index): [string, unknown] => {
      const map = Object.entries(propertiesIn(propertiesIn(entry)[inside]));
      if (sizeOf(map) <= part) return [key, entry];
      return [key, { ...propertiesIn(entry), [inside]: include(map, `${name}/large-${index + 1}`) }];
    });
    return [[name, shortened]];
  });
  const included = Object.fromEntries(split.map(([name, entries]) => [name, include(entries, name)]));
  return new Map([[organizationYaml, yamlOf(organization, included)], ...parts]);
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The texts of the parts. An entry that is larger than a part is a part of its own. */
function textsOf(entries: readonly [string, unknown][], most: number): string[] {
  const parts: [string, unknown][][] = [];
  let room = 0;
  for (const entry of entries) {
    const size = sizeOf(entry);
    if (size > room) {
      parts.push([]);
      room = most;
    }
    room -= size;
    parts.at(-1)?.push(entry);
  }
  return parts.map((part) => textOf(documentOf(Object.fromEntries(part)), 0));
}

/** The organization's file as text, with optional settings as comments. */
export function yamlOf(organization: OrganizationFile, included: Readonly<Record<string, Scalar>> = {}): string {
  const document = documentOf({ ...organization, ...included });
  document.commentBefore = schemaLine;
  const root = document.contents as unknown as YAMLMap;
  for (const [index, pair] of (root.items as Pair<Scalar, YAMLMap>[]).entries()) {
    if (index > 0 && pair.key.value !== "backend") pair.key.spaceBefore = true;
    if (pair.key.value === "guards") {
      pair.key.commentBefore = aboutGuards;
      (pair.value as YAMLMap).comment = suggestedGuard;
    }
    // Above the first section, which stands below organization, backend and guards.
    if (index === (organization.backend === undefined ? 2 : 3)) pair.key.commentBefore = suggestedRelease;
  }
  return textOf(document, 1);
}

function documentOf(value: object): Document {
  const include = { tag: "!include", resolve: (pattern: string) => pattern };
  return new Document(value, { version: "1.2", schema: "core", aliasDuplicateObjects: false, customTags: [include] });
}

/** `above` is the number of maps above the map with the entries of a section. */
function textOf(document: Document, above: number): string {
  visit(document, {
    Pair: (_key, { value }, path) => {
      const isEntry = path.filter(isMap).length === above + 1;
      if (isEntry && isMap(value) && isShort(value)) value.flow = true;
    },
    Scalar: (_key, node) => {
      const { value } = node;
      // Escapes need quotes. The loader would refuse a plain `<<` as a merge key.
      if (typeof value === "string" && (value.search(unseen) >= 0 || value === "<<")) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document.toString({ lineWidth: 0 }).replace(unseen, escaped);
}

/** Invisible characters, and characters that change the direction of the surrounding text, except those of the layout. */
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;

/** The escape of YAML for a character between double quotes. */
function escaped(character: string): string {
  const code = character.codePointAt(0)?.toString(16).toUpperCase() ?? "";
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
}

const isShort = ({ items }: YAMLMap) =>
  items.length > 0 && items.length <= 2 && items.every(({ value }) => isScalar(value));

const aboutGuards = " Refuses changes that leave too few administrators, or take access from too many people.";
const suggestedGuard = "undeclaredAdmins: refuse # also refuses administrators who are not in members: remove the #";
const suggestedRelease =
  " The role of a person who is removed from this file: restore, leave, guest (the default) or remove.\nonRelease: guest\n";
