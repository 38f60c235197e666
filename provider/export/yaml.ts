import { Document, isMap, isScalar, type Pair, Scalar, visit, type YAMLMap } from "yaml";
import type { OrganizationFile } from "../organization/file/types";

const schemaLine = " yaml-language-server: $schema=node_modules/pulumi-docs-org/organization.schema.json";

/** The organization's file as text, with optional settings as comments. */
export function yamlOf(organization: OrganizationFile): string {
  const document = new Document(organization, { version: "1.2", schema: "core", aliasDuplicateObjects: false });
  document.commentBefore = schemaLine;
  const root = document.contents as unknown as YAMLMap;
  // The first section stands below organization, backend and guards.
  const firstSection = organization.backend === undefined ? 2 : 3;
  for (const [index, pair] of (root.items as Pair<Scalar, YAMLMap>[]).entries()) {
    if (index > 0 && pair.key.value !== "backend") pair.key.spaceBefore = true;
    if (pair.key.value === "guards") {
      pair.key.commentBefore = aboutGuards;
      (pair.value as YAMLMap).comment = suggestedGuard;
    }
    if (index === firstSection) pair.key.commentBefore = suggestedRelease;
  }
  return textOf(document);
}

function textOf(document: Document): string {
  visit(document, {
    Pair: (_key, { value }, path) => {
      // An entry of a section is in the map of the section, which is in the map of the file.
      const isEntry = path.filter(isMap).length === 2;
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
