import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { DocsError } from "../api/http/errors";

/** Runs an action that writes a file or folder; a failure names the path and the reason. */
export function attemptToWrite<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new DocsError(`could not write ${path}: ${whyNotWritten(error)}`, { cause: error });
  }
}

/** Runs an action that reads a file or folder; a failure names it and the reason. */
export function attemptToRead<T>(name: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw notRead(name, error);
  }
}

export const notRead = (name: string, error: unknown): DocsError =>
  new DocsError(`could not read ${name}: ${whyNotRead(error)}`, { cause: error });

/** How the name of a file ends that was not written to its end: a killed command has left it. */
export const endOfPart = ".part";

/** Writes a file by a rename, which is atomic: a killed command leaves the old file or the new one. */
export function replaceFile(file: string, text: string | Buffer): void {
  const scratch = `${file}.${process.pid}${endOfPart}`;
  attemptToWrite(file, () => {
    try {
      writeFileSync(scratch, text);
      renameSync(scratch, file);
    } finally {
      rmSync(scratch, { force: true });
    }
  });
}

/** `0` is the standard input. */
export const readFileText = (file: string | 0, name: string): string =>
  attemptToRead(name, () => readFileSync(file, "utf8"));

/** `undefined` if the text is no JSON, for callers that refuse this like any other unexpected value. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const whyNotRead = (error: unknown): string => reasonIn(ofReading, error);

export const whyNotWritten = (error: unknown): string => reasonIn(ofWriting, error);

const missing = "there is no such file; check the name and the current folder";
const unreadable = "this user may not read it; check its permissions";
const ofReading: Readonly<Record<string, string>> = {
  ENOENT: missing,
  ENOTDIR: missing,
  EISDIR: "it is a folder, not a file",
  EACCES: unreadable,
  EPERM: unreadable,
  // The code of a standard input without data.
  EAGAIN: "it has no data; use a file, or pipe one in",
};

const ofWriting: Readonly<Record<string, string>> = {
  EACCES: "this user may not write there",
  EEXIST: "a file has the name of the folder",
  EISDIR: "a folder has the name of the file",
  ENOENT: "its folder does not exist",
  ENOSPC: "the disk is full",
  ENOTDIR: "a file has the name of the folder",
  EROFS: "the disk is read-only",
};

function reasonIn(reasons: Readonly<Record<string, string>>, error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}
