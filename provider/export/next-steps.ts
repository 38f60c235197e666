import type { Exported } from "./export";
import type { Target } from "./target";

/** What the user runs after an export, as lines of text. */
export function nextSteps(folder: string, target: Target, { files, resources, notImported }: Exported): string {
  return [
    `${resources} resources were written to ${folder}: ${files.join(", ")}`,
    "",
    `${install(folder, target)}, select a stack (pulumi stack init dev), and run:`,
    "  pulumi import --file import.json --protect=false --generate-code=false --yes",
    ...(target.host === "plugin" ? pluginSteps(notImported) : dynamicSteps),
  ].join("\n");
}

/** The project file names the plugin in the package, so a program in YAML needs the package as well. */
function install(folder: string, { host, language }: Target): string {
  const why = language === "yaml" ? " with npm" : "";
  const has = host === "plugin" ? ", which has the provider plugin" : "";
  return `Install pulumi-docs-org in ${folder}${why}${has}`;
}

const dynamicSteps = [
  "  pulumi preview --refresh --expect-no-changes",
  "  pulumi up --yes   # changes nothing, and records that sites are protected; then delete import.json",
];

function pluginSteps(notImported: readonly string[]): string[] {
  return [
    `  pulumi preview    # ${previewed(notImported)}`,
    "  pulumi up --yes   # changes nothing at the service, and records that sites are protected; then delete import.json",
    "  pulumi preview --expect-no-changes",
  ];
}

const mostNamed = 3;

function previewed(notImported: readonly string[]): string {
  if (notImported.length === 0) return "creates and deletes no resource";
  const more = notImported.length - mostNamed;
  const names = [...notImported.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])];
  return `creates only ${names.join(" and ")}, which has no id to import`;
}
