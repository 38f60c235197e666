import { DocsError } from "../api/http/errors";

/** Runs an action that writes a file or folder; a failure names the path and the reason. */
export function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new DocsError(`could not write ${path}: ${reasons[code ?? ""] ?? code ?? message}`, { cause: error });
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "this user may not write there",
  EEXIST: "a file has the name of the folder",
  EISDIR: "a folder has the name of the file",
  ENOENT: "its folder does not exist",
  ENOSPC: "the disk is full",
  ENOTDIR: "a file has the name of the folder",
  EROFS: "the disk is read-only",
};
