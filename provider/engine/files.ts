import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, chmod, copyFile, readFile, rename, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

/** The three files of an engine's folder; for the third one see refreshProviderScript. */
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

/**
 * Copies the SDK's script beside the engine, where the engine finds it without a warning. After an upgrade of the SDK, the copy
 * is replaced by a rename, because another process may be starting it.
 */
export async function refreshProviderScript(folder: string): Promise<void> {
  const source = path.join(sdkFolder(), PROVIDER_SCRIPT);
  const target = path.join(folder, PROVIDER_SCRIPT);
  if ((await isExecutable(target)) && (await isSame(source, target))) return;
  const fresh = `${target}.${randomUUID()}`;
  await copyFile(source, fresh);
  await chmod(fresh, 0o755);
  await rename(fresh, target);
}

async function isSame(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([readFile(one), readFile(other)]);
  return a.equals(b);
}
