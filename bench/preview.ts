// npm run bench:preview: what a preview takes for each way to write a program, and what commands take. Writes the first
// tables into docs/concepts/start-up.md; with --bounds, it measures only what has a bound, and writes nothing.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { startEmulator } from "../provider/emulator";
import type { Stack } from "../scripts/stack";
import { machine } from "./machine";
import { aligned, markdown, verdictTable } from "./report";
import { OrganizationFolder, organizationId, seed } from "./starts/commands";
import { measureLoads } from "./starts/modules";
import { writeTables } from "./starts/page";
import { bounded, floors, options, type Project, stackOf } from "./starts/projects";
import { boundsOf, loadsTable, timesTable } from "./starts/tables";
import { inTurns, preview, type Times, type Work } from "./starts/turns";

const runs = { bounded: 9, short: 9, options: 3 } as const;
/** Made first and removed last. */
const made: { remove(): Promise<unknown> }[] = [];

async function main(): Promise<boolean> {
  const { values } = parseArgs({ options: { bounds: { type: "boolean" } } });
  const emulator = await startEmulator({ seed, organizationId });
  made.push({ remove: () => emulator.close() });
  const settings = { DOCS_BASE_URL: emulator.url, DOCS_TOKEN: emulator.token, DOCS_ORGANIZATION_ID: organizationId };
  const folder = await OrganizationFolder.create(settings);
  made.push(folder);

  const projects = { ...bounded, ...floors, before: options.before };
  const previews = { ...(await worksFor(projects, settings)), commands: () => folder.docsOrg("preview") };
  // Once more, so that what is kept between previews is there.
  await inTurns(1, previews);
  const saved = await folder.savePreview();
  const commands = { review: () => folder.docsOrg("review", saved), help: () => folder.docsOrg("--help") };
  const times = { ...(await inTurns(runs.bounded, previews)), ...(await inTurns(runs.short, commands)) };

  const words = { ...wordsOf(projects), commands: "`docs-org preview` of an organization with 50 people" };
  const bounds = boundsOf(words, times);
  const verdicts = verdictTable(bounds);
  const table = timesTable(words, times);
  print(`Medians of ${runs.bounded} previews`, table);
  print("Bounds", verdicts);
  if (!values.bounds) await measureOptions(settings, [verdicts, table]);
  return bounds.every(({ holds }) => holds);
}

/** What other settings cost, and what processes load; these have no bounds. */
async function measureOptions(settings: NodeJS.ProcessEnv, tables: Parameters<typeof markdown>[0][]): Promise<void> {
  const others = { empty: bounded.empty, default: bounded.first, ...options };
  const works = await worksFor(others, settings);
  await inTurns(1, works);
  const times: Times = await inTurns(runs.options, works);
  const { empty: _, ...rows } = wordsOf(others);
  const table = timesTable({ ...rows, default: "the default settings" }, times);
  print(`Medians of ${runs.options} previews with other settings`, table);
  print("What is loaded", loadsTable(await measureLoads()));
  const facts = [["part", "what"], ...Object.entries(await machine())];
  await writeTables([...tables, facts].map(markdown));
}

const wordsOf = (projects: Readonly<Record<string, Project>>): Record<string, string> =>
  Object.fromEntries(Object.entries(projects).map(([name, { words }]) => [name, words]));

async function worksFor<Name extends string>(
  projects: Readonly<Record<Name, Project>>,
  settings: NodeJS.ProcessEnv,
): Promise<Record<Name, Work>> {
  const works: Partial<Record<Name, Work>> = {};
  for (const [name, project] of Object.entries(projects) as [Name, Project][]) {
    const stack = await stackOf(project, settings);
    made.push(stack);
    works[name] = project.isFirst ? () => previewFirst(stack) : () => preview(stack);
  }
  return works as Record<Name, Work>;
}

async function previewFirst(stack: Stack): Promise<void> {
  const cache = await mkdtemp(path.join(tmpdir(), "docs-org-cache-"));
  stack.environment.XDG_CACHE_HOME = cache;
  await preview(stack);
  await rm(cache, { recursive: true, force: true });
}

function print(title: string, table: Parameters<typeof aligned>[0]): void {
  console.log(`${title}:\n${aligned(table)}\n`);
}

main()
  .catch((error: Error) => {
    console.error(error.message);
    return false;
  })
  .then(async (holds) => {
    for (const one of made.reverse()) await one.remove();
    process.exitCode = holds ? 0 : 1;
  });
