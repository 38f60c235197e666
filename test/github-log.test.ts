import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runnerLog } from "./support/runner-log";

const run = promisify(execFile);
const example = path.resolve("examples/github-actions");

/** What anybody may be called, and a service may answer. */
const hostile = [
  "##[error]faked",
  "Team ##[add-mask]admin",
  "##[stop-commands]guessed",
  "::error::faked",
  "  ::add-mask::admin",
  "::stop-commands::guessed",
  "first\r::warning::second",
  "::GROUP::x",
];

describe("the model of GitHub's runner", () => {
  it("treats each of these lines as a command", () => {
    for (const line of hostile) expect(runnerLog(`${line}\n`)).not.toMatchObject({ commands: [], stopped: false });
    expect(runnerLog("a ::error::b\n##[unknown]\n::unknown::\n::error\n")).toMatchObject({ commands: [], ignored: [] });
  });

  it("treats no line as a command while commands are switched off, until the same word comes", () => {
    const all = ["::stop-commands::word", ...hostile, "::other::", "::word::", "##[error]last"].join("\n");
    expect(runnerLog(all)).toMatchObject({ commands: ["##[error]last"], stopped: false });
    expect(runnerLog("::stop-commands::word\n::error::x\n")).toMatchObject({ commands: [], stopped: true });
  });
});

/** A program that prints all of that on both outputs, and ends as the variable of its name says. */
const noisy = (name: string, before = "") => `#!/usr/bin/env bash
${before}
lines=(${hostile.map((line) => `$'${line.replace("\r", "\\r")}'`).join(" ")})
printf '%s\\n' "\${lines[@]}"
printf '%s\\n' "\${lines[@]}" >&2
printf '##[error]without a line break' >&2
exit "\${END_OF_${name}:-0}"
`;

describe("no line of foreign text is a command in the log of", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "docs-org-log-"));
    await cp(example, folder, { recursive: true });
    await program("bin/npm", noisy("NPM"));
    await program("bin/gh", noisy("GH"));
    await program("node_modules/.bin/docs-org", noisy("DOCS_ORG"));
    await writeFile(path.join(folder, "plan.json"), "{}");
    const git = (...args: string[]) =>
      run("git", ["-c", "user.name=T", "-c", "user.email=t@acme.test", ...args], { cwd: folder });
    await git("init", "--quiet", "--initial-branch=main");
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "main");
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function program(name: string, text: string): Promise<void> {
    await mkdir(path.join(folder, path.dirname(name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
    await chmod(path.join(folder, name), 0o755);
  }

  const head = async () => (await run("git", ["rev-parse", "HEAD"], { cwd: folder })).stdout.trim();

  /** Both outputs, as the runner reads them: it promises no order between the two. */
  async function logsOf(command: string, environment: NodeJS.ProcessEnv): Promise<string[]> {
    const [name = "", ...args] = command.split(" ");
    const commit = await head();
    const env = {
      ...process.env,
      PATH: `${path.join(folder, "bin")}${path.delimiter}${process.env.PATH}`,
      GITHUB_STEP_SUMMARY: undefined,
      STACK: "test",
      PULUMI_BACKEND_URL: "file:///nowhere",
      PLAN: "plan.json",
      PROPOSAL: commit,
      COMMIT: commit,
      BRANCH: "main",
      PROPOSAL_REPOSITORY: "acme/org",
      REPOSITORY: "acme/org",
      PULL_REQUEST: "7",
      VERDICT: "verdict",
      COMMENT: "plan.json",
      ...environment,
    };
    await writeFile(path.join(folder, "verdict"), "risky\n");
    const { stdout, stderr } = await run(path.join(folder, ".github/docs-org", name), args, { cwd: folder, env }).catch(
      (error) => error,
    );
    return [stdout + stderr, stderr + stdout];
  }

  /** The scripts, with the programs that they run. */
  const scripts: [name: string, programs: string[]][] = [
    ["apply.sh", ["DOCS_ORG"]],
    ["nightly.sh", ["DOCS_ORG"]],
    ["review.sh", ["DOCS_ORG"]],
    ["common.sh npm ci", ["NPM"]],
    ["comment.sh", ["GH"]],
    ["reviewed-plan.sh", ["GH"]],
    ["second-approval.sh", ["GH"]],
  ];

  it.each(scripts)("%s, also when one of its programs fails", async (name, programs) => {
    const ends = [{}, ...programs.map((failing) => ({ [`END_OF_${failing}`]: "2" }))];
    for (const end of ends) {
      for (const log of await logsOf(name, { GITHUB_ACTIONS: "true", ...end })) {
        expect(runnerLog(log)).toMatchObject({ commands: [], stopped: false });
        // The text is there.
        expect(runnerLog(log).ignored.length).toBeGreaterThan(3);
      }
    }
    // Outside GitHub Actions nothing protects it, so the runner would take it for commands.
    const [bare = ""] = await logsOf(name, { GITHUB_ACTIONS: undefined });
    expect(runnerLog(bare).commands).not.toEqual([]);
  });

  it("a script that is ended by a signal", async () => {
    const command = "node_modules/.bin/docs-org";
    await program(command, noisy("DOCS_ORG", "kill -TERM $PPID; sleep 0.2"));
    const logs = await logsOf("apply.sh", { GITHUB_ACTIONS: "true" });
    await program(command, noisy("DOCS_ORG"));
    for (const log of logs) expect(runnerLog(log)).toMatchObject({ commands: [] });
  });

  it("each run, whose word is another one", async () => {
    const word = async () =>
      /::stop-commands::([0-9a-f]{32})\n/.exec((await logsOf("apply.sh", { GITHUB_ACTIONS: "true" }))[0] ?? "")?.[1];
    const [one, other] = [await word(), await word()];
    expect(one).toHaveLength(32);
    expect(other).not.toBe(one);
  });
});
