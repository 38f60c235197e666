import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { z } from "zod";
import { usableAddress } from "../api/http/base-url";
import type { Evidence } from "../run/evidence";
import { jsonIn } from "../run/files";
import { packageVersion } from "../run/package";
import { defined } from "../run/properties";
import type { Settings } from "../run/settings";
import { joined, linked, plain, type SafeText, safeText, trusted } from "../text/safe-text";
import { inert, visible } from "../text/visible";

type Source = Pick<Evidence, "commit" | "uncommitted" | "branch" | "pullRequest" | "author">;

/** The evidence of what a command writes. `about` is what the command knows better than the settings. */
export function readEvidence(
  settings: Settings,
  about: Pick<Evidence, "service" | "organization" | "stack" | "stackVersion"> = {},
  folder = process.cwd(),
): Evidence {
  const baseUrl = settings.baseUrl();
  const service = about.service ?? (baseUrl && usableAddress(baseUrl.value));
  return defined({
    createdAt: settings.now().toISOString(),
    ...(settings.variable("DOCS_NOW") !== undefined && { clock: "DOCS_NOW" as const }),
    version: packageVersion,
    ...about,
    organization: about.organization ?? settings.organizationId(),
    service,
    ...sourceOf(settings, folder),
  });
}

function sourceOf(settings: Settings, folder: string): Source {
  const own = defined({
    commit: settings.variable("DOCS_COMMIT"),
    branch: settings.variable("DOCS_BRANCH"),
    pullRequest: settings.variable("DOCS_PULL_REQUEST"),
    author: settings.variable("DOCS_AUTHOR"),
  });
  const checkout = sourceOfGit(folder, own.commit);
  const commit = own.commit ?? checkout.commit;
  const uncommitted = commit === undefined ? ("not known" as const) : checkout.uncommitted;
  if (settings.variable("GITHUB_ACTIONS")) return { ...sourceOfGitHub(settings, commit), uncommitted, ...own };
  if (settings.variable("GITLAB_CI")) return { ...sourceOfGitLab(settings, commit), uncommitted, ...own };
  return own.commit === undefined ? { ...checkout, ...own } : { uncommitted, ...own };
}

const event = z.object({
  pull_request: z.object({ html_url: z.string(), head: z.object({ sha: z.string() }) }).optional(),
});

/**
 * For a pull request, GITHUB_SHA is a commit that merges it into its base; for `pull_request_target`, that of the base. The commit
 * that is checked out counts more.
 */
function sourceOfGitHub(settings: Settings, checkedOut: string | undefined): Source {
  const file = settings.variable("GITHUB_EVENT_PATH");
  const text = file !== undefined && existsSync(file) ? readFileSync(file, "utf8") : "";
  const { pull_request: pullRequest } = event.safeParse(jsonIn(text)).data ?? {};
  const head = pullRequest?.head.sha;
  const isOfBase = settings.variable("GITHUB_EVENT_NAME") === "pull_request_target";
  const readHead = isOfBase ? undefined : head;
  const commit = checkedOut ?? readHead ?? settings.variable("GITHUB_SHA");
  const headBranch = commit === head ? settings.variable("GITHUB_HEAD_REF") : undefined;
  return {
    commit,
    branch: headBranch || settings.variable("GITHUB_REF_NAME"),
    pullRequest: pullRequest?.html_url,
    author: settings.variable("GITHUB_ACTOR"),
  };
}

function sourceOfGitLab(settings: Settings, checkedOut: string | undefined): Source {
  const number = settings.variable("CI_MERGE_REQUEST_IID");
  const project = settings.variable("CI_PROJECT_URL");
  return {
    commit: checkedOut ?? settings.variable("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA") ?? settings.variable("CI_COMMIT_SHA"),
    branch: settings.variable("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME") ?? settings.variable("CI_COMMIT_REF_NAME"),
    pullRequest: number && (project ? `${project}/-/merge_requests/${number}` : number),
    author: settings.variable("GITLAB_USER_LOGIN"),
  };
}

/** The commit that is checked out in a folder, and whether files differ from it or the named one; nothing without git or a repository. */
function sourceOfGit(folder: string, named?: string): Source {
  const status = git(folder, "status", "--porcelain=v2", "--branch", "--untracked-files=no");
  const commit = /^# branch\.oid ([0-9a-f]{40,64})$/m.exec(status)?.[1];
  if (commit === undefined) return {};
  const branch = /^# branch\.head (.*)$/m.exec(status)?.[1];
  const changed = named === undefined ? status.replace(/^#.*\n/gm, "") : answerOf(folder, "diff", "--name-only", named);
  const differences = [changed, ...addedIn(folder)];
  const isUnread = differences.includes(undefined);
  return defined({
    commit,
    uncommitted: differences.some(Boolean) || (isUnread ? ("not known" as const) : undefined),
    branch: branch === "(detached)" ? undefined : branch,
    author: git(folder, "log", "-1", "--format=%an").trim() || undefined,
  });
}

/** Lists of files that nobody has added to git. Only these can be a part of the declaration; commands may write others. */
function addedIn(folder: string): (string | undefined)[] {
  const endings = ["yaml", "yml", "ts", "mts", "cts", "js", "mjs", "cjs", "py", "go"];
  const parts = endings.map((ending) => `:(top,icase)*.${ending}`);
  const search = ["grep", "--no-color", "--no-line-number", "-o", "-E", "!include .*"];
  const includes = answerOf(folder, ...search, "--", ":(icase)*.yaml", ":(icase)*.yml");
  const included = [...(includes ?? "").matchAll(/^(.+?):!include +["']?([^"'#\n]+)/gm)].map(
    ([, file = "", pattern = ""]) => `:(glob)${posix.join(posix.dirname(file), pattern.trim())}`,
  );
  const others = ["ls-files", "--others", "--exclude-standard"];
  return [
    includes === undefined ? undefined : "",
    answerOf(folder, ...others, "--", ...parts),
    answerOf(folder, ...others, "--ignored", "--", "organization.yaml", ...included),
  ];
}

/** What git prints; `undefined` if it fails or takes too long. Its status 1 says that nothing was found. */
function answerOf(folder: string, ...args: readonly string[]): string | undefined {
  const options = { cwd: folder, encoding: "utf8", timeout: 5_000 } as const;
  const { status, stdout } = spawnSync("git", ["--no-optional-locks", "-c", "core.quotePath=false", ...args], options);
  return status === 0 || status === 1 ? stdout : undefined;
}

export const git = (folder: string, ...args: readonly string[]): string => answerOf(folder, ...args) ?? "";

/** One line at the foot of a page: when, where and from what it was made, and what it leaves out. */
export function evidenceWords(evidence: Evidence, leftOut: SafeText = []): SafeText {
  const { createdAt, clock, version, service, organization, stack, stackVersion } = evidence;
  const ofVersion = trusted(stackVersion ? ` version ${stackVersion}` : "");
  const facts: SafeText[] = [
    trusted(`docs-org ${version}`),
    trusted(`${createdAt.slice(0, 19).replace("T", " ")} UTC${clock ? ` (${clock})` : ""}`),
    ...(service === undefined ? [] : [safeText`${service}`]),
    ...(organization === undefined ? [] : [safeText`organization ${organization}`]),
    ...(stack === undefined ? [] : [safeText`stack ${stack}${ofVersion}`]),
    ...sourceWords(evidence),
  ];
  return [...joined(facts), "."].concat(leftOut.length > 0 ? [" Left out: ", ...leftOut, "."] : []);
}

/** The same for files and terminals that show a text as it is. */
export const evidenceText = (evidence: Evidence, leftOut?: SafeText): string =>
  inert(visible(plain(evidenceWords(evidence, leftOut)), 4_000));

/** `commit 0123456789ab with uncommitted changes` */
export function commitWords({ commit, uncommitted }: Pick<Evidence, "commit" | "uncommitted">): SafeText {
  if (commit === undefined) return [];
  const changed = trusted(uncommitted ? `${uncommitted === true ? "" : ", perhaps"} with uncommitted changes` : "");
  return safeText`commit ${commit.slice(0, 12)}${changed}`;
}

function sourceWords({ branch, pullRequest, author, ...source }: Evidence): SafeText[] {
  return [
    ...(source.commit === undefined ? [] : [commitWords(source)]),
    ...(branch === undefined ? [] : [safeText`branch ${branch}`]),
    ...(pullRequest === undefined ? [] : [safeText`pull request ${linked(pullRequest)}`]),
    ...(author === undefined ? [] : [safeText`by ${author}`]),
  ];
}
