import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { docsOrg, emulate, freshFolder } from "../support/docs-org";

const organization = `organization: acme
members:
  # Founders
  ADA@acme.test: admin
  cem@acme.test: { role: edit, reason: "writes" } # since May
  user_dana: create
  # Would edit again after the decision
  user_eli: { role: review, reason: "project", expires: { on: 2027-01-31, then: edit } }
teams:
  team_writers:
    members:
      user_cem: owner # writes
      dana@acme.test: member
`;

/** Decisions by a part of the row. */
const decisions = {
  "user_ada` | `role": "lower to edit",
  "user_cem` | `role": "lower to read",
  "user_dana` | `role": "remove",
  "user_bea` | `role": "remove",
  "user_eli` | `role": "lower to guest",
  "user_cem` | `team Writers (team_writers)": "lower to member",
  "user_dana` | `team Writers (team_writers)": "remove",
  "user_hugo` | `team Support (team_support)": "remove",
};

let folder: string;
const certify = (...args: string[]) => docsOrg("certify", "review.md", ...args);
const read = (name: string) => readFileSync(path.join(folder, name), "utf8");
const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);

beforeEach(async () => {
  folder = freshFolder();
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
  await emulate();
  process.env.DOCS_NOW = "2026-11-26T09:00:00Z";
});

it("writes a sheet, compares the decisions with the service, and writes the open ones into the file", async () => {
  write("organization.yaml", organization);
  expect(await certify("--page", "review.html")).toMatchObject({ status: 0, stderr: "" });
  expect(read("review.html")).toContain("Without a decision");
  const rows = read("review.md").split("\n");
  const decided = rows.map((row) => {
    if (!row.includes("` | `")) return row;
    const [, decision = "keep"] = Object.entries(decisions).find(([part]) => row.includes(part)) ?? [];
    return row.replace(/( {2}\|){4}$/, ` ${decision} |  |  | ${decision === "keep" ? "" : "too much"} |`);
  });
  write(
    "review.md",
    decided.join("\n").replace("Reviewed by:", "Reviewed by: Zoe").replace("Reviewed on:", "Reviewed on: 2026-11-25"),
  );
  const { status, stdout, stderr } = await certify("--check", "--format", "json");
  expect([status, stderr]).toEqual([2, "docs-org: the access review is not finished\n"]);
  const { evidence, finished, findings } = JSON.parse(stdout);
  expect([evidence.organization, finished]).toEqual(["acme", false]);
  const kinds = findings.map(({ kind }: { kind: string }) => kind);
  expect(kinds.filter((kind: string) => kind === "open")).toHaveLength(Object.keys(decisions).length);
  expect(kinds.filter((kind: string) => kind !== "open")).toEqual(Array(13).fill("done"));
  const applied = await certify("--apply");
  expect(applied).toEqual({ status: 0, stderr: "", stdout: expect.toHaveWording("edits") });
  expect(read("organization.yaml")).toHaveWording("organization.yaml after the edits");
  expect(await certify("--apply")).toEqual({ status: 0, stderr: "", stdout: expect.toHaveWording("no edits") });
});

it("overwrites no sheet, and takes none of another organization", async () => {
  expect((await certify("--role", "admin", "--team", "team_writers")).status).toBe(0);
  const sheet = read("review.md");
  expect(await certify()).toMatchObject({ status: 1, stderr: expect.toHaveWording("existing sheet") });
  expect(await certify("--check", "--role", "admin")).toMatchObject({ status: 2 });
  process.env.DOCS_ORGANIZATION_ID = "beta";
  expect(await certify("--check")).toMatchObject({ status: 1, stderr: expect.toHaveWording("other organization") });
  expect(read("review.md")).toBe(sheet);
});

it("takes nobody for the person whose e-mail is shown as a name", async () => {
  const members = [
    { userId: "user_zoe", email: "zoe@acme.test", role: "admin" as const },
    { userId: "user_mallory", displayName: "zoe@acme.test", role: "read" as const },
  ];
  const teams = [{ id: "team_a", members: { user_zoe: "member", user_mallory: "owner" } as const }];
  await emulate({ seed: { organizations: { acme: { title: "Acme", members, teams } } } });
  write("organization.yaml", "organization: acme\nmembers:\n  zoe@acme.test: admin\n");
  expect(await certify()).toMatchObject({ status: 0, stderr: "" });
  // Owners before members, whatever their roles are.
  expect(read("review.md")).toMatch(/user_mallory` \| `team team_a` .*\n.*user_zoe` \| `team team_a` /);
  expect(read("review.md")).toContain("| `zoe@acme.test (hidden e-mail)` | `user_mallory` |");
  write(
    "review.md",
    read("review.md").replace(/(user_mallory.*?)( {2}\|){4}/, "$1 remove | Zoe | 2026-11-25 | unknown |"),
  );
  expect((await certify("--apply")).stdout).toContain("members.user_mallory: new:");
  expect(read("organization.yaml")).toContain("  zoe@acme.test: admin\n  user_mallory: { role: guest");
});

it.each([
  ["  zoe@acme.test: read", "", /Mallory.*: by hand, because the service hides .* may be zoe@acme\.test/],
  [
    "  user_mallory: read",
    "    members: { ada@acme.test: owner }\n    ignore: [user_mallory]",
    /Mallory.*by hand, because ignore/,
  ],
  [
    "  user_mallory: read",
    "    memberships: { ada@acme.test: owner }",
    /by hand, .*no line.* removed since the last up/,
  ],
])("leaves to people what could be a second line: %s", async (line, team, expected) => {
  const members = [
    { userId: "user_ada", email: "ada@acme.test", role: "admin" as const },
    { userId: "user_mallory", displayName: "Mallory", role: "read" as const },
  ];
  const teams = [{ id: "team_a", members: { user_ada: "owner", user_mallory: "owner" } as const }];
  await emulate({ seed: { organizations: { acme: { title: "Acme", members, teams } } } });
  write(
    "organization.yaml",
    `organization: acme\nmembers:\n${line}\nteams:\n  team_a:\n${team || "    members: {}"}\n`,
  );
  await certify();
  const rows = read("review.md").replace(
    /(user_mallory` \| `team.*?)( {2}\|){4}/,
    "$1 lower to member | Zoe | 2026-11-25 | x |",
  );
  write(
    "review.md",
    rows.replace(/(user_mallory` \| `role.*?)( {2}\|){4}/, "$1 lower to guest | Zoe | 2026-11-25 | x |"),
  );
  expect((await certify("--apply")).stdout).toMatch(expected);
});

it("claims no edit of a file that would have mistakes", async () => {
  const file = "organization: acme\nguards: { requiredAdmins: [ada@acme.test] }\nmembers:\n  ada@acme.test: admin\n";
  write("organization.yaml", file);
  await certify();
  write(
    "review.md",
    read("review.md").replace(/(user_ada` \| `role.*?)( {2}\|){4}/, "$1 remove | Zoe | 2026-11-25 | x |"),
  );
  const { ino } = statSync("organization.yaml");
  expect(await certify("--apply")).toMatchObject({
    status: 1,
    stdout: "",
    stderr: expect.stringMatching(/^docs-org: nothing was edited, .*requiredAdmins/s),
  });
  expect(read("organization.yaml")).toBe(file);
  // A killed command must not leave the mistakes: the file is the same one, and was not replaced twice.
  expect(statSync("organization.yaml").ino).toBe(ino);
});

it("lets the file give nobody more than was decided, also if the service was changed by hand since", async () => {
  const emulateWith = ({ cem = "edit", others = "edit" }: { cem?: "edit" | "read"; others?: "edit" | "admin" }) =>
    emulate({
      seed: {
        organizations: {
          acme: {
            title: "Acme",
            members: [
              { userId: "user_ada", email: "ada@acme.test", role: "admin" },
              { userId: "user_cem", email: "cem@acme.test", role: cem },
              { userId: "user_dan", email: "dan@acme.test", role: others },
              { userId: "user_eve", email: "eve@acme.test", role: others },
            ],
          },
        },
      },
    });
  await emulateWith({});
  write(
    "organization.yaml",
    "organization: acme\nmembers:\n  ada@acme.test: admin\n  cem@acme.test: create\n  dan@acme.test: edit\n  eve@acme.test: edit\n",
  );
  await certify();
  const decide = (user: string, decision: string) =>
    write(
      "review.md",
      read("review.md").replace(RegExp(`(${user}.*?)( {2}\\|){4}`), `$1 ${decision} | Zoe | 2026-11-25 | x |`),
    );
  decide("user_cem", "lower to read");
  const lower = "organization: acme\nmembers:\n  ada@acme.test: admin\n  cem@acme.test: guest\n";
  const before = read("organization.yaml");
  for (const file of [lower, lower.replace("guest", "{ role: guest, reason: left }")]) {
    write("organization.yaml", file);
    expect((await certify("--apply")).stdout).toContain("cem@acme.test: organization.yaml already gives no more");
    expect(read("organization.yaml")).toBe(file);
  }
  write("organization.yaml", before);
  decide("user_dan", "remove");
  decide("user_eve", "keep");
  await emulateWith({ cem: "read", others: "admin" });
  const { stdout } = await certify("--apply");
  expect(stdout).toMatch(
    /cem@acme.test: read .*\n.*dan@acme.test: \{ role: guest.*\nEdited 2 lines.*\n2 entries need a decision first/,
  );
  expect((await certify("--apply")).stdout).not.toContain("cem@acme.test");
});

it.each([
  ["--role", "reader"],
  ["--team", "team_none"],
])("writes no sheet that covers nobody, as with %s %s", async (...args) => {
  expect((await certify(...args)).status).not.toBe(0);
  expect(existsSync(path.join(folder, "review.md"))).toBe(false);
});
