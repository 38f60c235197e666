import { z } from "zod";
import { organizationFile } from "../../provider/organization/sections/schema";
import type { PackageSpec } from "../package-schema/spec";
import { type Declaration, oneLine } from "./declarations";
import { descriptionOf, required } from "./description";
import { exampleOf, examplesWithPlugin, table, typeIn } from "./page";
import { propertiesOf } from "./resources";
import { namedOf } from "./type-text";

/** The page of the component and of its file. */
export function organizationPage({ name, summary, tags }: Declaration, schema: PackageSpec): string {
  const rows = rowsOf(organizationFile).map(([path, property]) => [
    `\`${path}\``,
    isMap(property) ? "" : `\`${typeIn(property)}\``,
    property instanceof z.ZodOptional ? "" : "_required_",
    descriptionOf(property),
  ]);
  const remarks = (tags.get("remarks") ?? "").split(/\n\s*\n/).map(oneLine);
  const sections = [
    `# ${name}`,
    summary,
    "## Example",
    exampleOf(tags.get("example")) ?? "",
    ...examplesWithPlugin({ name, tags }, schema),
    "## How it works",
    ...remarks,
    "## Properties of the file or object",
    "Omitted properties are not managed. A name in `<>` stands for the keys of a map.",
    table(["property", "type", "", "what it is"], rows),
    "[The organization as one file](../../README.md#the-organization-as-one-file) explains how the parts work together; `organization.schema.json` is the schema for editors.",
  ];
  return `${sections.filter(Boolean).join("\n\n")}\n`;
}

const keys: Readonly<Record<string, string>> = {
  teams: "id",
  "teams.<id>.members": "user",
  "teams.<id>.memberships": "user",
  members: "user",
};

/** All properties by path, including those of grants and of objects in maps. */
function rowsOf(object: z.ZodObject, above = ""): [path: string, property: z.ZodType][] {
  return propertiesOf(object).flatMap(([name, property]) => {
    const path = `${above}${name}`;
    const inner = required(property);
    const value = inner instanceof z.ZodRecord ? (inner.valueType as z.ZodType) : undefined;
    const inside = objectIn(value ?? inner);
    const below = value ? `${path}.<${keys[path] ?? "name"}>.` : `${path}.`;
    return [[path, property] as [string, z.ZodType], ...(inside ? rowsOf(inside, below) : [])];
  });
}

/** The object whose properties are listed separately, also if it is one of several alternatives. */
function objectIn(schema: z.ZodType): z.ZodObject | undefined {
  if (namedOf(schema)) return undefined;
  if (schema instanceof z.ZodObject) return schema;
  if (!(schema instanceof z.ZodUnion)) return undefined;
  return schema.options.map((option) => objectIn(option as z.ZodType)).find((found) => found !== undefined);
}

const isMap = (property: z.ZodType): boolean => required(property) instanceof z.ZodRecord;
