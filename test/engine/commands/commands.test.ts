import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Outcome, root, type Stack } from "../../../scripts/stack";
import { engineBench, program } from "../bench";
import { Folder, organization, programOf } from "./folder";

const bench = engineBench();
const { stackOf, settings, done, refused, writes } = bench;

let folder: Folder;
beforeEach(async () => {
  folder = await Folder.create(await stackOf(program()));
  await folder.write("organization.yaml", organization);
});
afterEach(() => folder.remove());

const roleOf = async (userId: string) => (await bench.client.getMember({ organizationId: "acme", userId })).role;

it("previews, reviews, changes and destroys an organization in a folder that has only its file", async () => {
  const first = done(
    await folder.docsOrg(["preview"]),
    /no backend was chosen.*\.docs-org\/state/,
    /made the stack main/,
  );
  expect(first.stdout).toMatch(/^No change of access, 5 people are managed from now on/);
  expect(await folder.read(".docs-org/.gitignore")).toBe("*\n");
  const plan = ["--plan", "plan.json"];
  const again = done(await folder.docsOrg(["preview", "--format", "json", ...plan]));
  expect(again.stderr).toBe("");
  expect(JSON.parse(again.stdout)).toMatchObject({ project: "acme", stack: "main", organizations: ["acme"] });
  expect(writes()).toEqual([]);

  const silent = await folder.docsOrg(["up"]);
  expect(silent.status).toBe(2);
  expect(silent.output).toBe(
    "docs-org: up asks before it changes anything, and there is no terminal to answer on; add --yes\n",
  );
  done(await folder.docsOrg(["up", "--yes", ...plan]), /created Site acme-guide/, /^Done: 3 created, in .* s\.$/m);
  expect(writes()).toContain("POST /v1/orgs/acme/sites");
  const same = done(await folder.docsOrg(["up", "--yes"], { DOCS_LOG: "debug" }));
  expect(same.stdout).toMatch(/^Nothing changes\.\nStack acme\/main, organization acme\.\n$/);
  // What the provider says, in its own process, is shown while the engine previews.
  expect(same.stderr).toMatch(/^docs-org: GET \/v1\/orgs\/acme\/members 200 \d+ ms, attempt 1$/m);

  await folder.write("organization.yaml", organization.replace("cem@acme.test: create", "cem@acme.test: admin"));
  const risky = await folder.docsOrg(["preview", "--fail-on", "risk"]);
  expect(risky.status).toBe(2);
  expect(risky.stdout).toMatch(/Who gains access \(1\)\n {2}high: cem@acme\.test/);
  const other = refused(await folder.docsOrg(["up", "--yes", ...plan]), /Not reviewed:\n\s+gain\s+user_cem/);
  expect(other.status).toBe(2);
  expect(writes()).toEqual([]);
  done(await folder.docsOrg(["up", "--yes"]), /updated MemberRoles acme-members/, /^Done: 1 updated/m);
  expect(await roleOf("user_cem")).toBe("admin");
  writes();

  await folder.write("organization.yaml", organization.replace("Guide,", "Guide, colour: red,"));
  const mistake = refused(
    await folder.docsOrg(["up", "--yes"]),
    /^The preview was refused\.\n[^\n]*\n\n {2}organization\.yaml:10:26: sites\.guide\.colour/,
  );
  expect(mistake.status).toBe(1);
  expect(mistake.stderr).toBe("docs-org: nothing was changed, because the preview was refused\n");
  const previewed = refused(await folder.docsOrg(["preview"]), /^The preview was refused\.\n/);
  expect([previewed.status, previewed.stderr]).toEqual([1, expect.stringMatching(/the preview was refused, so an up/)]);
  refused(await folder.docsOrg(["destroy", "--yes", "--stack", "typo"]), /there is no stack typo in this backend/);
  expect(writes()).toEqual([]);

  // Drift makes the file's mistake irrelevant: destroy does not read the file.
  const end = done(
    await folder.docsOrg(["destroy", "--yes"]),
    /Who loses access \(\d\)\n.*cem@acme\.test/,
    /^Done: 3 deleted/m,
  );
  expect(end.stdout).toContain("deleted Guide");
  expect(await roleOf("user_cem")).toBe("create");
  expect(done(await folder.docsOrg(["destroy", "--yes"])).stdout).toBe("Nothing to do: stack main manages nothing.\n");
  writes();
});

it("makes an ordinary project, on which pulumi commands work, also to move it to another backend", async () => {
  done(await folder.docsOrg(["up", "--yes"]));
  writes();
  done(await folder.pulumi(["preview", "--stack", "main", "--refresh", "--expect-no-changes"], await sdk()));
  const refusal = await folder.docsOrg(["preview"], { SECRET: "another" });
  refused(refusal, /the stack was made with another passphrase; set PULUMI_CONFIG_PASSPHRASE/);

  done(await folder.pulumi(["stack", "export", "--stack", "main", "--file", "state.json"]));
  await mkdir(path.join(folder.path, "bucket"));
  const bucket = { PULUMI_BACKEND_URL: `file://${path.join(folder.path, "bucket")}` };
  done(await folder.pulumi(["stack", "init", "main"], bucket));
  done(await folder.pulumi(["stack", "import", "--stack", "main", "--file", "state.json"], bucket));
  expect(done(await folder.docsOrg(["preview"], bucket)).stdout).toMatch(/^Nothing changes\./);
  done(await folder.docsOrg(["destroy", "--yes"], bucket));
  writes();
});

it("works in a folder of any name, with variables that disturb programs, and names the way out of a damaged lock", async () => {
  const strange = await Folder.create(await stackOf(program()), "acme#1 100%2F?\n");
  const disturbed = { https_proxy: "http://127.0.0.1:1", PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" };
  try {
    await strange.write("organization.yaml", "organization: acme\nmembers: { ada@acme.test: admin }\n");
    const first = done(await strange.docsOrg(["up", "--yes"], disturbed), /^Done: 1 created/m);
    expect(first.stdout).toMatch(/^No change of access, 1 person is managed/);
    const locks = path.join(strange.path, ".docs-org/state/.pulumi/locks/organization/acme/main");
    done(await strange.pulumi(["stack", "--stack", "main"]), /docs:index:MemberRoles/);
    await mkdir(locks, { recursive: true });
    await writeFile(path.join(locks, "cut.json"), "");
    await strange.write(
      "organization.yaml",
      "organization: acme\nmembers: { ada@acme.test: admin, user_bea: admin }\n",
    );
    refused(await strange.docsOrg(["up", "--yes"]), /the lock of stack main is damaged, .*, run docs-org cancel,/);
    done(await strange.docsOrg(["cancel", "--yes"]), /has no lock now/);
    done(await strange.docsOrg(["up", "--yes"]), /^Done: 1 updated/m);
    done(await strange.docsOrg(["destroy", "--yes"]));
  } finally {
    await strange.remove();
    writes();
  }
});

/** A program in a folder without packages finds the SDK here, as one beside an installed package does. */
async function sdk(): Promise<NodeJS.ProcessEnv> {
  return { NODE_PATH: path.join(root, "node_modules") };
}

it("takes over the stack of a program with the same names without a change, and the other way round", async () => {
  const stack = await programOf("docs-org-test", settings());
  try {
    const own = path.join(stack.folder, "organization");
    await mkdir(path.join(own, ".docs-org"), { recursive: true });
    await writeFile(path.join(own, "organization.yaml"), organization);
    await writeFile(path.join(own, ".docs-org", "Pulumi.yaml"), "name: docs-org-test\n");
    done(await inFolder(stack, ["up", "--yes", "--stack", "test"]), /^Done: 3 created/m);
    writes();
    done(await stack.preview("--refresh", "--expect-no-changes"));
    done(await stack.up(), /6 unchanged/);
    done(await inFolder(stack, ["up", "--yes", "--stack", "test"]), /^Nothing changes\./);
    expect(writes()).toEqual([]);
    done(await stack.destroy());
    done(await stack.up());
    writes();
    const taken = done(await inFolder(stack, ["preview", "--stack", "test"]), /^Nothing changes\./);
    expect(taken.stderr).toBe("");
    expect(writes()).toEqual([]);
    const beside = await stack.execute(process.execPath, [path.join(root, "dist", "cli", "index.js"), "preview"]);
    refused(beside, /this folder has a program \(Pulumi\.yaml\), which would manage the same organization/);
  } finally {
    await stack.remove();
  }
});

/** Runs `docs-org` in the folder of the organization below a program, with the backend of its stack. */
function inFolder(stack: Stack, args: readonly string[]): Promise<Outcome> {
  const script = 'cd organization && exec "$0" "$@"';
  return stack.execute("sh", ["-c", script, process.execPath, path.join(root, "dist", "cli", "index.js"), ...args]);
}
