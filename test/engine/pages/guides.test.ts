import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Emulator, type LoggedRequest, startEmulator } from "../../../provider/emulator";
import { type Block, blocksOf, pagesIn } from "../../../scripts/pages/page";
import { trial } from "../../../scripts/pages/readme";
import { Terminal } from "../../../scripts/pages/terminal";

/** Follows the pages as a reader does. Commands of the guides share a folder, a stack and an emulator: each finds what the one before has left. */

let emulator: Emulator;
let guides: Terminal;
const opened: Terminal[] = [];

async function terminal(environment: NodeJS.ProcessEnv = {}): Promise<Terminal> {
  const one = await Terminal.open(environment);
  opened.push(one);
  return one;
}

beforeAll(async () => {
  emulator = await startEmulator({ token: "trial" });
  const { url, token, organizationId } = emulator;
  guides = await terminal({ DOCS_BASE_URL: url, DOCS_TOKEN: token, DOCS_ORGANIZATION_ID: organizationId });
});
afterAll(async () => {
  for (const one of opened) await one.close();
  await emulator.close();
});

/** Guides that go on where the take-over ends, and guides that start an emulator of their own. */
const inOneFolder = [
  "reviews-in-ci",
  "audit",
  "token-rotation",
  "several-organizations",
  "published-sites",
  "interrupted-runs",
  "upgrading",
];
const withEmulator = ["emulator", "large-organizations"];

const runnable = (page: string): Block[] => blocksOf(page).filter(({ notRun }) => notRun === undefined);
const guide = (name: string): Block[] => runnable(`docs/guides/${name}.md`);
const commandsIn = (name: string): Block[] => guide(name).filter(({ language }) => language === "sh");
/** A search is a POST that changes nothing. */
const isRead = ({ method, row }: LoggedRequest) => method === "GET" || row === "searchSite";
const writes = () => emulator.log.filter((request) => !isRead(request)).map(({ method, path }) => `${method} ${path}`);

it("manages an organization with the five commands of the README, whose review is the one that it shows", async () => {
  const { file, review, commands } = trial();
  const { output } = await (await terminal()).follow([file, commands]);
  expect(output).toContain(review.content);
  expect(output).toMatch(/^Done: 3 created/m);
});

it("gets started: a file, drift, a program, its drift", async () => {
  const { output } = await (await terminal()).follow(runnable("docs/getting-started.md"));
  expect(output).toMatch(/femi@acme\.test \(user_femi\): role edit → admin/);
  expect(output).toMatch(/femi@acme\.test \(user_femi\): role read → admin/);
  expect(output).toMatch(/~ title *: "Somebody else was here" => "Guide for partners"/);
  expect(output).toMatch(/^ +- \d deleted$/m);
});

it("takes over an organization without a change", async () => {
  const { output } = await guides.follow(guide("take-over"));
  expect(output).toMatch(/^ += \d+ imported$/m);
  expect(writes()).toEqual([]);
  const single = JSON.parse(await readFile(path.join(guides.folder, "single.json"), "utf8"));
  expect(single.resources).toHaveLength(3);
});

it("reviews, verifies, audits, rotates the token and upgrades in the same folder", async () => {
  await guides.follow(inOneFolder.flatMap(commandsIn));
  expect(await readFile(path.join(guides.folder, "review.md"), "utf8")).toContain("# ");
  expect(await readFile(path.join(guides.folder, "audit.html"), "utf8")).toContain("100");
  expect(writes()).toEqual([]);
});

it.each(withEmulator)("starts an emulator as the guide says: %s", async (name) => {
  await (await terminal()).follow(commandsIn(name));
});

it("leaves out no guide with commands", () => {
  const followed = ["take-over", ...inOneFolder, ...withEmulator].map((name) => `docs/guides/${name}.md`);
  const withCommands = pagesIn("docs/guides").filter((page) =>
    runnable(page).some(({ language }) => language === "sh"),
  );
  expect(withCommands).toEqual(followed.sort());
});
