import { existsSync } from "node:fs";
import { chmod, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { type CommandOutcome, root } from "../../../scripts/stack";
import { runnerLog } from "../../support/runner-log";
import { serveCli } from "../../support/served-cli";
import { engineBench } from "../bench";
import { cli, type Folder, sharedFolder } from "../commands/folder";

serveCli();
const bench = engineBench();
const { settings, done, refused, takeWrites } = bench;
const shared = sharedFolder(settings);

const acme = { organizationId: "acme" };
const repository = "acme/organization";
const scripts = ".github/docs-org";

/** A repository as a new user makes it: the package installed, the organization taken over, everything committed on main. */
class Repository {
  private constructor(private readonly folder: Folder) {}

  static async create(folder: Folder): Promise<Repository> {
    const made = new Repository(folder);
    await mkdir(made.path("../backend"));
    await made.write("package.json", '{ "private": true }\n');
    await made.install();
    done(await made.run(["node_modules/.bin/docs-org", "take-over", "--yes"]));
    await made.git("init", "--quiet", "--initial-branch=main");
    done(await made.run(["node_modules/.bin/docs-org", "init", "github"]));
    await made.write("teams/editors.yaml", "{}\n");
    await made.commit("main");
    const folders = new Set((await made.git("ls-files")).split("\n").map((file) => file.split("/")[0]));
    expect([...folders]).toEqual([".github", ".gitignore", "certs", "organization.yaml", "package.json", "teams"]);
    takeWrites();
    return made;
  }

  path = (...names: string[]) => path.join(this.folder.path, ...names);
  read = (name: string) => this.folder.read(name);

  private run = (command: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<CommandOutcome> =>
    this.folder.run(command, { PULUMI_BACKEND_URL: `file://${this.path("../backend")}`, ...more });

  async write(name: string, text: string): Promise<void> {
    await mkdir(path.dirname(this.path(name)), { recursive: true });
    await this.folder.write(name, text);
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
    await writeFile(command, `#!/bin/sh\nexec node "${cli}" "$@"\n`);
    await chmod(command, 0o755);
  }

  async git(...args: string[]): Promise<string> {
    const settings = ["user.name=Tests", "user.email=tests@acme.test", "commit.gpgsign=false"];
    const options = settings.flatMap((setting) => ["-c", setting]);
    const { status, stdout, output } = await this.run(["git", ...options, ...args]);
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

  private script = (name: string, environment: NodeJS.ProcessEnv): Promise<CommandOutcome> =>
    this.run(["sh", "-c", 'exec bash "$0" < /dev/null', this.path(scripts, name)], {
      GITHUB_STEP_SUMMARY: "",
      ...environment,
    });

  review = (PROPOSAL: string, PROPOSAL_REPOSITORY = repository, more: NodeJS.ProcessEnv = {}) =>
    this.script("review.sh", { PROPOSAL, PROPOSAL_REPOSITORY, REPOSITORY: repository, ...more });
  /** As a job of GitHub, whose log must take no name or title for a command. */
  async apply(PLAN: string): Promise<CommandOutcome> {
    const outcome = await this.script("apply.sh", { PLAN, GITHUB_ACTIONS: "true" });
    expect(runnerLog(outcome.output)).toMatchObject({ commands: [], stopped: false });
    return outcome;
  }
  grants = () => this.script("grants.sh", {});
  nightly = (environment: NodeJS.ProcessEnv = {}) => this.script("nightly.sh", environment);
}

const roleOf = async (userId: string) => (await bench.client.getMember({ ...acme, userId })).role;
const setRole = (userId: string, role: "comment" | "edit" | "review") =>
  bench.client.updateMember({ ...acme, userId, body: { role } });
const lastLine = ({ output }: CommandOutcome) => output.trim().split("\n").at(-1);

let example: Repository;
beforeAll(async () => {
  example = await Repository.create(shared.folder);
});

it("takes only plain data files from branches of this repository", async () => {
  const start = await example.git("rev-parse", "HEAD");
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
  const cases: [name: string, change: () => Promise<unknown>][] = [
    ["a proposal with a link", link("../package.json", "teams/more.yaml")],
    ["a proposal with a link in the root", link("/etc/passwd", "organization.yaml")],
    ["a proposal with a linked folder", link("..", "teams")],
    ["a proposal with a submodule", submodule],
    ["a proposal with a program", file("teams/index.ts")],
    ["a proposal with a certificate", file("certs/okta.yaml")],
    ["a proposal with a folder as a file", file("organization.yaml/a.yaml")],
    ["a proposal with a hidden file", file("teams/.git.yaml")],
    ["a proposal with a line break", file("teams/a\n::error::b.yaml")],
  ];
  for (const [name, change] of cases) {
    const proposal = await example.propose(name.replaceAll(" ", "-"), async () => {
      if (name === "a proposal with a folder as a file") await rm(example.path("organization.yaml"));
      await change();
    });
    const outcome = await example.review(proposal);
    expect(outcome.output).toHaveWording(name);
    await rm(example.path("teams/more.yaml"), { recursive: true, force: true });
    expect(await example.git("status", "--porcelain")).toBe("");
  }

  const change = () => example.edit("organization.yaml", "hugo@acme.test: comment", "hugo@acme.test: review");
  const proposal = await example.propose("change", change);
  const said = async (...given: Parameters<typeof example.review>) => (await example.review(...given)).output;
  expect(await said(proposal, "somebody/organization")).toHaveWording("a proposal of another repository");
  expect(await said("--upload-pack=x")).toHaveWording("a proposal that is no commit");
  expect(await said("0".repeat(40))).toHaveWording("a proposal that is not there");
  await example.edit("organization.yaml", "hugo@acme.test: comment", "hugo@acme.test: read");
  expect(await said(proposal)).toHaveWording("a review beside uncommitted data");
  await example.commit("another role");
  expect(await said(proposal)).toHaveWording("a proposal that conflicts");
  expect(bench.emulator.log).toEqual([]);
  await example.git("reset", "--quiet", "--hard", start);
});

it("reviews a change, applies what was reviewed, and reports drift and unmanaged objects", async () => {
  const promotion = async () => {
    await example.edit("organization.yaml", "gita@acme.test: edit", "gita@acme.test: admin");
    await example.edit("organization.yaml", "      dana@acme.test: member\n", "");
    await rename(example.path("teams/editors.yaml"), example.path("teams/the editors.yaml"));
  };
  const proposal = await example.propose("promotion", promotion);
  const code = await example.propose("code", async () => {
    await promotion();
    const theft = 'require("node:fs").writeFileSync("stolen", process.env.DOCS_TOKEN ?? "");\n';
    await example.write("index.js", theft);
    await example.write("package.json", '{ "main": "index.js" }\n');
    await example.write("Pulumi.yaml", "name: other\nruntime: nodejs\nmain: index.js\n");
    for (const name of ["common.sh", "review.sh"]) await example.write(`${scripts}/${name}`, "touch stolen\n");
  });
  done(await example.review(code), /\nreviewed: risky\n$/);
  expect(existsSync(example.path("stolen"))).toBe(false);
  const comment = await example.read("out/comment.md");
  expect(comment).toMatch(/^<!-- docs-org review of acme\/main -->\n## ⚠️ .*1 person gains access/);
  expect(comment).toMatch(/Who gains access \(1\)\n\n- 🔴 high: `gita@acme\.test`.* role `edit` → `admin`/);
  expect(comment).toMatch(/Who loses access \(1\)\n\n- 🟠 medium: `dana@acme\.test`/);
  const commits = comment.slice(comment.indexOf("\nThis is the review")).replace(code, "PROPOSAL");
  expect(commits.replace(await example.git("rev-parse", "main"), "MAIN")).toHaveWording("the end of a comment");
  expect(await example.read("out/verdict")).toBe("risky\n");
  expect(await example.read("out/review.html")).toContain("gita@acme.test");
  expect(await example.git("status", "--porcelain")).toBe("");
  const plan = await example.read("out/plan.json");
  // The code of the proposal was not there.
  expect(JSON.parse(plan).evidence).toMatchObject({ commit: code, uncommitted: true });
  await example.write("../plan.json", plan);
  expect(takeWrites()).toEqual([]);

  const admins = "  bea@acme.test: { role: admin, sso: true }\n";
  const fewer = await example.propose("fewer", () => example.edit("organization.yaml", admins, ""));
  const outcome = await example.review(fewer);
  expect(outcome.status).toBe(1);
  expect(lastLine(outcome)).toHaveWording("the review of a refused change");
  expect(await example.read("out/comment.md")).toMatch(/## ⛔ The preview was refused\.\n[\s\S]*guards\.minAdmins/);
  expect(await example.read("out/comment.md")).toMatch(new RegExp(`commit \`${fewer.slice(0, 12)}\`(?! with)`));
  expect(await example.read("out/verdict")).toBe("refused\n");
  expect(existsSync(example.path("out/plan.json"))).toBe(false);
  const elsewhere = await example.review(fewer, repository, { PULUMI_BACKEND_URL: "" });
  refused(elsewhere, /PULUMI_BACKEND_URL: name the backend/);
  const nowhere = await example.review(fewer, repository, { STACK: "other" });
  refused(
    nowhere,
    /there is no stack other in this backend; .* take-over --stack other,/,
    /review: the preview could not be made/,
  );
  expect(existsSync(example.path("out/comment.md"))).toBe(false);

  await example.merge(proposal);
  // The last line switches the commands of the runner on again.
  expect(lastLine(await example.apply("reviewed/none.json"))).toMatch(/^::/);
  refused(
    await example.apply("reviewed/none.json"),
    /apply: there is no plan reviewed\/none\.json: only what was reviewed/,
  );
  await setRole("user_hugo", "review");
  takeWrites();
  const more = await example.apply("../plan.json");
  refused(more, /Not reviewed:\n.*hugo@acme\.test/, /docs-org: stopped, .* not reviewed; /);
  expect(more.status).toBe(2);
  expect(takeWrites()).toEqual([]);

  await setRole("user_hugo", "comment");
  done(await example.apply("../plan.json"), /Everything was reviewed/, /Done: 2 updated/);
  expect(await roleOf("user_gita")).toBe("admin");
  const writers = await bench.client.listTeamMembers({ ...acme, teamId: "team_writers" }).all();
  expect(writers.map(({ organization }) => organization.user.id).sort()).toEqual(["user_cem", "user_femi"]);

  expect(done(await example.grants()).stdout).toMatch(/^No grant/);
  expect(done(await example.nightly()).stdout).toHaveWording("a night without drift");
  await setRole("user_gita", "edit");
  await setRole("user_lena", "edit");
  const drifted = await example.nightly({ GITHUB_STEP_SUMMARY: example.path("summary.md") });
  expect(drifted.status).toBe(1);
  expect(drifted.stdout).toHaveWording("a night with drift and unmanaged objects");
  const summary = await example.read("summary.md");
  expect(await example.read("out/nightly.md")).toBe(summary);
  expect(summary).toMatch(/gita@acme\.test.*outside Pulumi;[\s\S]*lena@acme\.test.*edit/);

  const DOCS_NOW = "2126-10-25T09:00:00Z";
  const late = await example.nightly({ DOCS_NOW, GITHUB_STEP_SUMMARY: example.path("late.md") });
  expect(lastLine(late)).toHaveWording("a night before a certificate expires");
  expect(await example.read("late.md")).toMatch(/ends soon \(1\)\n\n- the certificate of .*, in \d+ days?;/);

  const blind = refused(await example.nightly({ DOCS_TOKEN: "wrong" }), /The preview failed/);
  expect(blind.stdout.slice(blind.stdout.indexOf("drift is"))).toHaveWording("a night with a wrong token");

  await example.edit("organization.yaml", "minAdmins: 2", "minAdmins: 4");
  refused(
    await example.apply("../plan.json"),
    /guards\.minAdmins/,
    /nothing was changed, because the preview was refused/,
  );
});
