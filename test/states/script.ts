import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { ImportFile } from "../../provider/hosts/import-list";
import type { Stack } from "../../scripts/stack";
import { script } from "./everything";

/** Runs the script of a user in the folder of a stack's program. It writes `import.json` into that folder. */
export async function writeImportFile({ folder, environment }: Stack): Promise<ImportFile> {
  await writeFile(path.join(folder, "take-over.ts"), script);
  const typescript = ["-r", "ts-node/register/transpile-only"];
  const env = { ...process.env, ...environment };
  await promisify(execFile)(process.execPath, [...typescript, "take-over.ts"], { cwd: folder, env, timeout: 60_000 });
  return JSON.parse(await readFile(path.join(folder, "import.json"), "utf8"));
}

export const takeOverStack = (stack: Stack) =>
  stack.run("import", "--file", "import.json", "--protect=false", "--generate-code=false", "--yes", "--skip-preview");
