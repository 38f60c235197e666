import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, chmod, copyFile, readFile, rename, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

/** The three files that one folder must hold; see refreshProviderScript for the third. */
export const CLI = "pulumi";
export const LANGUAGE_HOST = "pulumi-language-nodejs";
export const PROVIDER_SCRIPT = "pulumi-resource-pulumi-nodejs";

/** The installed SDK's folder, which has the script that starts dynamic providers. */
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

/** True if the folder has both programs. Installed folders get their name by a rename, so what has both is whole. */
export async function holdsEngine(folder: string): Promise<boolean> {
  return (await isExecutable(path.join(folder, CLI))) && (await isExecutable(path.join(folder, LANGUAGE_HOST)));
}

/**
 * Puts the SDK's script beside the engine, where the engine looks without a warning. It follows the SDK that is installed:
 * after an upgrade the copy is replaced by a rename, since another process may be starting it right now.
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
