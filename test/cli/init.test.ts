import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { docsOrg, freshFolder } from "../support/docs-org";

/** A repository in which the folder of that name has organization.yaml and is the current folder. */
function repositoryWith(name: string): { read: (file: string) => string; write: (file: string, text: string) => void } {
  const root = freshFolder();
  execFileSync("git", ["init", "--quiet", root]);
  const folder = path.join(root, name);
  // Something that .gitignore must leave out.
  mkdirSync(path.join(folder, "node_modules"), { recursive: true });
  writeFileSync(path.join(folder, "node_modules/a"), "");
  writeFileSync(path.join(folder, "organization.yaml"), "organization: acme\n");
  vi.spyOn(process, "cwd").mockReturnValue(folder);
  return {
    read: (file) => readFileSync(path.join(root, file), "utf8"),
    write: (file, text) => writeFileSync(path.join(root, file), text),
  };
}

test("writes the workflows, and lines of .gitignore; overwrites nothing without --force", async () => {
  const { read, write } = repositoryWith("");
  write(".gitignore", "/node_modules\n*.log");
  const first = await docsOrg("init", "github");
  expect(first).toMatchObject({ status: 0, stdout: expect.stringContaining(".github/docs-org/README.md") });
  expect(read(".gitignore")).toBe("/node_modules\n*.log\nout/\n*.part\n");
  expect(read(".github/workflows/docs-org-review.yml")).toBe(
    readFileSync("examples/github-actions/.github/workflows/docs-org-review.yml", "utf8"),
  );
  expect(await docsOrg("init", "github")).toMatchObject({ status: 0, stderr: "" });
  write(".github/docs-org/apply.sh", "mine\n");
  const refused = await docsOrg("init", "github");
  expect(refused).toMatchObject({ status: 1, stdout: "" });
  expect(refused.stderr).toHaveWording("init github with a changed script");
  expect(read(".github/docs-org/apply.sh")).toBe("mine\n");
  expect((await docsOrg("init", "github", "--force")).stderr).toBe("docs-org: overwrote .github/docs-org/apply.sh\n");
  expect(read(".github/docs-org/apply.sh")).toContain("run_up");
});

test("lets the jobs run in the folder of organization.yaml, and refuses a folder without one", async () => {
  const { read } = repositoryWith("tools/docs $& org");
  expect(await docsOrg("init", "github")).toMatchObject({ status: 0 });
  const review = read(".github/workflows/docs-org-review.yml");
  expect(review.match(/working-directory: .*|path: .*/g)).toEqual([
    'working-directory: "tools/docs $& org" # the folder of organization.yaml',
    ...Array(3).fill('path: "tools/docs $& org/out/"'),
  ]);
  expect(read("tools/docs $& org/.gitignore")).toBe("node_modules/\nout/\n*.part\n");
  vi.spyOn(process, "cwd").mockReturnValue(freshFolder());
  expect((await docsOrg("init", "github")).stderr).toHaveWording("init github without organization.yaml");
});
