import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { docsOrg, emulate, freshFolder } from "../support/docs-org";

const file = `organization: acme
members:
  # Founders
  ADA@acme.test: admin
  cem@acme.test: edit # writes
  gita@acme.test: { role: edit, sso: true }
teams: !include teams/all.yaml
`;
const teams = `team_writers:
  title: Writers
  members: { cem@acme.test: member } # all of them
team_support: { title: Support, memberships: {} }
team_engineers: { title: Engineers }
`;

beforeEach(async () => {
  const [folder, before] = [freshFolder(), process.cwd()];
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
  const emulator = await emulate();
  process.env.DOCS_NOW = "2026-11-26T09:00:00Z";
  mkdirSync("teams");
  writeFileSync("organization.yaml", file);
  writeFileSync("teams/all.yaml", teams);
  onTestFinished(() => expect(emulator.log.filter(({ method }) => method !== "GET")).toEqual([]));
});

const usual = { until: "2027-01-31", reason: "on call", more: [] as string[] };
function grant(person: string, role: string, options: Partial<typeof usual> = {}) {
  const { until, reason, more } = { ...usual, ...options };
  return docsOrg("grant", person, role, "--until", until, "--reason", reason, ...more);
}
const later = ["--from", "2027-01-15"];
const inTeam = (team: string, person: string, role = "member") => grant(person, role, { more: ["--team", team] });

it("writes lines of grants, after which people have what is declared or what they have, and says if these differ", async () => {
  const hostile = 'on call: #1 "a" }\u202e\n- x: {y}';
  const outputs = [
    await grant("CEM@acme.test", "admin"),
    await grant("user_jun", "edit", { until: "2026-11-26T18:00+01:00", reason: hostile }),
    await grant("lena@acme.test", "read"),
    await inTeam("team_writers", "cem@acme.test", "owner"),
    await inTeam("team_writers", "jun@acme.test"),
    await inTeam("team_support", "lena@acme.test", "owner"),
    await grant("kofi@acme.test", "edit"),
    await grant("hugo@acme.test", "review", { more: later }),
  ];
  expect(outputs.map(({ status, stderr }) => `${status}${stderr}`)).toEqual(Array(8).fill("0"));
  expect(outputs.flatMap(({ stdout }) => stdout.split("\n").slice(0, -2)).join("\n")).toHaveWording(
    "the lines of grants",
  );
  expect(readFileSync("organization.yaml", "utf8")).toHaveWording("organization.yaml after grants");
  expect(readFileSync("teams/all.yaml", "utf8")).toHaveWording("teams after grants");
  expect((await docsOrg("access", "--format", "json")).status).toBe(0);
});

it("writes an administrator that the guards miss since a grant has ended, and lets other commands look until then", async () => {
  const ended = "gita@acme.test: { role: admin, expires: { on: 2026-11-25, then: edit } }";
  const guards = "guards: { minAdmins: 2, requiredAdmins: [gita@acme.test] }";
  writeFileSync("organization.yaml", file.replace(/gita.*/, ended).replace("members:", `${guards}\nmembers:`));
  expect((await docsOrg("access")).status).toBe(0);
  expect((await docsOrg("doctor")).stdout).toMatch(/^OK +ends/m);
  expect((await grant("cem@acme.test", "admin")).status).toBe(0);
});

it.each<[what: string, run: () => ReturnType<typeof docsOrg>]>([
  ["a grant to nobody", () => grant("cen@acme.test", "admin")],
  ["a grant with a role that is none", () => grant("cem@acme.test", "owner")],
  ["a grant in a team that the file lacks", () => inTeam("team_writer", "cem@acme.test")],
  ["a grant in a team without a line", () => inTeam("team_engineers", "cem@acme.test")],
  ["a grant to a person with options", () => grant("gita@acme.test", "admin")],
  ["a grant of what the person has", () => grant("hugo@acme.test", "comment")],
  ["a grant of less than the person has", () => grant("ada@acme.test", "read")],
  ["a grant that is over", () => grant("cem@acme.test", "admin", { until: "2026-11-25" })],
  ["a grant until no day", () => grant("cem@acme.test", "admin", { until: "2027-02-30" })],
  ["a later grant to a person with a line", () => grant("cem@acme.test", "admin", { more: later })],
  ["a grant without a reason", () => grant("cem@acme.test", "admin", { reason: " " })],
])("refuses %s in one sentence", async (what, run) => {
  const { status, stdout, stderr } = await run();
  expect([status, stdout, stderr]).toEqual([1, "", expect.toHaveWording(what)]);
  expect([readFileSync("organization.yaml", "utf8"), readFileSync("teams/all.yaml", "utf8")]).toEqual([file, teams]);
});
