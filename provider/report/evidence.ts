import type { Evidence } from "../run/evidence";
import { joined, linked, type SafeText, safeText, trusted } from "../text/safe-text";

/** One line at the foot of a page: when, where and from what it was made, and what it leaves out. */
export function evidenceWords(evidence: Evidence, leftOut: SafeText = []): SafeText {
  const { createdAt, clock, version, service, organization, stack, stackVersion } = evidence;
  const facts: SafeText[] = [
    trusted(`docs-org ${version}`),
    trusted(`${createdAt.slice(0, 19).replace("T", " ")} UTC${clock ? ` (${clock})` : ""}`),
    ...(service === undefined ? [] : [safeText`${service}`]),
    ...(organization === undefined ? [] : [safeText`organization ${organization}`]),
    ...(stack === undefined
      ? []
      : [safeText`stack ${stack}${trusted(stackVersion ? ` version ${stackVersion}` : "")}`]),
    ...sourceWords(evidence),
  ];
  return [...joined(facts), "."].concat(leftOut.length > 0 ? [" Left out: ", ...leftOut, "."] : []);
}

function sourceWords({ commit, uncommitted, branch, pullRequest, author }: Evidence): SafeText[] {
  const changed = trusted(uncommitted ? " with uncommitted changes" : "");
  return [
    ...(commit === undefined ? [] : [safeText`commit ${commit.slice(0, 12)}${changed}`]),
    ...(branch === undefined ? [] : [safeText`branch ${branch}`]),
    ...(pullRequest === undefined ? [] : [safeText`pull request ${linked(pullRequest)}`]),
    ...(author === undefined ? [] : [safeText`by ${author}`]),
  ];
}
