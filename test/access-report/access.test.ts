import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import type { AccessList, PersonAccess } from "../../provider/access-report/report";
import type { Emulator } from "../../provider/emulator";
import { exported } from "../audit/support";
import { docsOrg, emulate, freshFolder } from "../support/docs-org";

const file = `organization: acme
members:
  ADA@acme.test: { role: admin, reason: "=founder" }
  cem@acme.test: comment
  hugo@acme.test: { role: comment, expires: { on: 2026-12-10, then: remove } }
  eli@acme.test: { role: review, expires: { on: 2026-10-01, then: read } }
  zoe@acme.test: edit
  jun@acme.test: { role: admin, from: 2027-01-01 }
  user_gone: read
teams: !include teams/all.yaml
`;
const teams = `team_writers:
  title: Writers
  members:
    cem@acme.test: member
    gita@acme.test: { role: member, expires: { on: 2026-11-20, then: remove } }
    jun@acme.test: { role: owner, reason: cover, from: 2026-12-05 }
    zoe@acme.test: member
  ignore: [femi@*]
`;

let emulator: Emulator;
let folder: string;

beforeEach(async () => {
  emulator = await emulate();
  process.env.DOCS_NOW = "2026-11-26T09:00:00Z";
  process.env.DOCS_COMMIT = "0123456789abcdef";
  folder = freshFolder();
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
});

function declare() {
  mkdirSync("teams");
  writeFileSync("organization.yaml", file);
  writeFileSync(path.join("teams", "all.yaml"), teams);
}

async function listed(...args: string[]): Promise<AccessList> {
  const { status, stdout } = await docsOrg("access", "--format", "json", ...args);
  expect(status).toBe(0);
  return JSON.parse(stdout);
}

const named = ({ people }: AccessList, name: string) => people.find((one) => one.name === name) as PersonAccess;
const idsIn = ({ people }: AccessList) => people.map(({ userId, name }) => userId ?? name);

it("says of everybody what is live, and where the file and its includes declare it", async () => {
  declare();
  const list = await listed();
  expect(list).toMatchObject({ version: 1, organization: "acme", file: "organization.yaml", filters: [] });
  expect(list).toMatchObject({ evidence: { createdAt: "2026-11-26T09:00:00.000Z", commit: "0123456789abcdef" } });
  expect(idsIn(list)).toEqual([
    ...["user_ada", "user_bea", "user_cem", "user_dana", "user_eli", "user_femi", "user_gita", "user_hugo"],
    ...["user_ines", "user_jun", "user_kofi", "user_lena", "user_gone", "zoe@acme.test"],
  ]);
  const ada = { level: "admin", declared: { level: "admin", at: "organization.yaml:3", reason: "=founder" } };
  expect(named(list, "ada@acme.test")).toMatchObject({ userId: "user_ada", sso: false, role: ada });
  expect(named(list, "bea@acme.test").role).toEqual({ level: "admin" });
  const cem = named(list, "cem@acme.test");
  expect(cem.role).toMatchObject({ level: "create", declared: { level: "comment", at: "organization.yaml:4" } });
  expect(cem.teams).toMatchObject([
    { team: { title: "Writers" }, level: "owner", declared: { at: "teams/all.yaml:4" } },
  ]);
  const writers = (name: string) => named(list, name).teams.find(({ team }) => team?.id === "team_writers");
  expect(writers("femi@acme.test")).toMatchObject({ level: "member", isIgnored: true });
  expect(writers("dana@acme.test")).toEqual({ team: { id: "team_writers", title: "Writers" }, level: "member" });
  expect(named(list, "eli@acme.test").role.declared).toMatchObject({ expires: "2026-10-01", phase: "ended" });
  expect(named(list, "jun@acme.test").role).toMatchObject({
    level: "read",
    declared: { level: "admin", phase: "to begin" },
  });
  expect(named(list, "kofi@acme.test").state).toBe("disabled");
  expect(named(list, "zoe@acme.test")).toMatchObject({ state: "pending", role: { declared: { level: "edit" } } });
  expect(named(list, "user_gone").state).toBe("absent");
  expect(emulator.log.filter(({ method }) => method !== "GET")).toEqual([]);
});

it("needs neither a file nor a stack", async () => {
  const list = await listed();
  expect(list.file).toBeUndefined();
  expect(list.people.flatMap(({ role }) => role.declared ?? [])).toEqual([]);
  const { stdout } = await docsOrg("access");
  expect(stdout.replace(/\ndocs-org .*\n$/, "")).toHaveWording("access without a file");
});

it.each([
  [
    ["--role", "admin"],
    ["user_ada", "user_bea"],
  ],
  [
    ["--team", "team_writers", "--role", "create"],
    ["user_cem", "user_dana"],
  ],
  [
    ["--person", "BEA@acme.test", "--person", "user_lena"],
    ["user_bea", "user_lena"],
  ],
])("lists only some: %s", async (args, expected) => {
  const list = await listed(...args);
  expect(idsIn(list)).toEqual(expected);
  expect(list.filters).toHaveLength(args.length / 2);
});

it.each([
  [["undeclared-admin"], /1 person .*undeclared-admin/],
  [["inactive=90d"], /3 people .*inactive=90d/],
  [["inactive=52w"], undefined],
  [["no-sso", "expiring=30d"], /9 people .*no-sso\); 2 people .*expiring=30d/],
  // The grant has ended, and the person still has the role.
  [["expiring=2d"], /1 person .*expiring=2d/],
  [["inactive"], /--fail-on .*inactive. is invalid/],
  [["no-sso=3d"], /--fail-on .*no-sso=3d. is invalid/],
])("fails if asked: %s", async (conditions, expected) => {
  declare();
  const { status, stderr } = await docsOrg("access", ...conditions.flatMap((one) => ["--fail-on", one]));
  expect(status).toBe(expected ? 2 : 0);
  expect(stderr).toMatch(expected ?? /^$/);
});

it("adds what people may do in spaces, and says before how many requests that takes", async () => {
  const { stdout, stderr } = await docsOrg("access", "--spaces", "--person", "user_lena", "--format", "json");
  expect(stderr).toMatch(/^docs-org: reads the spaces of 1 member, one request/);
  expect(JSON.parse(stdout).people[0].spaces).toEqual([{ id: "guides", title: "Guides", permission: "comment" }]);
  expect(emulator.log.filter(({ path }) => /\/spaces/.test(path))).toHaveLength(1);
});

it("has a row for each person and place as CSV, without formulas", async () => {
  declare();
  const { stdout, stderr } = await docsOrg("access", "--format", "csv");
  const rows = stdout.trimEnd().split("\r\n");
  // The names of the columns, a row for the role of each person, and one for each membership.
  expect(rows).toHaveLength(1 + 14 + 13);
  const names = rows[0];
  expect(rows[1]).toHaveWording("a row of CSV");
  expect(stderr).toMatch(/commit 0123456789ab\.\n$/);
  expect((await docsOrg("access", "--format", "csv", "--team", "team_writers", "--role", "guest")).stdout).toBe(
    `${names}\r\n`,
  );
});

it("says since when and by which change, from versions of a stack, and collects both as evidence", async () => {
  declare();
  mkdirSync("copy");
  const roles = { user_ada: "admin", user_cem: "create", user_jun: "edit" };
  const outputs = { userIds: {}, previousRoles: { user_ada: "admin", user_cem: "edit" }, pending: [] };
  writeFileSync("copy/main-1.checkpoint.json", exported("main", { type: "MemberRoles", inputs: { roles }, outputs }));
  const environment = { "git.head": "0123456789abcdef" };
  const [startTime, endTime] = [1777593600, 1777593601];
  const record = {
    kind: "update",
    result: "succeeded",
    startTime,
    endTime,
    environment,
    resourceChanges: { create: 1 },
  };
  writeFileSync("copy/main-1.history.json", JSON.stringify(record));
  const list = await listed("--versions", "copy");
  const since = "2026-05-01T00:00:01Z";
  expect(list).toMatchObject({ evidence: { stack: "docs/main", stackVersion: since } });
  expect(named(list, "ada@acme.test").role.since).toEqual({ since: "before the stack" });
  expect(named(list, "cem@acme.test").role.since).toEqual({ since, version: since, commit: "0123456789abcdef" });
  for (const name of ["bea@acme.test", "jun@acme.test"])
    expect(named(list, name).role.since).toEqual({ gap: "not recorded" });
  expect((await docsOrg("access", "--versions", "copy")).stdout).toMatch(
    /cem@acme.test .* · since: 2026-05-01 00:00:01, commit 0123456789ab · /,
  );
  const collect = (file = "organization.yaml") => docsOrg("evidence", "collect", "q2", file, "--versions", "copy");
  writeFileSync("sha256sums", "");
  expect((await collect("sha256sums")).stderr).toMatch(/two files would have the name sha256sums/);
  writeFileSync("q2\n.md", "");
  expect((await collect("q2\n.md")).stderr).toMatch(/q2\\n\.md has a name with .* a control character/);
  expect(await collect()).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Sealed 5 files/) });
  expect((await docsOrg("evidence", "verify", "q2")).status).toBe(0);
  expect(await collect()).toMatchObject({ status: 1, stderr: expect.stringMatching(/q2 is not empty/) });
  const early = { ...record, startTime: startTime - 31_536_000, endTime: endTime - 31_536_000 };
  writeFileSync("copy/main-1.history.json", JSON.stringify(early));
  const { joinedAt, role } = named(await listed("--versions", "copy"), "cem@acme.test");
  expect(role.since).toEqual({ since: joinedAt, gap: "later" });
  for (const [what, inputs, more] of [
    ["other versions", { roles, organizationId: "beta" }, {}],
    ["versions of another service", { roles }, { __origin: "https://docs.test" }],
  ] as const) {
    const state = exported("main", { type: "MemberRoles", inputs, outputs: { ...outputs, ...more } });
    writeFileSync("copy/main-1.checkpoint.json", state);
    const { status, stdout, stderr } = await docsOrg("access", "--versions", "copy");
    expect([status, stdout, stderr.replaceAll(emulator.url, "URL")]).toEqual([1, "", expect.toHaveWording(what)]);
  }
});

it.each([
  [["--person", "bae@acme.test"], /use bea@acme\.test/],
  [["--role", "amdin"], /use guest, read, comment/],
])("refuses a filter that is mistyped: %s", async (args, expected) => {
  expect(await docsOrg("access", ...args)).toMatchObject({ status: 1, stderr: expect.stringMatching(expected) });
});

it("shows people in a table as a page, and in lists elsewhere", async () => {
  declare();
  const page = (await docsOrg("access", "--format", "html")).stdout;
  expect(page.split("<tr data-marked=").length - 1).toBe(14);
  expect(page).not.toContain('id="people-0"');
  expect(page).toMatch(/<section id="undeclared-admin"/);
  expect((await docsOrg("access", "--format", "markdown")).stdout).toMatch(
    /^<!-- docs-org access of acme -->\n## ⚠️ 12 people/,
  );
  const { stdout } = await docsOrg("access", "--team", "team_engineers", "--team", "team_writers");
  expect(stdout.replace(/\ndocs-org .*\n$/, "")).toHaveWording(
    "access to teams, with grants that have ended or not begun",
  );
});
