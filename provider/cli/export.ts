import { type Command, Option } from "commander";
import type { ExportOptions } from "../export/export";
import type { Progress } from "../organization/live/discovery";
import { connect } from "../run/context";
import { Run } from "../run/run";
import { visible } from "../text/visible";
import { several } from "./several";

interface Options {
  readonly out: string;
  readonly name?: string;
  readonly format: ExportOptions["format"];
  readonly team: readonly string[];
  readonly force?: boolean;
}

/** `docs-org export`: a program for an organization that is there already, and what takes it over. */
export function addExport(program: Command): void {
  program
    .command("export")
    .description(
      "Write a program for an organization that is there, and the file that takes it over; nothing is changed.",
    )
    .requiredOption("--out <folder>", "where to write; it is made if it is missing")
    .option("--name <name>", "name of the organization in the program, and of the project; its id when left out")
    .addOption(
      new Option("--format <format>", "an organization.yaml, or the resources in index.ts")
        .choices(["yaml", "typescript"])
        .default("yaml"),
    )
    .option("--team <id>", "a team without members, which can not be found; may be repeated", several, [])
    .option("--force", "overwrite files that are there")
    .addHelpText(
      "after",
      "\nDOCS_BASE_URL, DOCS_TOKEN and DOCS_ORGANIZATION_ID name the service, the token and the organization.",
    )
    .action(exportAll);
}

async function exportAll(given: Options, command: Command): Promise<void> {
  // Loaded here, with the SDK of the engine: other commands start sooner without it.
  const { exportOrganization } = await import("../export/export.js");
  if (given.out === "") command.error('--out is empty; name a folder, "." for the present one', { exitCode: 2 });
  const run = new Run();
  run.settings.refuseMissing(undefined);
  const organizationId = run.settings.requiredOrganizationId();
  const name = given.name ?? (await defaultName(organizationId));
  await refuseName(name, command);
  const { out: folder, format, team: teamIds, force = false } = given;
  const progress = progressLine();
  try {
    const options = { folder, name, format, teamIds, force, progress: progress.show };
    const { files, resources, notes } = await exportOrganization(await connect(run, organizationId), options);
    progress.clear();
    tell(notes);
    console.log(textOf(folder, files, resources));
  } finally {
    progress.clear();
  }
}

const mostTold = 50;

function tell(notes: readonly string[]): void {
  const more = notes.length > mostTold ? [`and ${notes.length - mostTold} more of this kind`] : [];
  for (const note of [...notes.slice(0, mostTold), ...more, emptyTeams]) {
    process.stderr.write(`docs-org: ${visible(note, 2000)}\n`);
  }
}

async function defaultName(organizationId: string): Promise<string> {
  const { nameFrom } = await import("../export/names.js");
  return (await isName(organizationId)) ? organizationId : nameFrom(organizationId) || "organization";
}

async function isName(name: string): Promise<boolean> {
  const { resourceName } = await import("../organization/sections/parts.js");
  return resourceName.safeParse(name).success;
}

async function refuseName(name: string, command: Command): Promise<void> {
  if (await isName(name)) return;
  command.error(
    `--name "${visible(name, 60)}" can not be the name of a project; use letters, digits, dots, hyphens and underscores, ` +
      "with a letter or a digit first, at most 100 characters",
    { exitCode: 2 },
  );
}

const emptyTeams =
  "teams without members can not be seen: the service lists no teams, and they are found through people; name each with --team ID";

function textOf(folder: string, files: readonly string[], resources: number): string {
  return [
    `${resources} resources were written to ${folder}: ${files.join(", ")}`,
    "",
    `In ${folder}, where pulumi-docs-org is installed and a stack is selected (pulumi stack init dev), run:`,
    "  pulumi import --file import.json --protect=false --generate-code=false --yes",
    "  pulumi preview --refresh --expect-no-changes",
    "  pulumi up --yes   # changes nothing, and records that sites are protected; done: import.json can go",
  ].join("\n");
}

/** One line on a terminal that tells how far it is, and nothing anywhere else. */
function progressLine(): { readonly show: Progress; clear(): void } {
  const { stderr } = process;
  let shown = 0;
  const put = (text: string) => {
    stderr.write(`\r${text.padEnd(shown)}`);
    shown = text.length;
  };
  const clear = () => {
    if (shown === 0) return;
    put("");
    stderr.write("\r");
    shown = 0;
  };
  return { show: (done, total, what) => stderr.isTTY && put(`read ${done} of ${total} ${what}`), clear };
}
