import { execFileSync } from "node:child_process";
import path from "node:path";
import { root } from "./declarations";

/** Formats TypeScript with the project's formatter. */
export function formatted(text: string): string {
  const command = path.join(root, "node_modules", "@biomejs", "biome", "bin", "biome");
  const args = [command, "check", "--write", "--stdin-file-path=provider/reference.ts"];
  return execFileSync(process.execPath, args, { cwd: root, input: text, encoding: "utf8", stdio: "pipe" });
}
