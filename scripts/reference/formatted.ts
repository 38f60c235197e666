import { execFileSync } from "node:child_process";
import path from "node:path";
import { root } from "./declarations";

/** Formats TypeScript with the project's formatter. */
export const formatted = (text: string): string => withFormatter(text, "provider/reference.ts");

export const formattedJson = (value: unknown): string => withFormatter(JSON.stringify(value), "reference.json");

function withFormatter(text: string, file: string): string {
  const command = path.join(root, "node_modules", "@biomejs", "biome", "bin", "biome");
  const args = [command, "check", "--write", `--stdin-file-path=${file}`];
  return execFileSync(process.execPath, args, { cwd: root, input: text, encoding: "utf8", stdio: "pipe" });
}
