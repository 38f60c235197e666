import { fstatSync } from "node:fs";
import type { Command } from "commander";
import { auditOf } from "../../audit/audit";
import { ownStates } from "../../audit/declarations";
import { auditFormats } from "../../audit/formats";
import { readExported, readState, type StackState, servicesOf } from "../../audit/state";
import { isManagedFolder } from "../../deployment/project";
import { readOrganization } from "../../organization/live/live";
import { readEvidence } from "../../report/evidence";
import { usualPeriod } from "../../review/model/ends";
import { connectBySettings, explained } from "../../run/context";
import { refuseOtherServices } from "../../run/origin";
import { readInput } from "../input";
import { askedAge, type ReportFormat } from "../options";
import { print, StatusError, tell } from "../output";
import { openStack } from "./deployment";
import { reasonOfEnds } from "./previews";
import { withProgress } from "./progress";

interface Options {
  readonly stack: string;
  readonly state?: readonly string[];
  readonly format: ReportFormat;
  readonly failOn?: readonly string[];
  readonly team?: readonly string[];
}

export async function audit(options: Options, command: Command): Promise<void> {
  const { state = ["-"], format, failOn = [], team = [] } = options;
  if (state.filter((file) => file === "-").length > 1)
    throw new StatusError("--state -: the standard input holds one state; use - only once");
  const isDefault = options.state === undefined && isManagedFolder(process.cwd());
  const isOfStack = isDefault || command.getOptionValueSource("stack") === "cli";
  const input = fstatSync(0);
  if (isOfStack && options.state === undefined && (input.isFIFO() || input.isFile()))
    tell(`audits stack ${options.stack} of this folder, without the standard input; add --state - for a state in it`);
  const deployment = isOfStack ? await openStack(options, { create: false }) : undefined;
  const context = await connectBySettings(deployment?.options.project.organizationId);
  const files = deployment ? (options.state ?? []) : state;
  const states = files.map(stateIn);
  if (deployment) states.unshift(readExported(await deployment.exportState(), options.stack));
  // Of several stacks, none has the version.
  const stackVersion = states.length === 1 ? await deployment?.newestVersion({ isForFile: true }) : undefined;
  const recorded = ownStates(states, context.organizationId);
  refuseOtherServices(context.run, servicesOf(recorded.states));
  const live = await withProgress(({ count: progress }) =>
    explained(context, () => readOrganization(context, { teamIds: team, progress })),
  );
  const { settings } = context.run;
  const now = settings.now();
  const period = askedAge(failOn) ?? usualPeriod;
  const token = settings.requiredToken(context.organizationId).value;
  const result = auditOf(live, recorded, { now, period, token });
  const evidence = readEvidence(settings, {
    organization: context.organizationId,
    stack: result.stacks.join(", ") || undefined,
    stackVersion,
  });
  await print(auditFormats[format](result, evidence));
  failOnAudit(result, failOn, now);
}

function failOnAudit({ verdict, ends }: ReturnType<typeof auditOf>, failOn: readonly string[], now: Date): void {
  const unmanaged = verdict.kind === "unmanaged" ? "unmanaged objects were found" : undefined;
  for (const what of failOn) {
    const reason = what === "unmanaged" ? unmanaged : reasonOfEnds(ends, what, now);
    if (reason) throw new StatusError(`${reason} (--fail-on ${what})`);
  }
}

function stateIn(file: string): StackState {
  const { text, source } = readInput(file, "state");
  return readState(text, source);
}
