import type { Command } from "commander";
import type { Target } from "../../export/target";
import type { Progress } from "../../organization/live/discovery";
import { connect } from "../../run/context";
import { Run } from "../../run/run";
import { visible } from "../../text/visible";

export interface Options extends Target {
  readonly out: string;
  readonly name?: string;
  readonly team: readonly string[];
  readonly force?: boolean;
}

export async function exportAll(given: Options, command: Command): Promise<void> {
  // Loaded here, because it loads the Pulumi SDK: other commands start sooner without it.
  const { exportOrganization } = await import("../../export/export.js");
  const { nextSteps } = await import("../../export/next-steps.js");
  if (given.out === "")
    command.error('--out is empty; use the path of a folder, such as "." for the current one', { exitCode: 2 });
  const target = targetOf(given, command);
  const run = new Run();
  run.settings.refuseMissing(undefined);
  const organizationId = run.settings.requiredOrganizationId();
  const name = given.name ?? (await defaultName(organizationId));
  await refuseName(name, command);
  const { out: folder, team: teamIds, force = false } = given;
  const progress = progressLine();
  try {
    const options = { folder, name, target, teamIds, force, progress: progress.show };
    const exported = await exportOrganization(await connect(run, organizationId), options);
    progress.clear();
    printNotes(exported.notes);
    console.log(nextSteps(folder, target, exported));
  } finally {
    progress.clear();
  }
}

function targetOf({ host, language, format }: Options, command: Command): Target {
  if (language === "yaml" && host === "dynamic") {
    command.error("--language yaml needs --host plugin: dynamic providers run TypeScript programs only", {
      exitCode: 2,
    });
  }
  return { host, language, format };
}

const mostPrinted = 50;

function printNotes(notes: readonly string[]): void {
  const more = notes.length > mostPrinted ? [`and ${notes.length - mostPrinted} more notes`] : [];
  for (const note of [...notes.slice(0, mostPrinted), ...more, emptyTeams]) {
    process.stderr.write(`docs-org: ${visible(note, 2000)}\n`);
  }
}

async function defaultName(organizationId: string): Promise<string> {
  const { nameFrom } = await import("../../export/names.js");
  return (await isName(organizationId)) ? organizationId : nameFrom(organizationId) || "organization";
}

async function isName(name: string): Promise<boolean> {
  const { resourceName } = await import("../../organization/sections/parts.js");
  return resourceName.safeParse(name).success;
}

async function refuseName(name: string, command: Command): Promise<void> {
  if (await isName(name)) return;
  command.error(
    `--name "${visible(name, 60)}" cannot be the name of a project; use letters, digits, dots, hyphens and underscores, ` +
      "with a letter or a digit first, at most 100 characters",
    { exitCode: 2 },
  );
}

const emptyTeams =
  "teams without members are missing: the API cannot list teams, so they are found through people; add each with --team ID";

/** Shows the progress in one line of a terminal; shows nothing if stderr is not a terminal. */
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
