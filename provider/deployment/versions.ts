import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { LocalWorkspace } from "@pulumi/pulumi/automation";
import { listNames } from "../access/carry-out";
import { DocsError } from "../api/http/errors";
import { runProcess } from "../engine/child";
import {
  type ExportedState,
  exportedOf,
  readerOfMany,
  readUpdate,
  type StackVersion,
  type Update,
  versionOf,
} from "../history/version";
import { attemptToRead } from "../run/files";
import { backendOf, folderOfState, type Project } from "./project";

/** The versions of a stack's state that its backend keeps. */

export interface KeptVersion {
  readonly update: Update;
  /** The state after the update, as the engine writes it; `undefined` if it is no longer kept. */
  read(): Promise<unknown> | unknown;
}

/** The versions, the oldest first, and then the present state. A killed run changes it without a record. */
export async function* readVersions(kept: readonly KeptVersion[], present?: unknown): AsyncGenerator<StackVersion> {
  const reader = readerOfMany();
  for (const { update, read } of kept) yield versionOf(update, await read(), reader);
  if (present === undefined) return;
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  yield versionOf(
    { version: now, start: now, end: now, order: now, kind: "none", result: "none", changed: 0, deleted: 0 },
    present,
    reader,
  );
}

/**
 * The newest versions. Reads only what the CLI offers, except in a folder: the CLI exports no earlier version from there, nor from
 * a bucket (seen in 3.259).
 */
export async function keptVersions(
  workspace: LocalWorkspace,
  project: Project,
  stack: string,
  most?: number,
): Promise<KeptVersion[]> {
  const place = [".pulumi", "history", project.name, stack];
  const folder = folderOfState(project);
  if (folder !== undefined) return versionsInFolder(join(folder, ...place), most);
  const backend = backendOf(project);
  if (/^https?:/.test(backend) || most === 1) return versionsByEngine(workspace, stack, most);
  throw new DocsError(
    `the engine reads no earlier versions from ${backend}; copy ${place.join("/")} from there into a folder, and name it with --versions FOLDER`,
  );
}

async function versionsByEngine(
  { workDir, envVars }: LocalWorkspace,
  stack: string,
  most = Number.POSITIVE_INFINITY,
): Promise<KeptVersion[]> {
  const read = async (...args: readonly string[]): Promise<unknown> => {
    const options = { cwd: workDir, env: { ...process.env, ...envVars }, deadline: 120_000 };
    return JSON.parse(await runProcess("pulumi", ["stack", ...args, "--stack", stack, "--non-interactive"], options));
  };
  const records: unknown[] = [];
  const pageSize = Math.min(most, largestPage);
  let isLastPage = false;
  for (let number = 1; !isLastPage && records.length < most; number++) {
    const paging = ["--page-size", String(pageSize), "--page", String(number)];
    const page = (await read("history", "--json", "--show-secrets=false", ...paging)) as readonly unknown[];
    records.push(...page);
    isLastPage = page.length < pageSize;
  }
  return (
    records
      // The record of an update that has not ended yet has no end.
      .filter((record) => (record as { readonly result?: unknown }).result !== "in-progress")
      .map((record) => readUpdate(record, "pulumi stack history"))
      .map((update) => ({ update, read: () => read("export", "--version", update.version) }))
      .reverse()
  );
}

/** By default, the engine shows the last ten updates of a service. */
const largestPage = 100;

/** The versions in a folder of a backend without a service: `.pulumi/history/PROJECT/STACK`, or a copy of it. */
export function versionsInFolder(folder: string, most = Number.POSITIVE_INFINITY): KeptVersion[] {
  const files = existsSync(folder) ? attemptToRead(folder, () => readdirSync(folder)) : [];
  // Records end in `.history.json` or `.history.json.gz`; the engine keeps a description, `.attrs`, beside each.
  const unreadable = files.filter((file) => /\.history\.json\.(?!gz$|(?:.*\.)?attrs$)/.test(file));
  // Without these versions, the history would have a gap that nothing shows.
  if (unreadable.length > 0)
    throw new DocsError(
      `${join(folder, String(unreadable[0]))} has a compression that docs-org does not read; decompress such files, and name their folder with --versions FOLDER`,
    );
  const records = files.sort().flatMap((file) => {
    const [, stack = "", time, end] = /^(.+)(-\d+\.)history(\.json(?:\.gz)?)$/.exec(file) ?? [];
    return end === undefined ? [] : [{ file, stack, state: join(folder, `${stack}${time}checkpoint${end}`) }];
  });
  const stacks = [...new Set(records.map(({ stack }) => stack))];
  if (stacks.length > 1)
    throw new DocsError(
      `${folder} has versions of several stacks (${listNames(stacks)}); name a folder with those of one`,
    );
  return records.slice(-most).map(({ file, state }) => {
    const read = () => (existsSync(state) ? contentOf(state) : undefined);
    return { update: readUpdate(contentOf(join(folder, file)), file), read };
  });
}

/** The present state in a folder, in the form of `pulumi stack export`. `undefined` if it is not in a folder, or cannot be read. */
export function stateInFolder(project: Project, stack: string): ExportedState | undefined {
  const folder = folderOfState(project);
  if (folder === undefined) return undefined;
  const file = join(folder, ".pulumi", "stacks", project.name, `${stack}.json`);
  const existing = [file, `${file}.gz`].find((one) => existsSync(one));
  try {
    const state = existing === undefined ? undefined : exportedOf(contentOf(existing));
    return state?.deployment ? state : undefined;
  } catch {
    // The engine says what is wrong with the file.
    return undefined;
  }
}

const contentOf = (file: string): unknown =>
  attemptToRead(file, () => {
    const bytes = readFileSync(file);
    return JSON.parse(String(file.endsWith(".gz") ? gunzipSync(bytes) : bytes));
  });
