import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node" with { "resolution-mode": "import" };
import { compile } from "../../scripts/compiled";
import { ensureLanguages } from "../../scripts/engine";
import { languages, missingTools } from "../../scripts/language-tools";
import { root } from "../../scripts/stack";
import { refuseLogs } from "../support/engine-logs";

declare module "vitest" {
  interface ProvidedContext {
    /** PATH with the engine and its language hosts, PULUMI_HOME with the installed plugin, and a folder with the installed package. */
    languages: { path: string; home: string; project: string } | { failure: string };
  }
}

const run = promisify(execFile);

/** A setup that throws would end the whole run, so the tests of languages throw the error instead. */
export default function setup(project: TestProject): Promise<() => Promise<void>> {
  return prepare(project).catch((error: Error) => {
    project.provide("languages", { failure: `the setup of the tests of languages failed: ${error.message}` });
    return async () => undefined;
  });
}

/** Does once what every language needs: packs the package, and installs it and its plugin as `docs/languages.md` says. */
async function prepare(project: TestProject): Promise<() => Promise<void>> {
  await compile();
  // Tests of a language whose programs are missing are skipped, or fail with CI=true.
  if (languages.every((language) => missingTools(language).length > 0)) return async () => undefined;
  const { environment } = await ensureLanguages();
  const folder = await mkdtemp(path.join(tmpdir(), "docs-org-languages-"));
  const home = path.join(folder, "home");
  await refuseLogs(home);
  const empty = path.join(folder, "project");
  await mkdir(empty);
  const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const [packed] = JSON.parse((await run("npm", pack, { cwd: root })).stdout);
  await writeFile(path.join(empty, "package.json"), "{}");
  const install = ["install", "--no-audit", "--no-fund", "--prefer-offline", path.join(folder, packed.filename)];
  await run("npm", install, { cwd: empty, env: { ...process.env, ...project.config.env } });
  await run("npx", ["docs-org", "plugin", "install"], { cwd: empty, env: { ...environment, PULUMI_HOME: home } });
  project.provide("languages", { path: environment.PATH ?? "", home, project: empty });
  return () => rm(folder, { recursive: true, force: true });
}
