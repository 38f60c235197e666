import { type Command, Option } from "commander";
import { auditOf } from "../audit/audit";
import { ownStates } from "../audit/declarations";
import { htmlOf } from "../audit/html";
import { markdownOf } from "../audit/markdown";
import type { Audit } from "../audit/report";
import { readState, type StackState } from "../audit/state";
import { readOrganization } from "../organization/live/live";
import { connect, explained } from "../run/context";
import { refuseMissingSettings, requiredOrganizationId } from "../run/settings";
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

/** `docs-org audit`: what is live and no code declares. */
export function addAudit(program: Command): void {
  program
    .command("audit")
    .description("Compare the organization with the states of stacks, and say what no code declares.")
    .option(
      "--state <file>",
      "what pulumi stack export printed, - for the standard input; once for each stack",
      several,
    )
    .addOption(new Option("--format <format>", "how to write it").choices(Object.keys(formats)).default("markdown"))
    .addOption(new Option("--fail-on <what>", "end with status 2 where something is unmanaged").choices(["unmanaged"]))
    .option("--team <id>", "look at this team as well: one without members can not be found", several)
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL, DOCS_TOKEN and DOCS_ORGANIZATION_ID, and changes nothing.\n" +
        "Exit status: 0 when the audit was written; 2 with --fail-on; 1 when a state or the organization can not be read.",
    )
    .action(audit);
}

async function audit({ state = ["-"], format, failOn, team = [] }: Options, command: Command): Promise<void> {
  if (state.filter((file) => file === "-").length > 1) {
    command.error("--state -: the standard input can be named once, it holds one state", { exitCode: 2 });
  }
  refuseMissingSettings(undefined);
  const own = ownStates(state.map(stateIn), requiredOrganizationId());
  const context = await connect(requiredOrganizationId());
  const live = await explained(context, () => readOrganization(context, { teamIds: team }));
  const result = auditOf(live, own);
  await print(formats[format](result));
  if (failOn !== "unmanaged" || result.verdict.kind !== "unmanaged") return;
  command.error("something is unmanaged, and --fail-on unmanaged says to stop", { exitCode: 2 });
}

function stateIn(file: string): StackState {
  const { text, source } = readInput(file, "state");
  return readState(text, source);
}
