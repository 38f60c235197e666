import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { evidenceWords, readEvidence } from "../../provider/report/evidence";
import { packageVersion } from "../../provider/run/package";
import { Settings } from "../../provider/run/settings";
import { plain } from "../../provider/text/safe-text";
import { freshFolder } from "../support/docs-org";

const pullRequest = { html_url: "https://github.test/acme/docs/pull/7", head: { sha: "head" } };

const gitHub = {
  GITHUB_ACTIONS: "true",
  GITHUB_EVENT_PATH: "event.json",
  GITHUB_SHA: "merge",
  GITHUB_HEAD_REF: "grant-bea",
  GITHUB_REF_NAME: "7/merge",
  GITHUB_ACTOR: "ann",
};
const gitLab = {
  GITLAB_CI: "true",
  CI_COMMIT_SHA: "abc",
  CI_COMMIT_REF_NAME: "main",
  CI_PROJECT_URL: "https://gitlab.test/acme/docs",
  CI_MERGE_REQUEST_IID: "8",
  GITLAB_USER_LOGIN: "ben",
};

/** Nobody knows whether files differ from a commit that only CI names. */
const unread = { uncommitted: "not known" };

it.each([
  [
    "GitHub Actions",
    gitHub,
    { ...unread, commit: "head", branch: "grant-bea", pullRequest: pullRequest.html_url, author: "ann" },
  ],
  [
    "a push on GitHub",
    { ...gitHub, GITHUB_EVENT_PATH: "", GITHUB_HEAD_REF: "" },
    { ...unread, commit: "merge", branch: "7/merge", author: "ann" },
  ],
  [
    "GitLab CI",
    gitLab,
    {
      ...unread,
      commit: "abc",
      branch: "main",
      pullRequest: "https://gitlab.test/acme/docs/-/merge_requests/8",
      author: "ben",
    },
  ],
  [
    "variables",
    { DOCS_COMMIT: "c", DOCS_BRANCH: "b", DOCS_PULL_REQUEST: "9", DOCS_AUTHOR: "eve" },
    { commit: "c", branch: "b", pullRequest: "9", author: "eve" },
  ],
  [
    "variables before GitHub",
    { ...gitHub, DOCS_AUTHOR: "eve" },
    { ...unread, commit: "head", branch: "grant-bea", pullRequest: pullRequest.html_url, author: "eve" },
  ],
  [
    "a pull request, with the base checked out",
    { ...gitHub, GITHUB_EVENT_NAME: "pull_request_target", GITHUB_REF_NAME: "main" },
    { ...unread, commit: "merge", branch: "main", pullRequest: pullRequest.html_url, author: "ann" },
  ],
  [
    "a pull request, with the base checked out, that a variable names",
    { ...gitHub, GITHUB_EVENT_NAME: "pull_request_target", GITHUB_REF_NAME: "main", DOCS_COMMIT: "head" },
    { commit: "head", branch: "grant-bea", pullRequest: pullRequest.html_url, author: "ann" },
  ],
  ["no repository", {}, {}],
])("names the source: %s", (_, environment, expected) => {
  const folder = freshFolder();
  const event = path.join(folder, "event.json");
  writeFileSync(event, JSON.stringify({ pull_request: pullRequest }));
  const isPullRequest = "GITHUB_EVENT_PATH" in environment && environment.GITHUB_EVENT_PATH !== "";
  const variables = {
    DOCS_NOW: "2026-11-26T09:00:00Z",
    DOCS_BASE_URL: "https://API.docs.test/",
    ...environment,
    ...(isPullRequest && { GITHUB_EVENT_PATH: event }),
  };
  expect(readEvidence(new Settings(variables), { organization: "acme" }, folder)).toEqual({
    createdAt: "2026-11-26T09:00:00.000Z",
    clock: "DOCS_NOW",
    version: packageVersion,
    service: "https://api.docs.test",
    organization: "acme",
    ...expected,
  });
});

it("names the commit of the folder, and whether its files were changed since", () => {
  const repository = freshFolder();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@acme.test", ...args], { cwd: repository });
  git("init", "-q", "-b", "trunk");
  mkdirSync(path.join(repository, "docs"));
  writeFileSync(path.join(repository, "organization.yaml"), "organization: acme\n");
  git("add", ".");
  git("commit", "-q", "-m", "Declare the organization");
  const commit = git("rev-parse", "HEAD").toString().trim();
  const read = (variables = {}) =>
    readEvidence(new Settings(variables), { organization: "acme", stack: "docs/main", stackVersion: "3" }, repository);
  expect(read()).toMatchObject({ commit, branch: "trunk", author: "Ann" });
  expect(read()).not.toHaveProperty("uncommitted");
  writeFileSync(path.join(repository, "access.html"), "");
  expect(read()).not.toHaveProperty("uncommitted");
  for (const name of ["__main__.py", "PEOPLE.YAML", "teams.yaml"]) {
    writeFileSync(path.join(repository, name), "");
    expect(readEvidence(new Settings({ DOCS_COMMIT: "c" }), {}, path.join(repository, "docs"))).toMatchObject({
      commit: "c",
      uncommitted: true,
    });
    if (name !== "teams.yaml") rmSync(path.join(repository, name));
  }
  expect(read({ DOCS_COMMIT: commit })).toMatchObject({ commit, uncommitted: true });
  writeFileSync(path.join(repository, ".gitignore"), "*.yml\n");
  writeFileSync(path.join(repository, "teams.yaml"), 'team_a: !include "docs/*.yml" # all of them\n');
  git("add", ".gitignore", "teams.yaml");
  git("commit", "-q", "-m", "Include teams");
  writeFileSync(path.join(repository, "other.yml"), "");
  expect(read()).not.toHaveProperty("uncommitted");
  writeFileSync(path.join(repository, "docs", "a.yml"), "");
  expect(read()).toHaveProperty("uncommitted", true);
  rmSync(path.join(repository, "docs", "a.yml"));
  const other = git("rev-parse", "HEAD").toString().trim();
  for (const given of [gitHub, gitLab]) expect(read(given)).toMatchObject({ commit: other });
  expect(read({ DOCS_COMMIT: other })).not.toHaveProperty("uncommitted");
  expect(read({ DOCS_COMMIT: commit })).toHaveProperty("uncommitted", true);
  const failing = freshFolder();
  writeFileSync(path.join(failing, "git"), '#!/bin/sh\ncase "$*" in *ls-files*) exit 128;; esac\nexec "$GIT" "$@"\n', {
    mode: 0o755,
  });
  process.env.GIT = execFileSync("sh", ["-c", "command -v git"]).toString().trim();
  const { PATH } = process.env;
  process.env.PATH = `${failing}:${PATH}`;
  expect(read()).toHaveProperty("uncommitted", "not known");
  process.env.PATH = PATH;
  // The checkout of a pull request is the commit that merges it, and not its head.
  const event = path.join(repository, "event.json");
  writeFileSync(event, JSON.stringify({ pull_request: pullRequest }));
  expect(read({ ...gitHub, GITHUB_EVENT_PATH: event, GITHUB_SHA: other })).toMatchObject({ commit: other });
  git("checkout", "-q", commit);
  expect(read({ ...gitHub, GITHUB_SHA: other })).toMatchObject({ commit });
  git("checkout", "-q", "trunk");
  writeFileSync(path.join(repository, "organization.yaml"), "organization: other\n");
  const evidence = read();
  expect(evidence).toMatchObject({ commit: other, uncommitted: true });
  const fixed = { ...evidence, createdAt: "2026-11-26T09:00:00.000Z", version: "1.2.3", commit: "0123456789abcdef" };
  expect(plain(evidenceWords(fixed, ["what nobody asked for"]))).toHaveWording("evidence");
  expect(plain(evidenceWords({ ...fixed, uncommitted: "not known" }))).toContain(
    "ab, perhaps with uncommitted changes",
  );
  git("rm", "-q", "--cached", "organization.yaml");
  writeFileSync(path.join(repository, ".gitignore"), "organization.yaml\n");
  git("add", ".");
  git("commit", "-q", "-m", "Ignore the file");
  expect(read()).toHaveProperty("uncommitted");
});
