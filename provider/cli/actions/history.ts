import { DocsError } from "../../api/http/errors";
import { findOrganization } from "../../deployment/project";
import { readVersions, versionsInFolder } from "../../deployment/versions";
import { historyFormats } from "../../history/formats";
import { type History, historyOf } from "../../history/history";
import { partOf, type Wanted } from "../../history/select";
import { evidenceText, readEvidence } from "../../report/evidence";
import type { Evidence } from "../../run/evidence";
import { Settings } from "../../run/settings";
import { print, StatusError, tell } from "../output";
import { openStack, type StackOptions } from "./deployment";

export interface HistorySource extends StackOptions {
  /** A folder with versions; without one, those of the stack are read. */
  readonly versions?: string;
}

interface Options extends HistorySource, Omit<Wanted, "person" | "compare"> {
  readonly format: keyof typeof historyFormats;
  readonly compare?: readonly string[];
}

export async function history(person: string | undefined, options: Options): Promise<void> {
  const { format, compare, ...wanted } = options;
  const [from, to, ...others] = compare ?? [];
  if (compare && (from === undefined || to === undefined || others.length > 0))
    throw new StatusError("--compare: name two versions or days, such as --compare 2026-07-01 2026-09-30");
  if (options.site !== undefined && (person !== undefined || options.team !== undefined))
    throw new StatusError("--site: the access of people is not in sites; leave out PERSON and --team");
  const whole = await readHistory(options);
  const part = partOf(whole, {
    ...wanted,
    ...(person !== undefined && { person }),
    ...(from !== undefined && to !== undefined && { compare: [from, to] }),
  });
  const evidence = evidenceWith(whole);
  if (format === "csv") tell(evidenceText(evidence));
  await print(historyFormats[format](part, evidence));
}

/** Compares all versions of a stack. */
export async function readHistory(options: HistorySource): Promise<History> {
  const { versions } = options;
  const deployment = versions === undefined ? await openStack(options, { create: false }) : undefined;
  const kept = versions === undefined ? await deployment?.listVersions() : versionsInFolder(versions);
  if (!kept?.length)
    throw new DocsError(`there is no version of the state in ${versions ?? "the backend of the stack"}`);
  return historyOf(readVersions(kept, await deployment?.exportState()));
}

export const evidenceWith = (history: History | undefined, organization = findOrganization(process.cwd())): Evidence =>
  readEvidence(new Settings(), { organization, stack: history?.stack, stackVersion: history?.updates.at(-1)?.version });
