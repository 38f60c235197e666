import { organizationFile } from "../../provider/organization/sections/schema";
import type { PackageSpec } from "../package-schema/spec";
import { type Declaration, oneLine } from "./declarations";
import { exampleOf, examplesWithPlugin } from "./page";
import { type KeyNames, type PathRow, pathRowsOf, tableOfPaths } from "./rows";

export function organizationPage({ name, summary, tags }: Declaration, schema: PackageSpec): string {
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
    ...sectionsOf(pathRowsOf(organizationFile, keys)),
    "[The organization file](../guides/organization-file.md) explains how the parts work together; `organization.schema.json` is the schema for editors.",
  ];
  return `${sections.filter(Boolean).join("\n\n")}\n`;
}

const keys: KeyNames = {
  teams: "id",
  "teams.<id>.members": "user",
  "teams.<id>.memberships": "user",
  members: "user",
};

/** A heading and a table for each section of the file, after one table for what stands beside them. */
function sectionsOf(rows: readonly PathRow[]): string[] {
  const names = [...new Set(rows.map(([path]) => path.split(".")[0] ?? ""))];
  const below = (name: string) => rows.filter(([path]) => path === name || path.startsWith(`${name}.`));
  const sections = names.filter((name) => below(name).length > 1);
  const single = rows.filter(([path]) => names.includes(path) && !sections.includes(path));
  return [tableOfPaths(single), ...sections.flatMap((name) => [`### ${name}`, tableOfPaths(below(name))])];
}
