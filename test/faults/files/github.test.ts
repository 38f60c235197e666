import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { holds } from "../cases";
import { canary, type Proposal, proposals, quoted } from "./proposals";

/** `review.sh` of the example for GitHub Actions, with real git, over random proposals. */

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "proposals-")));
const [repository, programs] = [path.join(folder, "repository"), path.join(folder, "bin")];
const [calls, seen] = [path.join(folder, "calls"), path.join(folder, "seen")];
const environment = {
  HOME: folder,
  PATH: `${programs}:${process.env.PATH}`,
  STACK: "production",
  PULUMI_BACKEND_URL: "file:///nowhere",
  PROPOSAL_REPOSITORY: "acme/docs",
  REPOSITORY: "acme/docs",
  GIT_CONFIG_NOSYSTEM: "1",
  // As on the machines of GitHub.
  LC_ALL: "C.UTF-8",
};
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "core.quotePath=false", ...args], {
    cwd: repository,
    env: { ...process.env, HOME: folder },
  })
    .toString("latin1")
    .trimEnd();

function program(name: string, lines: readonly string[]): void {
  writeFileSync(name, `#!/usr/bin/env bash\n${lines.join("\n")}\n`, { mode: 0o755 });
}

beforeAll(() => {
  const real = execFileSync("bash", ["-c", "command -v git"]).toString().trim();
  mkdirSync(programs);
  cpSync("examples/github-actions", repository, { recursive: true, filter: (name) => !name.includes("node_modules") });
  mkdirSync(path.join(repository, "node_modules/.bin"), { recursive: true });
  for (const [name, text] of [
    ["organization.yaml", "organization: acme\n"],
    ["teams/writers.yaml", "team_writers: {}\n"],
  ] as const) {
    mkdirSync(path.dirname(path.join(repository, name)), { recursive: true });
    writeFileSync(path.join(repository, name), text);
  }
  // What the command could read.
  const list = `find . -path ./.git -prune -o -path ./node_modules -prune -o -path ./out -prune -o -type d -o -printf '%y %P\\0' > ${seen}`;
  const hashes = `find . -path ./.git -prune -o -path ./node_modules -prune -o -path ./out -prune -o -type f -print0 | xargs -0 ${real} hash-object --no-filters -- > ${seen}.hashes`;
  const names = `find . -path ./.git -prune -o -path ./node_modules -prune -o -path ./out -prune -o -type f -printf '%P\\0' > ${seen}.names`;
  program(path.join(programs, "git"), [`printf '%s\\0' "$@" $'\\n' >> ${calls}`, `exec ${real} "$@"`]);
  const plan = 'while [ $# -gt 0 ]; do [ "$1" != --plan ] || echo "{}" > "$2"; shift; done; echo reviewed';
  program(path.join(repository, "node_modules/.bin/docs-org"), [list, hashes, names, plan]);
  writeFileSync(path.join(repository, ".gitignore"), "node_modules\nout\n");
  git("init", "--quiet", "--initial-branch=main");
  const person = ["-c", "user.name=Ada", "-c", "user.email=ada@acme.test"];
  // Filters and drivers that an attribute of the proposal could name.
  for (const [key, value] of [
    ["filter.evil.smudge", `touch ${folder}/${canary}; cat`],
    ["filter.evil.clean", `touch ${folder}/${canary}; cat`],
    ["merge.evil.driver", `touch ${folder}/${canary}; exit 0`],
    ["diff.evil.textconv", `touch ${folder}/${canary}; cat`],
    ["diff.evil.command", `touch ${folder}/${canary}`],
  ] as const)
    git("config", key, value);
  git("add", "--all");
  git(...person, "commit", "--quiet", "--message=One");
  writeFileSync(path.join(repository, "teams/writers.yaml"), "team_writers: { title: Writers }\n");
  git(...person, "commit", "--quiet", "--all", "--message=Two");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Makes the commit of a proposal, which is never checked out. */
function commitOf({ entries, outdated }: Proposal): string {
  const lines = entries.map(({ path, mode, content }) => {
    if (mode === "160000") return Buffer.from(`M ${mode} ${"1".repeat(40)} ${quoted(path)}\n`);
    const bytes = Buffer.from(content.replaceAll(canary, `${folder}/${canary}`));
    return Buffer.concat([
      Buffer.from(`M ${mode} inline ${quoted(path)}\ndata ${bytes.length}\n`),
      bytes,
      Buffer.from("\n"),
    ]);
  });
  const from = git("rev-parse", outdated ? "main~1" : "main");
  const head = `commit refs/heads/proposal\ncommitter Mallory <m@evil.test> 1700000000 +0000\ndata 1\nx\nfrom ${from}\n`;
  execFileSync("git", ["fast-import", "--quiet", "--force"], {
    cwd: repository,
    input: Buffer.concat([Buffer.from(head), ...lines]),
  });
  return git("rev-parse", "refs/heads/proposal");
}

interface Stored {
  readonly mode: string;
  readonly object: string;
  readonly path: string;
}

const treeOf = (tree: string): Stored[] =>
  git("ls-tree", "-r", "-z", tree)
    .split("\0")
    .filter(Boolean)
    .map((line) => {
      const [, mode = "", object = "", path = ""] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? [];
      return { mode, object, path };
    });

const isData = ({ path }: Stored): boolean => /^(organization\.yaml|teams|members|certs)(\/|$)/.test(path);
/** The four kinds of files, written apart from the script. */
const isAllowed = ({ mode, path }: Stored): boolean =>
  mode.startsWith("100") &&
  /^(organization\.yaml|(teams|members)\/.*\.yaml|certs\/.*\.pem)$/s.test(path) &&
  !path.split("/").some((part) => part.startsWith(".")) &&
  ![...path].some((one) => one < " " || one === "\x7f");

function review(proposal: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    execFile(
      "bash",
      [".github/docs-org/review.sh"],
      { cwd: repository, env: { ...environment, PROPOSAL: proposal }, encoding: "utf8" },
      (error, out, text) => resolve({ status: error ? Number(error.code) : 0, text: out + text }),
    );
  });
}

/** The merged tree, or nothing if the proposal conflicts. */
function mergedTree(proposal: string): string | undefined {
  try {
    return git("merge-tree", "--write-tree", "--no-messages", "main", proposal).split("\n")[0];
  } catch {
    return undefined;
  }
}

/** The files that the preview could read, with the ids of their contents. */
function filesSeen(): Map<string, string> {
  const kinds = readFileSync(seen, "latin1").split("\0").filter(Boolean);
  expect(kinds.filter((line) => !line.startsWith("f "))).toEqual([]);
  const hashes = readFileSync(`${seen}.hashes`, "latin1").trim().split("\n");
  return new Map(
    readFileSync(`${seen}.names`, "latin1")
      .split("\0")
      .filter(Boolean)
      .map((name, index) => [name, hashes[index] ?? ""]),
  );
}

const harmless = new Set(["cat-file", "status", "merge-tree", "ls-tree", "read-tree", "diff", "rev-parse", "checkout"]);

it("reviews only data, and executes nothing of a proposal", async () => {
  let [reviewed, refused] = [0, 0];
  const counts = () => `, ${reviewed} reviewed, ${refused} refused`;
  const main = new Map(treeOf("main").map(({ path, object }) => [path, object]));
  await holds(
    { title: "random proposals", cases: 60, counts },
    fc.asyncProperty(proposals, async (proposal) => {
      for (const one of [calls, seen]) rmSync(one, { force: true });
      const commit = commitOf(proposal);
      const { status, text } = await review(commit);
      expect(existsSync(path.join(folder, canary))).toBe(false);
      expect(existsSync(path.join(repository, canary))).toBe(false);
      expect(git("status", "--porcelain")).toBe("");
      const commands = readFileSync(calls, "latin1")
        .split("\0\n\0")
        .map((line) => line.split("\0"));
      expect(commands.flatMap(([name = ""]) => (name === "" || harmless.has(name) ? [] : [name]))).toEqual([]);
      expect(commands.filter(([name, ...args]) => name === "checkout" && !args.includes("HEAD"))).toEqual([]);
      const tree = mergedTree(commit);
      const data = tree === undefined ? [] : treeOf(tree).filter(isData);
      const objects = new Set(data.map(({ object }) => object));
      const read = commands.flatMap(([name, kind, object = ""]) =>
        name === "cat-file" && kind === "blob" ? [object] : [],
      );
      expect(read.filter((object) => !objects.has(object))).toEqual([]);
      if (tree === undefined || !data.every(isAllowed)) {
        refused++;
        expect(status).toBe(1);
        expect(existsSync(seen)).toBe(false);
        expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        return;
      }
      reviewed++;
      expect([status, text]).toEqual([0, expect.stringContaining("reviewed: ")]);
      const expected = new Map([
        ...[...main].filter(([path]) => !isData({ path, mode: "", object: "" })),
        ...data.map(({ path, object }) => [path, object] as const),
      ]);
      expect([...filesSeen()].sort()).toEqual([...expected].sort());
    }),
  );
});
