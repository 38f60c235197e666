import { readdir, readFile, readlink } from "node:fs/promises";

export interface Process {
  readonly id: number;
  readonly command: string;
}

/** The processes that run in this folder: the engine's, the program's and the provider's. */
export async function processesIn(folder: string): Promise<Process[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(ids.map(processOf));
  return all.filter((one) => one.folder === folder);
}

/** A process that has ended meanwhile has neither a folder nor a command. */
async function processOf(id: string): Promise<Process & { readonly folder: string }> {
  const folder = await readlink(`/proc/${id}/cwd`).catch(() => "");
  const command = await readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "");
  return { id: Number(id), folder, command: command.replaceAll("\0", " ").trim() };
}
