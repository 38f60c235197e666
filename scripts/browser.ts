import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome"];

/** Finds a Chromium: the program in `CHROMIUM`, otherwise the first one on PATH; `undefined` if there is none. */
export function findBrowser(): string | undefined {
  const { CHROMIUM: named, PATH: searched = "" } = process.env;
  if (named) {
    if (isProgram(named)) return named;
    throw new Error(`CHROMIUM is ${named}, which is not an executable program; set it to a Chromium, or unset it`);
  }
  const folders = searched.split(path.delimiter).filter(path.isAbsolute);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isProgram);
}

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

export const noBrowser = `there is no Chromium (CHROMIUM is not set, and none of ${names.join(", ")} is on PATH); install it (Debian: apt-get install chromium)`;
