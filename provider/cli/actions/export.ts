import { listNames } from "../../access/carry-out";
import { nameFrom } from "../../export/draft";
import { type Exported, prepareExport } from "../../export/export";
import type { ExportTarget } from "../../export/project";
import { resourceName } from "../../organization/sections/parts";
import { connectBySettings } from "../../run/context";
import { visible } from "../../text/visible";
import { printNotes, StatusError } from "../output";
import { withProgress } from "./progress";

interface Options extends ExportTarget {
  readonly out: string;
  readonly name?: string;
  readonly team?: readonly string[];
  readonly force?: boolean;
}

export async function exportAll(given: Options): Promise<void> {
  if (given.out === "")
    throw new StatusError('--out is empty; use the path of a folder, such as "." for the current one');
  const { host, format, language = "typescript" } = given;
  if (language === "yaml" && host === "dynamic")
    throw new StatusError("--language yaml needs --host plugin: dynamic providers run TypeScript programs only");
  if (language === "yaml" && format === "resources")
    throw new StatusError("--language yaml needs --format file: the program only names organization.yaml");
  const target = { host, format, language };
  const context = await connectBySettings();
  const name = given.name ?? defaultName(context.organizationId);
  refuseName(name);
  const { out: folder, team: teamIds = [], force = false } = given;
  const exported = await withProgress(async ({ count: progress }) => {
    const prepared = await prepareExport(context, { folder, name, target, teamIds, force, progress });
    return prepared.write();
  });
  printNotes(exported.notes);
  console.log(nextSteps(folder, target, exported));
}

const defaultName = (organizationId: string): string =>
  isName(organizationId) ? organizationId : nameFrom(organizationId) || "organization";

const isName = (name: string): boolean => resourceName.safeParse(name).success;

function refuseName(name: string): void {
  if (isName(name)) return;
  throw new StatusError(
    `--name "${visible(name, 60)}" cannot be the name of a project; use letters, digits, dots, hyphens and underscores, ` +
      "with a letter or a digit first, at most 100 characters",
  );
}

/** What the user runs after an export, as lines of text. */
function nextSteps(folder: string, target: ExportTarget, { files, resources, notImported }: Exported): string {
  return [
    `${resources} resources were written to ${folder}: ${files.join(", ")}`,
    "",
    `${installStep(folder, target)} select a stack (pulumi stack init dev), and run:`,
    "  pulumi import --file import.json --protect=false --generate-code=false --yes",
    ...(target.host === "plugin" ? pluginSteps(notImported) : dynamicSteps),
  ].join("\n");
}

/** Without its own TypeScript, a program is compiled by the one of the SDK, which is too old for the settings. */
function installStep(folder: string, { host, language }: ExportTarget): string {
  const compiler = language === "yaml" ? "" : " and npm install --save-dev typescript@6 @types/node@20";
  const why = host === "plugin" ? " (Pulumi.yaml has the path of its plugin)" : "";
  const place = folder === "." ? "this folder" : folder;
  return `In ${place}, run npm install pulumi-docs-org${why}${compiler},`;
}

const dynamicSteps = [
  "  pulumi preview --refresh --expect-no-changes",
  "  pulumi up --yes   # changes nothing, and records that sites are protected; then delete import.json",
];

function pluginSteps(notImported: readonly string[]): string[] {
  const creates =
    notImported.length === 0 ? "creates nothing" : `creates only ${listNames(notImported)}, which cannot be imported`;
  return [
    `  pulumi preview    # ${creates}; updates add to the state what an import does not read`,
    "  pulumi up --yes   # sends nothing, unless something has changed since the export; then delete import.json",
    "  pulumi preview --expect-no-changes",
  ];
}
