import path from "node:path";
import { isProgram } from "./browser";

/** The programs that programs of a language need, besides the engine. */
const tools = { typescript: ["npm"], python: ["python3"], go: ["go"], yaml: ["go"] } as const;
export type InstalledLanguage = keyof typeof tools;
export const installedLanguages = Object.keys(tools) as InstalledLanguage[];

/** The programs for a language that are not on PATH. Without Go, no language host can be built. */
export function missingTools(language: InstalledLanguage): string[] {
  const { PATH: searched = "" } = process.env;
  const folders = searched.split(path.delimiter).filter(path.isAbsolute);
  const needed = new Set<string>([...tools[language], ...tools.go]);
  return [...needed].filter((tool) => !folders.some((folder) => isProgram(path.join(folder, tool))));
}
