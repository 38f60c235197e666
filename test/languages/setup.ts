import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node" with { "resolution-mode": "import" };
import { compile } from "../../scripts/compiled";
import { ensureLanguages } from "../../scripts/engine";
import { installedLanguages, missingTools } from "../../scripts/language-tools";
import { root } from "../../scripts/stack";
import { refuseLogs } from "../support/engine-logs";

declare module "vitest" {
  interface ProvidedContext {
    /** A file with what `prepare` has found. It appears while other tests run. */
    languages: string;
  }
}

/** PATH with the engine and its language hosts, PULUMI_HOME with the installed plugin, and a folder with the installed package. */
export type Prepared =
  | { readonly path: string; readonly home: string; readonly project: string }
  | { readonly failure: string };

const run = promisify(execFile);

/** Prepares in the background: installing waits more than it computes. A failure is one of the tests of languages. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await compile();
  const folder = await mkdtemp(path.join(tmpdir(), "docs-org-languages-"));
  const file = path.join(folder, "prepared.json");
  project.provide("languages", file);
  const prepared = prepare(folder, { ...process.env, ...project.config.env })
    .catch(({ message }: Error) => ({ failure: `the setup of the tests of languages failed: ${message}` }))
    .then(async (result: Prepared) => {
      await writeFile(`${file}.new`, JSON.stringify(result));
      await rename(`${file}.new`, file);
    });
  return async () => {
    await prepared;
    await rm(folder, { recursive: true, force: true });
  };
}

/** Does once what every language needs: packs the package, and installs it and its plugin as `docs/languages.md` says. */
async function prepare(folder: string, env: NodeJS.ProcessEnv): Promise<Prepared> {
  // Tests of a language whose programs are missing are skipped, or fail with CI=true.
  if (installedLanguages.every((language) => missingTools(language).length > 0))
    return { failure: "no language is installed" };
  const { environment } = await ensureLanguages();
  const home = path.join(folder, "home");
  await refuseLogs(home);
  const empty = path.join(folder, "project");
  await mkdir(empty);
  const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const [packed] = JSON.parse((await run("npm", pack, { cwd: root })).stdout);
  await writeFile(path.join(empty, "package.json"), "{}");
  const install = ["install", "--no-audit", "--no-fund", "--prefer-offline", path.join(folder, packed.filename)];
  await run("npm", install, { cwd: empty, env });
  await run("npx", ["docs-org", "plugin", "install"], { cwd: empty, env: { ...environment, PULUMI_HOME: home } });
  return { path: environment.PATH ?? "", home, project: empty };
}
