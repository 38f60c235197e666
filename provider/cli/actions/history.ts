import type { Command } from "commander";
import { DocsError } from "../../api/http/errors";
import { readVersions, versionsInFolder } from "../../deployment/versions";
import { formats } from "../../history/formats";
import { historyOf } from "../../history/history";
import { partOf, type Wanted } from "../../history/select";
import { readEvidence } from "../../report/evidence";
import { Settings } from "../../run/settings";
import { print } from "../output";
import { openStack, type StackOptions } from "./deployment";

interface Options extends StackOptions, Omit<Wanted, "person" | "compare"> {
  readonly format: keyof typeof formats;
  readonly compare?: readonly string[];
  readonly versions?: string;
}

export async function history(person: string | undefined, options: Options, command: Command): Promise<void> {
  const { format, versions, compare, ...wanted } = options;
  const [from, to, ...others] = compare ?? [];
  if (compare && (from === undefined || to === undefined || others.length > 0))
    command.error("--compare: name two versions or days, such as --compare 2026-07-01 2026-09-30", { exitCode: 2 });
  const deployment = versions === undefined ? await openStack(options, { create: false }) : undefined;
  const kept = versions === undefined ? await deployment?.listVersions() : versionsInFolder(versions);
  if (!kept?.length)
    throw new DocsError(`there is no version of the state in ${versions ?? "the backend of the stack"}`);
  const whole = await historyOf(readVersions(kept, await deployment?.exportState()));
  const part = partOf(whole, {
    ...wanted,
    ...(person !== undefined && { person }),
    ...(from !== undefined && to !== undefined && { compare: [from, to] }),
  });
  const organization = deployment?.options.project.organizationId;
  const evidence = readEvidence(new Settings(), { stack: part.stack, ...(organization && { organization }) });
  await print(formats[format](part, evidence));
}
