import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome"];

/** The Chromium of this machine: the one that `CHROMIUM` names, else the first on PATH; `undefined` where there is none. */
export function findBrowser({ CHROMIUM: named, PATH: searched = "" }: NodeJS.ProcessEnv = process.env) {
  if (named) {
    if (isProgram(named)) return named;
    throw new Error(`CHROMIUM names ${named}, which is no program that can be run; name a Chromium, or leave it out`);
  }
  const folders = searched.split(path.delimiter).filter(path.isAbsolute);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Why there is nothing to open pages in, and what to do about it. */
export const noBrowser = `there is no Chromium (CHROMIUM is not set, and none of ${names.join(", ")} is on PATH); install it (Debian: apt-get install chromium)`;

/** Where a change is to land, a missing browser is an error; elsewhere the tests that need one are skipped. */
export const browserIsNeeded = ({ CI = "" }: NodeJS.ProcessEnv = process.env): boolean =>
  !["", "0", "false"].includes(CI);
