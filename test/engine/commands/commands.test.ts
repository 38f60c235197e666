import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { organizationVariable } from "../../../provider/organization/file/reader";
import { type CommandOutcome, root, type Stack } from "../../../scripts/stack";
import { engineBench, program } from "../bench";
import { cli, Folder, organizationText, sharedFolder, stackOfProgram } from "./folder";

const bench = engineBench();
const { stackOf, settings, done, refused, takeWrites } = bench;

// Stacks get a passphrase here, as those of users do.
const shared = sharedFolder(() => ({ ...settings(), PULUMI_OPTION_SECRETS_PROVIDER: "" }));

const roleOf = async (userId: string) => (await bench.client.getMember({ organizationId: "acme", userId })).role;

describe("a folder that has only organization.yaml", () => {
  const plan = ["--plan", "plan.json"];
  const failing = ["preview", "--fail-on", "change"];
  const write = (text: string) => shared.folder.write("organization.yaml", text);
  const docsOrg = (...args: string[]) => shared.folder.docsOrg(args);
  const setRole = (userId: string, role: "admin" | "read" | null) =>
    bench.client.updateMember({ organizationId: "acme", userId, body: { role } });

  it("gets a backend and a stack by the first preview, which changes nothing", async () => {
    await write(organizationText);
    const first = done(
      await docsOrg("preview", ...plan),
      /no backend was chosen.*\.docs-org\/state/,
      /made the stack main/,
    );
    expect(first.stdout).toMatch(/^No change of access, 5 people/);
    expect(await shared.folder.read(".docs-org/.gitignore")).toBe("*\n");
    expect(takeWrites()).toEqual([]);
  });

  it("is brought about as reviewed, with the requests of a debug log", async () => {
    const upped = done(
      await shared.folder.docsOrg(["up", "--yes", ...plan], { DOCS_LOG: "debug" }),
      /created Site acme-guide/,
      /^Done: 3 created, in .* s\.$/m,
    );
    expect(takeWrites()).toContain("POST /v1/orgs/acme/sites");
    // What the provider says, in its own process, is shown while the engine works.
    expect(upped.stderr).toMatch(/^docs-org: GET \/v1\/orgs\/acme\/members 200 \d+ ms, attempt 1$/m);
    const outputs = done(await docsOrg("outputs", "--format", "json")).stdout;
    expect(JSON.parse(outputs)).toMatchObject({
      sites: { guide: { id: expect.any(String), app: expect.any(String) } },
    });
  });

  it("is an ordinary project, on which commands of the engine work with the same passphrase", async () => {
    // A program in a folder without packages finds the SDK here.
    const sdk = { NODE_PATH: path.join(root, "node_modules") };
    done(await shared.folder.pulumi(["preview", "--stack", "main", "--refresh", "--expect-no-changes"], sdk));
    const refusal = await shared.folder.docsOrg(["preview"], { PULUMI_CONFIG_PASSPHRASE: "another" });
    refused(refusal, /the stack was made with another passphrase; set PULUMI_CONFIG_PASSPHRASE/);
  });

  it("shows a risk with status 2, and makes the change", async () => {
    await write(organizationText.replace("cem@acme.test: create", "cem@acme.test: admin"));
    const risky = await docsOrg(...failing, "--format", "json");
    expect(risky.status).toBe(2);
    const gain = { kind: "new-administrator", subject: "user_cem" };
    expect(JSON.parse(risky.stdout)).toMatchObject({
      ...{ project: "acme", stack: "main", organizations: ["acme"] },
      risks: [gain],
    });
    expect(takeWrites()).toEqual([]);
    done(await docsOrg("up", "--yes"), /updated MemberRoles acme-members/, /^Done: 1 updated/m);
    expect(await roleOf("user_cem")).toBe("admin");
  });

  it("finds an administrator who was made by hand, and lowers and forgets them by changes of the file", async () => {
    await setRole("user_hugo", "admin");
    takeWrites();
    const nightly = await docsOrg(...failing, "--format", "json");
    expect(nightly.status).toBe(2);
    expect(JSON.parse(nightly.stdout).risks).toMatchObject([{ kind: "undeclared-administrator", severity: "high" }]);
    const { stdout: unchanged } = done(await docsOrg("up", "--yes"));
    expect(unchanged.replace(/\ndocs-org .*\n/, "")).toHaveWording("an up beside an undeclared administrator");
    const lowering = organizationText.replace("  cem@acme.test: create", "  cem@acme.test: admin\n  user_hugo: guest");
    await write(lowering);
    done(await docsOrg("up", "--yes"), /user_hugo.*: role admin → guest/, /^Done: 1 updated/m);
    expect([await roleOf("user_hugo"), takeWrites()]).toEqual([null, ["PATCH /v1/orgs/acme/members/user_hugo"]]);
    await bench.client.removeMember({ organizationId: "acme", userId: "user_hugo" });
    takeWrites();
    const tidied = done(await docsOrg("tidy", "--yes"), /Edited 1 line\./);
    expect(tidied.stdout).toMatch(/^organization\.yaml:7: members\.user_hugo: left the organization$/m);
    expect(await shared.folder.read("organization.yaml")).toBe(lowering.replace("\n  user_hugo: guest", ""));
    expect(takeWrites()).toEqual([]);
  });

  it("lowers people that nothing declares, if `others` says so and the reviewed plan has them", async () => {
    const ignore = "[user_dana, user_eli, user_femi, user_gita, user_ines, user_kofi]";
    await write(`${await shared.folder.read("organization.yaml")}others: { members: guest, ignore: ${ignore} }\n`);
    await setRole("user_jun", "admin");
    const found = await docsOrg(...failing, ...plan);
    expect(found.status).toBe(2);
    expect(found.stdout).toMatch(/high: .*user_jun.*: role admin → guest; not declared \(others: guest\)/);
    await setRole("user_lena", "read");
    takeWrites();
    const skipping = done(await docsOrg("up", "--yes", ...plan), /^Done: 1 updated/m);
    expect(skipping.stdout).toMatch(
      /^Not reviewed, so these people stay as they are:\n {2}loss +.*user_lena.*\n.*else was/m,
    );
    expect([await roleOf("user_lena"), takeWrites()]).toEqual(["read", ["PATCH /v1/orgs/acme/members/user_jun"]]);
    await setRole("user_lena", null);
    expect((await docsOrg(...failing)).status).toBe(0);
    await setRole("user_jun", "read");
    takeWrites();
  });

  it("is not applied while it has a mistake, and has no stack that nobody made", async () => {
    await write(organizationText.replace("Guide,", "Guide, colour: red,"));
    const mistake = refused(
      await docsOrg("up", "--yes"),
      /^The preview was refused\.\n[^\n]*\n\n {2}organization\.yaml:10:26: sites\.guide\.colour/,
    );
    expect(mistake.status).toBe(1);
    expect(mistake.stderr).toHaveWording("an up whose preview was refused");
    refused(await docsOrg("destroy", "--yes", "--stack", "typo"), /there is no stack typo in this backend/);
    expect(takeWrites()).toEqual([]);
  });

  it("is destroyed in spite of the mistake, because destroy does not read it", async () => {
    const end = done(
      await docsOrg("destroy", "--yes"),
      /Who loses access \(\d\)\n.*cem@acme\.test/,
      /^Done: 3 deleted/m,
    );
    expect(end.stdout).toContain("deleted Guide");
    expect(await roleOf("user_cem")).toBe("create");
    expect(done(await docsOrg("destroy", "--yes")).stdout).toHaveWording("a second destroy");
    takeWrites();
  });
});

it("works in a folder of any name, with variables that disturb programs, and names the way out of a damaged lock", async () => {
  const strange = await Folder.create(await stackOf(program()), "acme#1 100%2F?\n");
  const disturbed = { https_proxy: "http://127.0.0.1:1", PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" };
  try {
    await strange.write(
      "organization.yaml",
      `organization: ${organizationVariable}\nmembers: { ada@acme.test: admin }\n`,
    );
    const first = done(await strange.docsOrg(["up", "--yes"], disturbed), /^Done: 1 created/m);
    expect(first.stdout).toMatch(/^1 risk to look at: no change of access, 1 person is managed/);
    done(await strange.pulumi(["stack", "--stack", "main"]), /docs:index:MemberRoles/);
    const locks = path.join(strange.path, ".docs-org/state/.pulumi/locks/organization/acme/main");
    await mkdir(locks, { recursive: true });
    await writeFile(path.join(locks, "cut.json"), "");
    const more = "organization: acme\nmembers: { ada@acme.test: admin, user_bea: admin }\n";
    await strange.write("organization.yaml", more);
    refused(await strange.docsOrg(["up", "--yes"]), /stack main is damaged, .*docs-org cancel,/);
    done(await strange.docsOrg(["cancel", "--yes"]), /has no lock now/);
  } finally {
    await strange.remove();
    takeWrites();
  }
});

it("takes over the stack of a program with the same names without a change, and the other way round", async () => {
  const stack = await stackOfProgram("docs-org-test", settings());
  try {
    const own = path.join(stack.folder, "organization");
    const file = path.join(own, "organization.yaml");
    await mkdir(path.join(own, ".docs-org"), { recursive: true });
    await writeFile(file, organizationText);
    await writeFile(path.join(own, ".docs-org", "Pulumi.yaml"), "name: docs-org-test\n");
    done(await stack.up(), /6 created/);
    takeWrites();
    const taken = done(await inFolder(stack, ["preview", "--stack", "test"]), /^Nothing changes\./);
    expect(taken.stderr).toBe("");
    await writeFile(file, organizationText.replace("cem@acme.test: create", "cem@acme.test: edit"));
    done(await inFolder(stack, ["up", "--yes", "--stack", "test"]), /^Done: 1 updated/m);
    expect(takeWrites()).toEqual(["PATCH /v1/orgs/acme/members/user_cem"]);
    done(await stack.preview("--refresh", "--expect-no-changes"));
    expect(takeWrites()).toEqual([]);
    const beside = await stack.execute(process.execPath, [cli, "preview"]);
    refused(beside, /this folder has a program \(Pulumi\.yaml\), which would manage the same organization/);
  } finally {
    await stack.remove();
  }
});

/** Runs `docs-org` in the folder of the organization below a program, with the backend of its stack. */
function inFolder(stack: Stack, args: readonly string[]): Promise<CommandOutcome> {
  return stack.execute("sh", ["-c", 'cd organization && exec "$0" "$@"', process.execPath, cli, ...args]);
}
