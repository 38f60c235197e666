import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { type Outcome, root, type Stack } from "../../../scripts/stack";
import { runnerLog } from "../../support/runner-log";
import { engineBench } from "../bench";

const bench = engineBench();
const { stackOf, done, refused, writes } = bench;

const acme = { organizationId: "acme" };
const repository = "acme/organization";

/** The example as a repository of its own, with the package installed and everything committed on main. */
class Repository {
  private constructor(readonly stack: Stack) {}

  static async create(): Promise<Repository> {
    const made = new Repository(await stackOf({ example: "github-actions" }));
    await copyFile(path.join(root, "examples/github-actions/tsconfig.json"), made.path("tsconfig.json"));
    // As its README says.
    await rename(made.path("gitignore"), made.path(".gitignore"));
    await made.write("package.json", '{ "private": true }\n');
    await made.install();
    await made.git("init", "--quiet", "--initial-branch=main");
    await made.commit("main");
    return made;
  }

  path = (...names: string[]) => path.join(this.stack.folder, ...names);
  read = (name: string) => readFile(this.path(name), "utf8");

  async write(name: string, text: string): Promise<void> {
    await mkdir(path.dirname(this.path(name)), { recursive: true });
    await writeFile(this.path(name), text);
  }

  /** Replaces a part of a file, which must exist. */
  async edit(name: string, from: string, to: string): Promise<void> {
    const text = await this.read(name);
    expect(text).toContain(from);
    await this.write(name, text.replace(from, to));
  }

  /** The package where `npm ci` puts it. */
  private async install(): Promise<void> {
    const command = this.path("node_modules/.bin/docs-org");
    await mkdir(path.dirname(command), { recursive: true });
    await symlink(root, this.path("node_modules/pulumi-docs-org"));
    await writeFile(command, `#!/bin/sh\nexec node "${root}/dist/cli/index.js" "$@"\n`);
    await chmod(command, 0o755);
  }

  async git(...args: string[]): Promise<string> {
    const settings = ["user.name=Tests", "user.email=tests@acme.test", "commit.gpgsign=false"];
    const options = settings.flatMap((setting) => ["-c", setting]);
    const { status, stdout, output } = await this.stack.execute("git", [...options, ...args]);
    if (status !== 0) throw new Error(output);
    return stdout.trim();
  }

  async commit(message: string): Promise<string> {
    await this.git("add", "--all");
    await this.git("commit", "--quiet", "--message", message);
    return this.git("rev-parse", "HEAD");
  }

  /** A commit on a branch of its own; main is checked out again. */
  async propose(branch: string, change: () => Promise<unknown>): Promise<string> {
    await this.git("checkout", "--quiet", "-b", branch, "main");
    await change();
    const commit = await this.commit(branch);
    await this.git("checkout", "--quiet", "main");
    return commit;
  }

  async merge(commit: string): Promise<void> {
    await this.git("merge", "--quiet", "--no-edit", commit);
  }

  private script(name: string, environment: NodeJS.ProcessEnv): Promise<Outcome> {
    return this.stack.execute(this.path("scripts", name), [], { STACK: "test", ...environment });
  }

  review = (PROPOSAL: string, PROPOSAL_REPOSITORY = repository, STACK = "test") =>
    this.script("review.sh", { STACK, PROPOSAL, PROPOSAL_REPOSITORY, REPOSITORY: repository });
  /** As a job of GitHub, whose log takes nothing that anybody is called for a command. */
  async apply(PLAN: string): Promise<Outcome> {
    const outcome = await this.script("apply.sh", { PLAN, GITHUB_ACTIONS: "true" });
    expect(runnerLog(outcome.output)).toMatchObject({ commands: [], stopped: false });
    return outcome;
  }
  drift = (environment: NodeJS.ProcessEnv = {}) =>
    this.script("drift.sh", { GITHUB_STEP_SUMMARY: undefined, ...environment });
  audit = (environment: NodeJS.ProcessEnv = {}) =>
    this.script("audit.sh", { GITHUB_STEP_SUMMARY: undefined, ...environment });
}

const roleOf = async (userId: string) => (await bench.client.getMember({ ...acme, userId })).role;
const setRole = (userId: string, role: "comment" | "edit" | "review") =>
  bench.client.updateMember({ ...acme, userId, body: { role } });

it("reviews a change, applies what was reviewed, and reports drift and unmanaged objects", async () => {
  const example = await Repository.create();
  done(await example.stack.up());
  writes();

  const promotion = async () => {
    await example.edit("organization.yaml", "gita@acme.test: edit", "gita@acme.test: admin");
    await example.edit("teams/writers.yaml", "    dana@acme.test: member\n", "");
    await rename(example.path("teams/writers.yaml"), example.path("teams/the writers.yaml"));
  };
  const proposal = await example.propose("promotion", promotion);
  const code = await example.propose("code", async () => {
    await promotion();
    const theft = 'require("node:fs").writeFileSync("stolen", process.env.DOCS_TOKEN ?? "");\n';
    await example.write("index.ts", theft);
    await example.write("package.json", '{ "main": "theft.js" }\n');
    await example.write("theft.js", theft);
    await example.write("Pulumi.yaml", "name: other\nruntime: nodejs\nmain: theft.js\n");
    for (const name of ["common.sh", "review.sh"]) await example.write(`scripts/${name}`, "touch stolen\n");
  });
  done(await example.review(code));
  expect(existsSync(example.path("stolen"))).toBe(false);
  const comment = await example.read("out/comment.md");
  expect(comment).toMatch(/^<!-- docs-org review of docs_organization\/test -->\n## ⚠️ .*1 person gains access/);
  expect(comment).toMatch(/Who gains access \(1\)\n\n- 🔴 high: `gita@acme\.test`.* role `edit` → `admin`/);
  expect(comment).toMatch(/Who loses access \(1\)\n\n- 🟠 medium: `dana@acme\.test`/);
  expect(comment).toContain(`review of commit ${code}`);
  expect(comment).toMatch(/\*\*Not in this review:\*\* .*\(changed: 6\)/);
  expect(await example.read("out/verdict")).toBe("risky\n");
  expect(await example.read("out/review.html")).toContain("gita@acme.test");
  expect(await example.git("status", "--porcelain")).toBe("");
  await example.write("reviewed/plan.json", await example.read("out/plan.json"));
  expect(writes()).toEqual([]);

  const fewer = await example.propose("fewer", () => example.edit("organization.yaml", "  bea@acme.test: admin\n", ""));
  const outcome = await example.review(fewer);
  refused(outcome, /review: .* refused; out\/comment\.md/);
  expect(outcome.status).toBe(1);
  expect(await example.read("out/comment.md")).toMatch(/## ⛔ The preview was refused\.\n[\s\S]*guards\.minAdmins/);
  expect(await example.read("out/verdict")).toBe("refused\n");
  expect(existsSync(example.path("out/plan.json"))).toBe(false);

  const nowhere = await example.review(fewer, repository, "other");
  refused(nowhere, /no stack named 'other'/, /review: .* could not be reviewed/);
  expect(existsSync(example.path("out/comment.md"))).toBe(false);

  await example.merge(proposal);
  refused(await example.apply("reviewed/none.json"), /apply: .* reviewed\/none\.json/);
  await setRole("user_hugo", "review");
  writes();
  const more = await example.apply("reviewed/plan.json");
  refused(more, /Not reviewed:\n.*hugo@acme\.test/, /docs-org: stopped, .* not reviewed; /);
  expect(more.status).toBe(2);
  expect(writes()).toEqual([]);

  await setRole("user_hugo", "comment");
  done(await example.apply("reviewed/plan.json"), /Everything was reviewed/);
  expect(await roleOf("user_gita")).toBe("admin");
  const writers = await bench.client.listTeamMembers({ ...acme, teamId: "team_writers" }).all();
  expect(writers.map(({ organization }) => organization.user.id).sort()).toEqual(["user_cem", "user_femi"]);

  done(await example.drift(), /no drift/);
  await setRole("user_gita", "edit");
  const drifted = await example.drift({ GITHUB_STEP_SUMMARY: example.path("summary.md") });
  refused(drifted, /drift: what is live/);
  expect(drifted.status).toBe(1);
  expect(drifted.stdout).not.toContain("gita@acme.test");
  expect(await example.read("summary.md")).toMatch(/gita@acme\.test.*outside Pulumi;/);

  refused(await example.drift({ DOCS_TOKEN: "wrong" }), /The preview failed/, /drift: .* failed/);

  await setRole("user_lena", "edit");
  refused(await example.audit(), /lena@acme\.test.*edit/, /audit: found live objects that no stack manages/);
  refused(await example.audit({ DOCS_TOKEN: "wrong" }), /(?:)/, /audit: .* could not be made/);

  const stricter = () => example.edit("organization.yaml", "minAdmins: 2", "minAdmins: 4");
  await example.merge(await example.propose("stricter", stricter));
  refused(await example.apply("reviewed/plan.json"), /guards\.minAdmins/, /apply: the fresh preview failed/);
});

it("takes only plain data files from branches of this repository", async () => {
  const example = await Repository.create();
  bench.emulator.resetRequests();
  const link = (target: string, name: string) => async () => {
    await rm(example.path(name), { recursive: true, force: true });
    await symlink(target, example.path(name));
  };
  const file = (name: string) => () => example.write(name, "{}\n");
  const submodule = async () => {
    const commit = await example.git("rev-parse", "HEAD");
    await example.git("update-index", "--add", "--cacheinfo", `160000,${commit},teams/more.yaml`);
    await mkdir(example.path("teams/more.yaml"));
  };
  const cases: [name: string, change: () => Promise<unknown>, text: RegExp][] = [
    ["link", link("../Pulumi.yaml", "teams/more.yaml"), /teams\/more\.yaml is a symbolic link/],
    ["root-link", link("/etc/passwd", "organization.yaml"), /organization\.yaml is a symbolic link/],
    ["folder-link", link("..", "teams"), /teams is a symbolic link/],
    ["submodule", submodule, /teams\/more\.yaml is a submodule/],
    ["program", file("teams/index.ts"), /teams\/index\.ts is no data of the organization; use/],
    ["certificate", file("certs/okta.yaml"), /certs\/okta\.yaml is no data of the organization; use/],
    ["folder", file("organization.yaml/a.yaml"), /organization\.yaml\/a\.yaml is no data/],
    ["hidden", file("teams/.git.yaml"), /teams\/\.git\.yaml is hidden/],
    ["newline", file("teams/a\n::error::b.yaml"), /review: \$'teams\/a\\n::error::b\.yaml' has a control character/],
  ];
  for (const [name, change, text] of cases) {
    const proposal = await example.propose(name, async () => {
      if (name === "folder") await rm(example.path("organization.yaml"));
      await change();
    });
    const outcome = await example.review(proposal);
    refused(outcome, text);
    expect(outcome.output.trim().split("\n")).toHaveLength(1);
    await rm(example.path("teams/more.yaml"), { recursive: true, force: true });
    expect(await example.git("status", "--porcelain")).toBe("");
  }

  const change = () => example.edit("organization.yaml", "comment", "review");
  const proposal = await example.propose("change", change);
  refused(await example.review(proposal, "somebody/organization"), /review: .* from another repository/);
  refused(await example.review("--upload-pack=x"), /PROPOSAL is not/);
  refused(await example.review("0".repeat(40)), /commit 0+ is not here; fetch it/);
  await example.edit("organization.yaml", "comment", "read");
  refused(await example.review(proposal), /data have changes/);
  await example.commit("another role");
  refused(await example.review(proposal), /review: .* conflicts/);
  expect(bench.emulator.log).toEqual([]);
});
