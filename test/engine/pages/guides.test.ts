import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import { Terminal } from "../../../scripts/pages/terminal";
import { gettingStarted, inOneFolder, readme, takeOver, withEmulator } from "../../pages/journeys";
import { serveCli } from "../../support/served-cli";
import { settingsOf } from "../../support/settings";
import { writesOf } from "./reader";

/** Follows the pages as a reader does. Commands of the guides share a folder, a stack and an emulator: each finds what the one before has left. */

serveCli();

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
  guides = await terminal(settingsOf(emulator));
});
afterAll(async () => {
  for (const one of opened) await one.close();
  await emulator.close();
});

/** The README leaves out only the last line, which has the time. */
const whole = ({ content }: { readonly content: string }) => `${content.trimEnd()}\n\ndocs-org `;

it("manages an organization with the five commands of the README, whose review is the one that it shows", async () => {
  const { file, review, commands } = readme;
  const { output } = await (await terminal()).follow([file, commands]);
  expect(output).toContain(whole(review));
  expect(output).toMatch(/^Done: 3 created/m);
});

it("previews the program of the README, whose review is the one that it shows", async () => {
  const { output } = await (await terminal()).follow(readme.program);
  expect(output).toContain(whole(readme.programReview));
});

it("gets started: a file, drift, a program, its drift", async () => {
  const { output } = await (await terminal()).follow(gettingStarted);
  expect(output).toMatch(/femi@acme\.test \(user_femi\): role edit → admin/);
  expect(output).toMatch(/femi@acme\.test \(user_femi\): role admin → read outside Pulumi;/);
  expect(output).toMatch(/femi@acme\.test \(user_femi\): role admin → edit/);
  expect(output).toMatch(/~ title *: "Somebody else was here" => "Guide for partners"/);
  expect(output).toMatch(/^ +- \d deleted$/m);
});

it("takes over an organization without a change", async () => {
  const { output } = await guides.follow(takeOver);
  expect(output).toMatch(/^ += \d+ imported$/m);
  expect(writesOf(emulator)).toEqual([]);
  const single = JSON.parse(await readFile(path.join(guides.folder, "single.json"), "utf8"));
  expect(single.resources).toHaveLength(3);
});

it("reviews, verifies, audits, rotates the token and upgrades in the same folder", async () => {
  await guides.follow(inOneFolder);
  expect(await readFile(path.join(guides.folder, "review.md"), "utf8")).toContain("# ");
  expect(await readFile(path.join(guides.folder, "audit.html"), "utf8")).toContain("100");
  expect(writesOf(emulator)).toEqual([]);
});

it("starts emulators as the guide says", async () => {
  await (await terminal()).follow(withEmulator);
});
