import { type Command, Option } from "commander";
import { auditOf } from "../audit/audit";
import { ownStates } from "../audit/declarations";
import { htmlOf } from "../audit/html";
import { markdownOf } from "../audit/markdown";
import type { Audit } from "../audit/report";
import { readState, type StackState } from "../audit/state";
import { readOrganization } from "../organization/live/live";
import { connect, explained } from "../run/context";
import { Run } from "../run/run";
import { readInput } from "./input";
import { print } from "./output";
import { several } from "./several";

interface Options {
  readonly state?: readonly string[];
  readonly format: keyof typeof formats;
  readonly failOn?: "unmanaged";
  readonly team?: readonly string[];
}

const formats = {
  markdown: markdownOf,
  html: htmlOf,
  json: (audit: Audit) => `${JSON.stringify(audit, undefined, 2)}\n`,
} as const;

/** `docs-org audit`: lists live objects that no stack manages. */
export function addAudit(program: Command): void {
  program
    .command("audit")
    .description("List live objects that no stack manages, by comparing the organization with the states of stacks.")
    .option(
      "--state <file>",
      "output of pulumi stack export, or - for the standard input; repeat for each stack",
      several,
    )
    .addOption(new Option("--format <format>", "output format").choices(Object.keys(formats)).default("markdown"))
    .addOption(
      new Option("--fail-on <what>", "exit with status 2 if there are unmanaged objects").choices(["unmanaged"]),
    )
    .option(
      "--team <id>",
      "also audit this team; needed for teams without members, which the API cannot list (repeatable)",
      several,
    )
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL, DOCS_TOKEN and DOCS_ORGANIZATION_ID, and changes nothing.\n" +
        "Exit status: 0 when the audit was written; 2 for --fail-on; 1 when a state or the organization cannot be read.",
    )
    .action(audit);
}

async function audit({ state = ["-"], format, failOn, team = [] }: Options, command: Command): Promise<void> {
  if (state.filter((file) => file === "-").length > 1) {
    command.error("--state -: the standard input holds one state; use - only once", { exitCode: 2 });
  }
  const run = new Run();
  run.settings.refuseMissing(undefined);
  const organizationId = run.settings.requiredOrganizationId();
  const own = ownStates(state.map(stateIn), organizationId);
  const context = await connect(run, organizationId);
  const live = await explained(context, () => readOrganization(context, { teamIds: team }));
  const result = auditOf(live, own);
  await print(formats[format](result));
  if (failOn !== "unmanaged" || result.verdict.kind !== "unmanaged") return;
  command.error("unmanaged objects were found (--fail-on unmanaged)", { exitCode: 2 });
}

function stateIn(file: string): StackState {
  const { text, source } = readInput(file, "state");
  return readState(text, source);
}
