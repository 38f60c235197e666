import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import type { Stack } from "../../scripts/stack";
import { engineBench, program } from "./bench";

const bench = engineBench();

/** Runs a script of a user beside a stack, with its settings and the engine on its PATH: one process for all of it. */
async function runScript(stack: Stack, ...lines: string[]): Promise<unknown> {
  const text = [
    "async function main() {",
    ...lines,
    "}",
    "main().catch((error) => { console.error(error); process.exit(1); });",
  ];
  await writeFile(path.join(stack.folder, "script.ts"), program(...text).text);
  const outcome = await stack.execute(process.execPath, ["-r", "ts-node/register/transpile-only", "script.ts"]);
  if (outcome.status !== 0) throw new Error(outcome.output);
  return JSON.parse(outcome.stdout.split("\n").find((line) => line.startsWith("{")) ?? "{}");
}

const declared = `
  const declare = (prefix: string) => async () => {
    new docs.MemberRole(prefix + "ines", { user: "ines@acme.test", role: "edit", onRelease: "leave" });
    new docs.TeamMembers(prefix + "writers", {
      teamId: "team_writers",
      members: { "cem@acme.test": "owner", "dana@acme.test": "member", "femi@acme.test": "member" },
      onRelease: "leave",
    });
  };
  const organization = (prefix: string) => async () => {
    new docs.Organization(prefix + "acme", {
      organization: "acme",
      members: { "ada@acme.test": "admin", "bea@acme.test": "admin", "ines@acme.test": "edit" },
      onRelease: "leave",
      sites: { guide: { title: "Guide", protect: false } },
    });
  };
`;

it("previews, applies and renames programs of the Automation API in one process", async () => {
  const stack = await bench.stackOf(program());
  const result = await runScript(
    stack,
    'const { LocalWorkspace } = require("@pulumi/pulumi/automation");',
    declared,
    "const results: Record<string, unknown> = {};",
    "const create = (stackName: string, program: any) =>",
    '  LocalWorkspace.createOrSelectStack({ stackName, projectName: "docs-org-test", program }, { workDir: process.cwd() });',
    "for (const [kind, make] of Object.entries({ declare, organization })) {",
    '  const inline = await create(kind, make(""));',
    "  await inline.up();",
    "  const { changeSummary: again } = await inline.preview();",
    '  inline.workspace.program = make("renamed-");',
    // An organization that is renamed needs an alias.
    '  const { resourceChanges: renamed } = await inline.up().then(({ summary }: any) => summary, () => ({ resourceChanges: "refused" }));',
    "  results[kind] = { again, renamed };",
    "}",
    'const wrong = await create("bad", async () => { new docs.Site("bad", { title: "a" }); });',
    "await wrong.preview().catch((error: Error) => { results.mistake = /title value .*/.exec(error.message)?.[0]; });",
    "console.log(JSON.stringify(results));",
  );
  expect(result).toEqual({
    mistake: expect.stringContaining('found "a" (1 character); use 2 to 128 characters'),
    declare: { again: { same: 3 }, renamed: { create: 2, delete: 2, same: 1 } },
    organization: { again: { same: 5 }, renamed: "refused" },
  });
});

it("builds a program with docs.Organization several times in one unit test, and refuses real duplicates", async () => {
  const stack = await bench.stackOf(program());
  const result = await runScript(
    stack,
    declared,
    'const newResource = ({ name, inputs }: any) => ({ id: name + "-id", state: { ...inputs, urls: {} } });',
    'const mocks = () => pulumi.runtime.setMocks({ newResource, call: () => ({ outputs: {} }) }, "project", "stack", false, "organization");',
    "const ids = (acme: any) => new Promise((resolve) => acme.siteIds.apply(resolve));",
    "const build = (prefix: string) => {",
    '  const args: any = { organization: "acme", members: { "ada@acme.test": "admin" }, sites: { guide: { title: "Guide" } } };',
    '  return new docs.Organization(prefix + "acme", args);',
    "};",
    "const results: any = {};",
    'await mocks(); results.first = await ids(build(""));',
    'results.sameMocks = await ids(build(""));',
    'await mocks(); results.second = await ids(build(""));',
    'await mocks(); results.renamed = await ids(build("renamed-"));',
    'try { build("other-"); } catch (error) { results.duplicate = (error as Error).message; }',
    "console.log(JSON.stringify(results));",
    // The component releases the run once its outputs are registered.
    "await new Promise(setImmediate); process.exit(0);",
  );
  expect(result).toEqual({
    first: { guide: "acme-guide-id" },
    sameMocks: { guide: "acme-guide-id" },
    second: { guide: "acme-guide-id" },
    renamed: { guide: "renamed-acme-guide-id" },
    duplicate: expect.stringContaining(
      'Organization "renamed-acme" of this program already declares organization "acme"',
    ),
  });
});
