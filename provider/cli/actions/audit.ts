import type { Command } from "commander";
import { auditOf } from "../../audit/audit";
import { ownStates } from "../../audit/declarations";
import { formats } from "../../audit/formats";
import { readState, type StackState } from "../../audit/state";
import { readOrganization } from "../../organization/live/live";
import { connectBySettings, explained } from "../../run/context";
import { readInput } from "../input";
import type { ReportFormat } from "../options";
import { print } from "../output";
import { withProgress } from "./progress";

interface Options {
  readonly state?: readonly string[];
  readonly format: ReportFormat;
  readonly failOn?: "unmanaged";
  readonly team?: readonly string[];
}

export async function audit({ state = ["-"], format, failOn, team = [] }: Options, command: Command): Promise<void> {
  if (state.filter((file) => file === "-").length > 1) {
    command.error("--state -: the standard input holds one state; use - only once", { exitCode: 2 });
  }
  const context = await connectBySettings();
  const recorded = ownStates(state.map(stateIn), context.organizationId);
  const live = await withProgress(({ count: progress }) =>
    explained(context, () => readOrganization(context, { teamIds: team, progress })),
  );
  const result = auditOf(live, recorded);
  await print(formats[format](result));
  if (failOn !== "unmanaged" || result.verdict.kind !== "unmanaged") return;
  command.error("unmanaged objects were found (--fail-on unmanaged)", { exitCode: 2 });
}

function stateIn(file: string): StackState {
  const { text, source } = readInput(file, "state");
  return readState(text, source);
}
