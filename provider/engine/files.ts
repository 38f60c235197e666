import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

/** The files of an engine's folder. Some distributions omit the script, which the SDK has as well. */
export const CLI = "pulumi";
export const LANGUAGE_HOST = "pulumi-language-nodejs";
export const PROVIDER_SCRIPT = "pulumi-resource-pulumi-nodejs";

/** Folder of the installed SDK, which contains the script that starts dynamic providers. */
export function sdkFolder(): string {
  return path.dirname(createRequire(__filename).resolve("@pulumi/pulumi/package.json"));
}

export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** Whether the folder has both programs. Folders are put in place by a rename, so one with both programs is complete. */
export async function holdsEngine(folder: string): Promise<boolean> {
  return (await isExecutable(path.join(folder, CLI))) && (await isExecutable(path.join(folder, LANGUAGE_HOST)));
}
