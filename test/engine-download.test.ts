import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { automationApi } from "../provider/engine/automation";
import type { Stage } from "../provider/engine/install";

interface Downloaded {
  readonly log: string[];
  readonly installed: string[];
  readonly failure: unknown;
}

/** Runs a download whose installer fails a number of times before it succeeds. */
async function download(failures: number, environment: NodeJS.ProcessEnv = {}): Promise<Downloaded> {
  const home = await mkdtemp(path.join(tmpdir(), "engine-download-"));
  onTestFinished(() => rm(home, { recursive: true }));
  const [folder, scratch, installer] = ["engine", "scratch", "installer.js"].map((name) => path.join(home, name));
  for (const made of [folder, scratch]) await mkdir(made as string);
  // An interrupted attempt leaves a part of its files.
  await writeFile(
    installer as string,
    `const fs = require("node:fs");
const [root, version] = process.argv.slice(2);
fs.appendFileSync("${home}/attempts", "x");
fs.writeFileSync(root + "/part", "", { flag: "wx" });
console.log("fetching " + version);
if (fs.readFileSync("${home}/attempts").length <= ${failures}) { console.error("connection reset"); process.exit(1); }
fs.mkdirSync(root + "/bin");
fs.writeFileSync(root + "/bin/pulumi", "");`,
  );
  const log: string[] = [];
  const { signal } = new AbortController();
  const stage = { folder, scratch, environment, signal, log: (line: string) => log.push(line) } as Stage;
  const failure = await automationApi([installer as string], [1, 2])
    .install(stage)
    .catch((error: Error) => error.message);
  return { log, installed: await readdir(folder as string), failure };
}

test("tries a failed download again, from the beginning", async () => {
  expect(await download(2)).toEqual({
    installed: ["pulumi"],
    failure: undefined,
    log: [
      "that failed: connection reset; trying again in 0.001 s",
      "that failed: connection reset; trying again in 0.002 s",
    ],
  });
});

test("ends after three attempts, with the reason", async () => {
  expect(await download(3)).toMatchObject({ installed: [], failure: "connection reset", log: { length: 2 } });
});

test("DOCS_LOG=debug shows what the installer prints", async () => {
  const { log } = await download(0, { DOCS_LOG: "debug" });
  expect(log).toEqual([expect.stringMatching(/^ {2}\| fetching \d+\.\d+\.\d+$/)]);
});
