import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { ConcurrentUpdateError } from "@pulumi/pulumi/automation";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { failureOfCommand } from "../provider/deployment/failure";

const example = path.resolve("examples/github-actions");
const own = path.join(example, ".github/docs-org");
const run = promisify(execFile);

const step = z.strictObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  if: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
  env: z.record(z.string(), z.string()).default({}),
});
const job = z.strictObject({
  "runs-on": z.string(),
  "timeout-minutes": z.number(),
  permissions: z.record(z.string(), z.enum(["read", "write"])),
  environment: z.string().optional(),
  if: z.string().optional(),
  needs: z.string().optional(),
  steps: z.array(step),
});
const workflow = z.strictObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: z.strictObject({}),
  defaults: z.strictObject({ run: z.strictObject({ "working-directory": z.literal(".") }) }),
  concurrency: z.strictObject({ group: z.string(), "cancel-in-progress": z.boolean() }),
  jobs: z.record(z.string(), job),
});

async function workflowOf(name: string) {
  const text = await readFile(path.join(example, ".github/workflows", `docs-org-${name}.yml`), "utf8");
  // The version that a commit stands for is beside it.
  expect(text.match(/uses:.*/g)?.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  return workflow.parse(parse(text));
}

const names = ["apply", "grant", "nightly", "review"];

const scripts = "$GITHUB_WORKSPACE/.github/docs-org/";
const install = `bash "${scripts}common.sh" npm ci --ignore-scripts --no-audit --no-fund`;
/** The script that a step runs, with nothing of a pull request in its command. */
const scriptOf = (command: string) => /^bash "(.*\/)([a-z-]+\.sh)"$/.exec(command);

describe("workflows", () => {
  it("are apply, grant, nightly and review", async () => {
    const files = await readdir(path.join(example, ".github/workflows"));
    expect(files.sort()).toEqual(names.map((name) => `docs-org-${name}.yml`));
  });

  it.each(names)("%s only calls scripts, with few permissions and without a stored token", async (name) => {
    const { jobs } = await workflowOf(name);
    for (const { steps, permissions, environment } of Object.values(jobs)) {
      const writing = Object.values(permissions).includes("write");
      const texts = steps.flatMap(({ env }) => Object.values(env)).join("\n");
      expect(writing && (environment !== undefined || texts.includes("secrets."))).toBe(false);
      for (const { run: command, uses, with: given, env } of steps) {
        if (command === undefined) {
          expect(uses).toMatch(/^[\w/-]+@[0-9a-f]{40}$/);
          if (uses?.startsWith("actions/checkout@")) expect(given["persist-credentials"]).toBe(false);
          expect(env).toEqual({});
          continue;
        }
        if (command === install) {
          // Packages of the lock file run no scripts of their own, and get no secrets.
          expect(env).toEqual({});
          continue;
        }
        // What a pull request says reaches a script as a value, never as a part of a command.
        const [, folder, script = ""] = scriptOf(command) ?? [];
        expect(folder).toBe(scripts);
        await run("bash", ["-n", path.join(own, script)]);
        const text = await readFile(path.join(own, script), "utf8");
        expect(text).toMatch(/^#!\/usr\/bin\/env bash\n(?:#.*\n)+source "\$\(dirname "\$0"\)\/common\.sh"\n/);
        expect("GH_TOKEN" in env && "DOCS_TOKEN" in env).toBe(false);
      }
    }
  });

  it("review runs the code of main, and nothing for forks", async () => {
    const { on, jobs } = await workflowOf("review");
    expect(on).toEqual({ pull_request_target: { branches: ["main"] } });
    const ours = "github.event.pull_request.head.repo.full_name == github.repository";
    expect(jobs.review?.if).toBe(ours);
    expect(jobs.comment).toMatchObject({
      if: `\${{ !cancelled() && ${ours} }}`,
      permissions: { contents: "read", "pull-requests": "write" },
    });
    expect(jobs["second-approval"]).toMatchObject({ if: ours, needs: "review" });
    for (const { steps } of Object.values(jobs)) {
      const [checkout, ...others] = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
      expect(others).toEqual([]);
      expect(checkout?.with.ref).toMatch(/^\$\{\{ github\.sha \}\}$/);
      expect(checkout?.with.repository).toBeUndefined();
    }
  });

  it("grant has a form whose values reach the script as variables, and pushes in a job without secrets", async () => {
    const { on, jobs } = await workflowOf("grant");
    const { inputs } = on.workflow_dispatch as { inputs: object };
    expect(Object.keys(inputs)).toEqual(["person", "role", "team", "from", "until", "reason"]);
    expect(jobs.grant?.if).toBe("github.ref == 'refs/heads/main'");
    expect(jobs.branch).toMatchObject({ needs: "grant", permissions: { contents: "write" } });
    const branch = `grant-\${{ github.actor_id }}-\${{ github.run_id }}-\${{ github.run_attempt }}`;
    expect(jobs.branch?.steps.at(-1)?.env.BRANCH).toBe(branch);
    const env = jobs.grant?.steps.at(-2)?.env;
    for (const name of Object.keys(inputs)) expect(env?.[name.toUpperCase()]).toBe(`\${{ inputs.${name} }}`);
  });

  it("apply and nightly run on main only; one apply runs at a time and is never cancelled", async () => {
    const [apply, nightly] = await Promise.all([workflowOf("apply"), workflowOf("nightly")]);
    expect(apply.on).toEqual({ push: { branches: ["main"] } });
    expect(apply.concurrency).toEqual({ group: "docs-org-apply", "cancel-in-progress": false });
    expect(nightly.concurrency.group).not.toBe(apply.concurrency.group);
    const onMain = "github.ref == 'refs/heads/main'";
    expect(nightly.jobs.grants).toMatchObject({ if: onMain, environment: "docs-org-apply" });
    const after = { needs: "grants", if: `\${{ !cancelled() && ${onMain} }}`, environment: "docs-org-review" };
    expect(nightly.jobs.nightly).toMatchObject(after);
    const commands = apply.jobs.apply?.steps.flatMap((one) => one.run ?? []);
    expect(commands).toEqual([`bash "${scripts}reviewed-plan.sh"`, install, `bash "${scripts}apply.sh"`]);
  });
});

describe("scripts", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "docs-org-github-"));
    await program("gh", [
      "#!/usr/bin/env node",
      'const fs = require("node:fs");',
      "const args = process.argv.slice(2);",
      'fs.appendFileSync("calls", JSON.stringify(args) + "\\n");',
      'const route = args.find((one) => one.startsWith("repos/"));',
      'const answers = JSON.parse(fs.readFileSync("answers.json", "utf8"));',
      'if (!(route in answers) && !args.includes("--method")) { console.error("gh: Not Found"); process.exit(1); }',
      'process.stdout.write(typeof answers[route] === "string" ? answers[route] : JSON.stringify(answers[route] ?? null));',
    ]);
    // An archive is a script here, which writes its files.
    await program("unzip", ["#!/bin/sh", 'mkdir -p "$4" && cd "$4" && sh "$2"']);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function program(name: string, lines: readonly string[]): Promise<void> {
    await mkdir(path.join(folder, "bin"), { recursive: true });
    await writeFile(path.join(folder, "bin", name), `${lines.join("\n")}\n`);
    await chmod(path.join(folder, "bin", name), 0o755);
  }

  async function script(
    name: string,
    answers: object,
    environment: NodeJS.ProcessEnv,
    args: string[] = [],
  ): Promise<string> {
    await writeFile(path.join(folder, "answers.json"), JSON.stringify({ ...ofPull, ...answers }));
    const PATH = `${path.join(folder, "bin")}${path.delimiter}${process.env.PATH}`;
    const env = { ...process.env, PATH, LC_ALL: "C", REPOSITORY: "acme/org", ...environment };
    const { stdout } = await run(path.join(own, name), args, { cwd: folder, env });
    return stdout;
  }

  /** What a script that stops writes, without the paths of this run. */
  const said = (running: Promise<unknown>) =>
    running.then(
      () => "nothing",
      ({ stderr }: { stderr: string }) =>
        stderr.replaceAll(/\S*\/(?=review\/verdict|scripts)/g, "").replaceAll(example, "EXAMPLE"),
    );

  const head = "a".repeat(40);
  const merged = "b".repeat(40);
  const approval = (id: number, more: object = {}) => ({
    state: "APPROVED",
    commit_id: head,
    submitted_at: `2026-11-21T12:0${id}:00Z`,
    author_association: "MEMBER",
    user: { id, login: `user-${id}` },
    ...more,
  });
  const reviews = "repos/acme/org/pulls/7/reviews?per_page=100";
  const pushes = "repos/acme/org/activity?ref=refs/heads/add%20%231%26more&per_page=100";
  const [opener, pusher] = [90, 91];
  const ofPull = {
    "repos/acme/org/pulls/7": { head: { sha: head, ref: "add #1&more" }, user: { id: opener } },
    [pushes]: [
      [{ activity_type: "branch_deletion", actor: { id: 2 } }],
      [
        { activity_type: "push", actor: null },
        { activity_type: "force_push", actor: { id: pusher } },
        { activity_type: "branch_creation", actor: { id: opener } },
      ],
    ],
  };

  it("common.sh runs a command, as the steps do that install packages", async () => {
    expect(await script("common.sh", {}, {}, ["echo", "ci", "--ignore-scripts"])).toBe("ci --ignore-scripts\n");
  });

  it.each(["apply.sh", "nightly.sh"])("%s uses no backend but that of the repository", async (name) => {
    expect(await said(script(name, {}, { PULUMI_BACKEND_URL: "", PLAN: "answers.json" }))).toMatch(
      /PULUMI_BACKEND_URL: name the backend$/m,
    );
  });

  it.each([
    ["apply.sh", "apply", "apply"],
    ["grants.sh", "nightly", "grants"],
  ])(
    "%s waits for a run that changes the stack, and ends itself before the timeout of its job",
    async (name, file, job) => {
      const seconds = Number(/^run_up (\d+) /m.exec(await readFile(path.join(own, name), "utf8"))?.[1]);
      expect(seconds + 300).toBeLessThanOrEqual(60 * ((await workflowOf(file)).jobs[job]?.["timeout-minutes"] ?? 0));
      await program("sleep", ["#!/bin/sh", 'echo "slept $1"']);
      await mkdir(path.join(folder, "node_modules/.bin"), { recursive: true });
      const upThatEnds = (status: number, text: string) =>
        program("../node_modules/.bin/docs-org", [
          "#!/bin/sh",
          `if [ -f tried ]; then rm tried; echo "second: $*"; exit ${status}; fi`,
          `touch tried; echo 'docs-org: ${text}' >&2; exit 1`,
        ]);
      const given = { PULUMI_BACKEND_URL: "file:///nowhere", PLAN: "answers.json" };
      const { message } = failureOfCommand(new ConcurrentUpdateError("locked"), "the up failed", "main");
      await upThatEnds(0, message);
      expect(await script(name, {}, given)).toMatch(/failed[\s\S]*slept 30\nsecond: up --stack main --yes --/);
      await upThatEnds(2, message);
      await expect(script(name, {}, given)).rejects.toMatchObject({ code: 2 });
      await upThatEnds(0, "no");
      await expect(script(name, {}, given)).rejects.toMatchObject({ code: 1 });
    },
  );

  it("grant.sh passes what a form says, and push-grant.sh pushes the changed line as a branch, with a link", async () => {
    const server = path.join(folder, "server");
    const git = async (...args: string[]) => (await run("git", args, { cwd: folder })).stdout;
    await mkdir(path.join(folder, "node_modules/.bin"), { recursive: true });
    const edit = ['printf "%s\\n" "$@" > "$0.args"', 'echo "  cem: edit" >> organization.yaml'];
    await program("../node_modules/.bin/docs-org", ["#!/bin/sh", ...edit]);
    await git("init", "--quiet", "--bare", path.join(server, "acme/org"));
    await git("init", "--quiet", "--initial-branch=main");
    await writeFile(path.join(folder, "organization.yaml"), "organization: acme\nmembers:\n");
    await git("add", "organization.yaml");
    await git("-c", "user.name=Tests", "-c", "user.email=tests@acme.test", "commit", "--quiet", "--message=One");
    const form = {
      PERSON: "--help",
      ROLE: "edit",
      TEAM: "",
      UNTIL: "2027-01-31",
      REASON: "$(touch x) `touch x`; touch x",
    };
    await script("grant.sh", {}, form);
    const passed = await readFile(path.join(folder, "node_modules/.bin/docs-org.args"), "utf8");
    expect(passed.trim().split("\n")).toEqual([
      "grant",
      "--until=2027-01-31",
      `--reason=${form.REASON}`,
      "--",
      "--help",
      "edit",
    ]);
    await git("checkout", "--quiet", "organization.yaml");
    const given = {
      PATCH: "out/grant.patch",
      BRANCH: "grant-1",
      GITHUB_SERVER_URL: `file://${server}`,
      GITHUB_ACTOR: "ada",
    };
    const link = await script("push-grant.sh", {}, given);
    expect(link.replace(server, "SERVER")).toHaveWording("push-grant.sh with its link");
    const pushed = await git(
      "--git-dir",
      path.join(server, "acme/org"),
      "show",
      "--format=%B",
      "--unified=0",
      "grant-1",
    );
    expect(pushed).toMatch(/^Add a grant\n\nAsked for by ada, .*\n[\s\S]*\+ {2}cem: edit\n$/);
    expect((await readdir(folder)).sort()).not.toContain("x");
  });

  describe("comment.sh", () => {
    const comments = "repos/acme/org/issues/7/comments";
    const made = (id: number, login: string, body: string) => ({ id, body, user: { login } });
    const others = [
      made(1, "somebody", "<!-- docs-org review of a/b -->\nforged"),
      made(2, "github-actions[bot]", "<!-- docs-org review of a/c -->\nanother stack"),
    ];
    const ours = made(3, "github-actions[bot]", "<!-- docs-org review of a/b -->\r\nolder");

    async function commented(existing: readonly object[]): Promise<string[]> {
      await writeFile(path.join(folder, "comment.md"), "<!-- docs-org review of a/b -->\n## newer\n");
      const answers = { [`${comments}?per_page=100`]: [others, existing] };
      await script("comment.sh", answers, { PULL_REQUEST: "7", PROPOSAL: head, COMMENT: "comment.md" });
      const calls = (await readFile(path.join(folder, "calls"), "utf8")).trim().split("\n");
      return JSON.parse(calls.at(-1) ?? "");
    }

    it("writes a comment, and later replaces it", async () => {
      const end = ["--field", "body=@comment.md"];
      expect(await commented([])).toEqual(["api", "--silent", "--method", "POST", comments, ...end]);
      const place = "repos/acme/org/issues/comments/3";
      expect(await commented([ours])).toEqual(["api", "--silent", "--method", "PATCH", place, ...end]);
    });

    it("does not replace the review of the newest commit", async () => {
      await writeFile(path.join(folder, "comment.md"), "<!-- docs-org review of a/b -->\n## older\n");
      const answers = { [`${comments}?per_page=100`]: [[ours]] };
      const given = { PULL_REQUEST: "7", PROPOSAL: merged, COMMENT: "comment.md" };
      expect(await said(script("comment.sh", answers, given))).toHaveWording("comment.sh at an older commit");
      expect(await readFile(path.join(folder, "calls"), "utf8")).not.toContain("--method");
    });
  });

  describe("second-approval.sh", () => {
    const given = { PULL_REQUEST: "7", PROPOSAL: head, VERDICT: "verdict", PLAN: "plan.json" };
    let plan: object = {};
    const judged = async (verdict: string, ...all: object[]) => {
      await writeFile(path.join(folder, "plan.json"), JSON.stringify(plan));
      await writeFile(path.join(folder, "verdict"), `${verdict}\n`);
      return script("second-approval.sh", { [reviews]: [all] }, given);
    };

    it("asks for two people if there is a risk", async () => {
      await judged("risky", approval(1), approval(2));
      await judged("fine");
      await judged("risky", approval(1), approval(2), approval(2, { state: "COMMENTED" }));
    });

    it.each([
      ["nobody", []],
      ["one person twice", [approval(1), approval(1)]],
      ["somebody who saw another commit", [approval(1), approval(2, { commit_id: merged })]],
      ["somebody from outside", [approval(1), approval(2, { author_association: "NONE" })]],
      ["somebody whose approval was dismissed", [approval(1), approval(2), approval(2, { state: "DISMISSED" })]],
    ])("does not accept %s", async (_, approvals) => {
      const nobody = "second-approval.sh at no approval";
      const text = approvals.length === 0 ? nobody : "second-approval.sh at one approval";
      expect(await said(judged("risky", ...approvals))).toHaveWording(text);
    });

    it.each([
      ["opened the pull request", opener],
      ["has pushed to its branch", pusher],
    ])("does not count a person who %s", async (_, id) => {
      expect(await said(judged("risky", approval(1), approval(id)))).toHaveWording(
        "second-approval.sh at one approval",
      );
      await judged("risky", approval(1), approval(2), approval(id));
    });

    it("does not count the person who asked for the grant with the form", async () => {
      await judged("risky", approval(1), approval(2));
      const ofForm = {
        "repos/acme/org/pulls/7": { head: { sha: head, ref: "grant-2-55-1" }, user: { id: opener } },
        "repos/acme/org/activity?ref=refs/heads/grant-2-55-1&per_page=100": [[]],
        [reviews]: [[approval(1), approval(2)]],
      };
      expect(await said(script("second-approval.sh", ofForm, given))).toHaveWording(
        "second-approval.sh at one approval",
      );
    });

    it("asks for one of the approvers of the plan, who is neither the author nor somebody who has pushed", async () => {
      plan = { approvals: [{ what: "admin", approvers: ["User-1", `user-${opener}`] }] };
      await judged("fine", approval(1));
      await judged("risky", approval(1), approval(2));
      const alone = [[approval(2)], [approval(opener)], [approval(1, { commit_id: merged })]];
      for (const all of alone)
        expect(await said(judged("fine", ...all))).toHaveWording("second-approval.sh without an approver");
      plan = {};
    });

    it("counts nobody if it cannot find out who pushed", async () => {
      await writeFile(path.join(folder, "verdict"), "risky\n");
      const answers = { [reviews]: [[approval(1), approval(2)]], [pushes]: undefined };
      await expect(script("second-approval.sh", answers, given)).rejects.toThrow(/Not Found/);
    });
  });

  describe("reviewed-plan.sh", () => {
    const pull = {
      number: 7,
      merged_at: "2026-11-21T13:00:00Z",
      merge_commit_sha: merged,
      base: { ref: "main" },
      head: { sha: head },
    };
    const artifact = (id: number, created_at: string, more: object = {}) => ({
      id,
      created_at,
      expired: false,
      workflow_run: { id: id * 10 },
      ...more,
    });
    const runOf = (event: string, file: string) => ({ event, path: `.github/workflows/${file}` });
    const archive = (verdict: string, plan = "{}") => `echo '${plan}' > plan.json; echo ${verdict} > verdict`;
    const newest = "repos/acme/org/commits/heads/main";
    const pulls = `repos/acme/org/commits/${merged}/pulls`;
    const zip = "repos/acme/org/actions/artifacts/2/zip";
    const asked = {
      [newest]: { sha: merged },
      [pulls]: [pull],
      [reviews]: [[approval(2), approval(5)]],
      [`repos/acme/org/actions/artifacts?name=docs-org-review-${head}&per_page=100`]: {
        artifacts: [
          artifact(1, "2026-11-21T12:00:00Z"),
          artifact(2, "2026-11-21T12:01:00Z"),
          artifact(3, "2026-11-21T12:01:30Z"),
          artifact(4, "2026-11-21T12:01:40Z"),
          artifact(5, "2026-11-21T12:01:50Z", { expired: true }),
          artifact(6, "2026-11-21T12:03:00Z"),
        ],
      },
      "repos/acme/org/actions/runs/10": runOf("pull_request_target", "docs-org-review.yml"),
      "repos/acme/org/actions/runs/20": runOf("pull_request_target", "docs-org-review.yml@refs/heads/main"),
      "repos/acme/org/actions/runs/30": runOf("pull_request", "docs-org-review.yml"),
      "repos/acme/org/actions/runs/40": runOf("pull_request_target", "other.yml"),
      [zip]: archive("risky"),
    };
    const fetched = async (answers: object) => {
      await script("reviewed-plan.sh", { ...asked, ...answers }, { COMMIT: merged, BRANCH: "main" });
      const files = ["plan.json", `evidence/plan-${merged}.json`, `evidence/approvals-${merged}.txt`];
      return Promise.all(files.map((file) => readFile(path.join(folder, "out", file), "utf8")));
    };

    it("takes the newest review that the review workflow made and that existed before the first approval", async () => {
      const [plan, kept, approvals] = await fetched({});
      expect([plan, kept]).toEqual(["{}\n", "{}\n"]);
      expect(approvals).toMatch(
        new RegExp(`^pull request 7, commit ${head}, merged as ${merged}, approved:\n(2026-\\S+Z \\S+\n){2}$`),
      );
    });

    it.each([
      ["reviewed-plan.sh at an older commit", { [newest]: { sha: head } }],
      ["reviewed-plan.sh at no pull request", { [pulls]: [] }],
      ["reviewed-plan.sh at an open pull request", { [pulls]: [{ ...pull, merged_at: null }] }],
      ["reviewed-plan.sh at one of another branch", { [pulls]: [{ ...pull, base: { ref: "next" } }] }],
      ["reviewed-plan.sh at one of another commit", { [pulls]: [{ ...pull, merge_commit_sha: head }] }],
      ["reviewed-plan.sh at no approval", { [reviews]: [[]] }],
      ["reviewed-plan.sh at one approval of a risk", { [reviews]: [[approval(2)]] }],
      [
        "reviewed-plan.sh at approvals before any review",
        { [reviews]: [[approval(0, { submitted_at: "2026-11-21T11:00:00Z" })]] },
      ],
      [
        "reviewed-plan.sh without an approver",
        { [zip]: archive("fine", JSON.stringify({ approvals: [{ what: "team_a", approvers: ["zoe"] }] })) },
      ],
      ["reviewed-plan.sh at a refused review", { [zip]: "echo refused > verdict" }],
      ["reviewed-plan.sh at half a review", { [zip]: "echo plan > plan.json" }],
      ["reviewed-plan.sh at an answer that is missing", { [zip]: undefined }],
    ])("%s", async (what, answers) => {
      expect(await said(fetched(answers))).toHaveWording(what);
      await expect(readFile(path.join(folder, "out/plan.json"))).rejects.toThrow("ENOENT");
    });
  });
});
