import type { Exported } from "./export";
import type { Target } from "./target";

/** What the user runs after an export, as lines of text. */
export function nextSteps(folder: string, target: Target, { files, resources, notImported }: Exported): string {
  return [
    `${resources} resources were written to ${folder}: ${files.join(", ")}`,
    "",
    `${install(folder, target)} select a stack (pulumi stack init dev), and run:`,
    "  pulumi import --file import.json --protect=false --generate-code=false --yes",
    ...(target.host === "plugin" ? pluginSteps(notImported) : dynamicSteps),
  ].join("\n");
}

/** Pulumi.yaml has the path of the plugin in the package, so a program in YAML needs the package as well. */
const install = (folder: string, { host }: Target): string =>
  host === "plugin"
    ? `In ${folder}, run npm install pulumi-docs-org (Pulumi.yaml has the path of its plugin),`
    : `Install pulumi-docs-org in ${folder},`;

const dynamicSteps = [
  "  pulumi preview --refresh --expect-no-changes",
  "  pulumi up --yes   # changes nothing, and records that sites are protected; then delete import.json",
];

function pluginSteps(notImported: readonly string[]): string[] {
  const creates =
    notImported.length === 0 ? "creates nothing" : `creates only ${listed(notImported)}, which cannot be imported`;
  return [
    `  pulumi preview    # ${creates}; updates add to the state what an import does not read`,
    "  pulumi up --yes   # sends nothing, unless something has changed since the export; then delete import.json",
    "  pulumi preview --expect-no-changes",
  ];
}

const mostNamed = 3;

function listed(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return [...names.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])].join(" and ");
}
