import path from "node:path";
import { classesFile } from "./classes";
import type { Declaration } from "./declarations";
import { formatted } from "./formatted";
import { interfacesFile, organizationInterface } from "./interfaces";
import { namesFile } from "./names";
import { organizationPage } from "./organization-page";
import { pageOf, table } from "./page";
import { plainTypes } from "./plain-types";
import { type Resource, reference } from "./resources";

const organization = "organization.md";
export const pages = path.join("docs", "reference");

/** All generated files with their texts, by their paths in the repository. */
export function referenceFiles(): Map<string, string> {
  const { resources, functions, component } = reference();
  const interfaces = path.join("provider", "hosts", "dynamic", "arguments.ts");
  return new Map([
    [interfaces, formatted(interfacesFile(resources))],
    [path.join("provider", "hosts", "dynamic", "classes.ts"), formatted(classesFile(resources))],
    [path.join("provider", "resources", "names.ts"), formatted(namesFile(resources))],
    [path.join("provider", "organization", "file", "types.ts"), formatted(organizationInterface())],
    [path.join("provider", "hosts", "dynamic", "service-types.ts"), formatted(plainTypes())],
    [path.join(pages, "README.md"), indexOf(resources, functions, component)],
    [path.join(pages, organization), organizationPage(component)],
    ...resources.map((resource) => [path.join(pages, pageName(resource)), pageOf(resource)] as const),
  ]);
}

/** As the file of the resource: `SiteAdaptiveSchema` has `site-adaptive-schema.md`. */
const pageName = ({ file }: Resource): string => `${path.basename(file, ".ts")}.md`;

function indexOf(resources: readonly Resource[], functions: readonly Declaration[], component: Declaration): string {
  const linked = resources.map((one) => [`[${one.name}](${pageName(one)})`, firstSentence(one.summary)]);
  const parts = [
    "# Reference",
    "Made by `npm run reference` from the descriptions in the schemas, which are also what an editor shows, and from the doc comments of what the package exports.",
    `## The organization as one file`,
    `[${component.name}](${organization}): ${component.summary}`,
    "## Resources",
    table(["resource", "what it is"], linked),
  ];
  if (functions.length > 0) {
    const rows = functions.map(({ name, summary }) => [`\`docs.${name}\``, summary]);
    parts.push("## Functions", table(["function", "what it does"], rows));
  }
  return `${parts.join("\n\n")}\n`;
}

const firstSentence = (text: string): string => /^.*?[.](?=\s|$)/.exec(text)?.[0] ?? text;
