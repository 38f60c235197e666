import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { DocsError } from "../../provider/api/http/errors";
import { loadOrganization } from "../../provider/organization/file/loader";

export const now = new Date("2026-12-01T12:00:00Z");

/** Writes files into a folder that exists for the running test, and returns the folder. */
export function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "organization-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

export const loadIn = (folder: string) => loadOrganization(join(folder, "organization.yaml"), { now });

export const load = (files: Readonly<Record<string, string | Buffer>>) => loadIn(folderWith(files));

/** The message of the error; fails if nothing is refused. */
export function messageOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof DocsError) return error.message;
    throw error;
  }
  throw new Error("nothing was refused");
}

/** What is wrong with the files of a folder, without the name of the folder. */
export function refusalOf(folder: string, action: () => unknown = () => loadIn(folder)): string {
  return messageOf(action).replaceAll(`${folder}/`, "");
}

/** The same without the quoted lines. */
export const mistakesInFolder = (folder: string): string[] =>
  refusalOf(folder)
    .split("\n")
    .filter((line) => !/^ +\d* \| /.test(line));
