import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import type { PageBlock } from "../../../scripts/pages/page";
import { Terminal } from "../../../scripts/pages/terminal";
import { changeRequests, lostState, lostStateOfProgram, movedResource, movedState } from "../../pages/journeys";
import { serveCli } from "../../support/served-cli";
import { settingsOf } from "../../support/settings";
import { writesOf } from "./reader";

/** Follows pages that a reader opens without having followed others, each in a folder of its own. */

serveCli();

let emulator: Emulator;
let terminal: Terminal;
beforeAll(async () => {
  emulator = await startEmulator({ token: "trial" });
});
beforeEach(async () => {
  emulator.resetRequests();
  return () => terminal.close();
});
afterAll(() => emulator.close());

it("takes over without a program, and moves the local state to a bucket, without a change", async () => {
  terminal = await Terminal.openWithoutLogin(settingsOf(emulator));
  const { output } = await terminal.follow(movedState);
  expect(output).toMatch(/^Stack main manages \d+ resources .* its preview shows no change/m);
  expect(output).toMatch(/Nothing changes\.$/m);
  expect(writesOf(emulator)).toEqual([]);
});

it("brings back a lost state of a folder without a write", async () => {
  terminal = await Terminal.openWithoutLogin(settingsOf(emulator));
  const { output } = await terminal.follow([...movedState.slice(0, 1), run("rm -r .docs-org"), ...lostState]);
  expect(output.match(/^Stack main manages 13 resources .* its preview shows no change/gm)).toHaveLength(2);
  expect(writesOf(emulator)).toEqual([]);
});

it.each(["dynamic", "plugin"])("brings back a lost state of a program without a write (%s)", async (host) => {
  terminal = await Terminal.open(settingsOf(emulator));
  const exporting = run(`npm install pulumi-docs-org\nnpx docs-org export --out . --name acme --host ${host}`);
  const { output } = await terminal.follow([exporting, ...lostStateOfProgram]);
  for (const id of ["site_handbook", "saml_partners", "translation_ja"]) expect(output).toContain(id);
  expect(writesOf(emulator)).toEqual([]);
});

it("lists change requests, none of which is outdated or old", async () => {
  const open = {
    id: "cr_new",
    subject: "Explain rollback",
    status: "open",
    createdAt: new Date().toISOString(),
  } as const;
  const spaces = [{ id: "guides", title: "Guides", changeRequests: [open] }];
  const other = await startEmulator({ seed: { organizations: { acme: { spaces } } } });
  terminal = await Terminal.open(settingsOf(other));
  await terminal.follow(changeRequests);
  for (const file of ["change-requests.html", "report.md"]) {
    expect(await readFile(path.join(terminal.folder, file), "utf8")).toContain("Explain rollback");
  }
  expect(writesOf(other)).toEqual([]);
  await other.close();
});

it("moves a resource to another stack without a write", async () => {
  terminal = await Terminal.open(settingsOf(emulator));
  const site = 'export const id = new docs.Site("handbook", { title: "For partners", published: true }).id;\n';
  await terminal.follow([...project("first", site), ...project("second"), run("cd first\npulumi up --yes")]);
  expect(emulator.requests().createSite).toBe(1);
  emulator.resetRequests();
  const [second, first] = movedResource as [PageBlock, PageBlock];
  const id = run("cd first\nid=$(pulumi stack output id)\ncd ../second");
  const importing = { ...second, content: second.content.replace("site_handbook", '"$id"') };
  const withoutSite = [run("cd .."), ...project("first").slice(0, 1), run("cd first")];
  const { output } = await terminal.follow([id, importing, ...withoutSite, first]);
  expect(output).toMatch(/^ += 1 imported$/m);
  expect(output).toMatch(/^Resource deleted$/m);
  expect(writesOf(emulator)).toEqual([]);
});

/** A folder with a program, and its stack. */
function project(name: string, program = ""): PageBlock[] {
  return [
    file(`${name}/index.ts`, `import * as docs from "pulumi-docs-org";\n${program}`),
    file(`${name}/Pulumi.yaml`, `name: ${name}\nruntime: nodejs\nmain: index.ts\n`),
    run(`(cd ${name} && pulumi stack init dev)`),
  ];
}

const block = { page: "", section: "", line: 0 };
const run = (content: string): PageBlock => ({ ...block, language: "sh", content: `${content}\n` });
const file = (name: string, content: string): PageBlock => ({ ...block, language: "", content, file: name });
