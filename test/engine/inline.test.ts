import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { engineBench, program } from "./bench";

const { stackOf, done } = engineBench();

/** What a user runs beside a stack, with its settings and the engine on its PATH: one process for all of it. */
const script = program(`
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
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
const create = (stackName: string, program: any) =>
  LocalWorkspace.createOrSelectStack({ stackName, projectName: "docs-org-test", program }, { workDir: process.cwd() });
async function main() {
  const results: Record<string, unknown> = {};
  for (const [kind, make] of Object.entries({ declare, organization })) {
    const inline = await create(kind, make(""));
    await inline.up();
    const { changeSummary: again } = await inline.preview();
    inline.workspace.program = make("renamed-");
    // An organization that is renamed needs an alias.
    const { resourceChanges: renamed } = await inline.up().then(({ summary }: any) => summary, () => ({ resourceChanges: "refused" }));
    results[kind] = { again, renamed };
  }
  const wrong = await create("bad", async () => { new docs.Site("bad", { title: "a" }); });
  await wrong.preview().catch((error: Error) => { results.mistake = /title value .*/.exec(error.message)?.[0]; });
  console.log(JSON.stringify(results));
}
main().catch((error) => { console.error(error); process.exit(1); });
`);

it("applies, previews and renames programs of the Automation API in one process", async () => {
  const stack = await stackOf(program());
  await writeFile(path.join(stack.folder, "script.ts"), script.text);
  const run = stack.execute(process.execPath, ["-r", "ts-node/register/transpile-only", "script.ts"]);
  const { stdout } = done(await run);
  expect(JSON.parse(stdout.split("\n").find((line) => line.startsWith("{")) ?? "{}")).toEqual({
    mistake: expect.stringContaining('found "a" (1 character); use 2 to 128 characters'),
    declare: { again: { same: 3 }, renamed: { create: 2, delete: 2, same: 1 } },
    organization: { again: { same: 5 }, renamed: "refused" },
  });
});
