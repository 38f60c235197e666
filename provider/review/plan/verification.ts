import type { Plan, PlannedAccess } from "../../access/plan-file";
import { PlannedChanges } from "../../access/planned-changes";
import { DocsError } from "../../api/http/errors";
import { counted } from "../../text/safe-text";
import { visible } from "../../text/visible";
import { hiddenLines, lineOfAccess, linesOfResource, printable, unreviewedLines, withReason } from "./lines";

/** How a fresh plan compares with the one that was reviewed. Each line is about one change. */
export interface Verification {
  /** Changes of the fresh preview that were not reviewed. */
  readonly unreviewed: readonly string[];
  /** Changes of `others` that were not reviewed: the up leaves these people as they are. */
  readonly skipped: readonly string[];
  /** Reasons to apply nothing at all. */
  readonly obstacles: readonly string[];
  /** Changes that cannot be compared. They may differ from the review. */
  readonly incomparable: readonly string[];
}

/** Compares a fresh plan with the reviewed one. A plan of another stack or organization is an error. */
export function verify(reviewed: Plan, fresh: Plan): Verification {
  refuseOther(reviewed, fresh);
  const reviewedByUrn = new Map(reviewed.resources.map((one) => [one.urn, one]));
  const linesOfFresh = fresh.resources.flatMap((one) => {
    const same = reviewedByUrn.get(one.urn);
    return same ? unreviewedLines(one, same) : linesOfResource(one);
  });
  const isSkipped = skippedBy(reviewed);
  const unreviewed = unreviewedAccess(reviewed, fresh);
  const linesOf = (some: readonly PlannedAccess[]) => some.map(lineOfAccess(fresh));
  return {
    unreviewed: [...linesOf(unreviewed.filter((one) => !isSkipped(one))), ...linesOfFresh].map(printable),
    skipped: linesOf(unreviewed.filter(isSkipped)).map(printable),
    obstacles: [
      ...(reviewed.refused ? ["the reviewed preview had failed, so it must not be applied"] : []),
      ...(fresh.refused ? ["the fresh preview failed; docs-org review says why"] : []),
      ...listPassedOn(reviewed, fresh),
      ...listApprovals(reviewed, fresh),
    ],
    incomparable: incomparableIn(fresh),
  };
}

/** Changes that have a line: not the removal of all others from a team, whose resource names those who stay, and not release options. */
const listedAccess = ({ access }: Plan): PlannedAccess[] =>
  access.filter(({ user, change }) => user.except === undefined && change !== "options");

/** Whether the up skips a change without an error: `others` changes only the undeclared people that the reviewed plan has. */
function skippedBy({ access }: Plan): (one: PlannedAccess) => boolean {
  const planned = new PlannedChanges(access);
  return (one) => one.isOther === true && !planned.allows({ ...one, person: one.user });
}

function unreviewedAccess(reviewed: Plan, fresh: Plan): PlannedAccess[] {
  const reviewedChanges = new PlannedChanges(reviewed.access);
  const unreviewed = listedAccess(fresh).filter((one) => !reviewedChanges.has(one));
  const named = new Set(unreviewed.flatMap(({ user }) => user.keys));
  const options = fresh.access.filter(
    (one) => one.change === "options" && !reviewedChanges.has(one) && !one.user.keys.some((key) => named.has(key)),
  );
  return [...unreviewed, ...options];
}

/** E-mails that belong to another person than at the review. */
function listPassedOn(reviewed: Plan, fresh: Plan): string[] {
  return Object.entries(fresh.users).flatMap(([email, ids]) => {
    const reviewedIds = reviewed.users[email];
    // An e-mail that the review did not have comes with an unreviewed change.
    if (reviewedIds === undefined) return [];
    const others = ids.filter((id) => !reviewedIds.includes(id)).join(" and ");
    const before = reviewedIds.join(" and ");
    return others ? [visible(`${email} was reviewed as ${before} and belongs to ${others} now`)] : [];
  });
}

/** Approvals that the review did not ask for. Approvers that the reviewed change itself declares (`becomes`) are fine: its up may have been interrupted. */
function listApprovals({ approvals: reviewed = [] }: Plan, { approvals = [] }: Plan): string[] {
  return approvals.flatMap(({ what, approvers }) => {
    const wanted = approvers.map((one) => one.toLowerCase());
    const isAmong = (logins: readonly string[] = []) =>
      logins.length > 0 && logins.every((one) => wanted.includes(one.toLowerCase()));
    const isAsked = reviewed.some((one) => one.what === what && (isAmong(one.approvers) || isAmong(one.becomes)));
    return isAsked ? [] : [visible(`${what} now needs an approval of ${approvers.join(" or ")}`)];
  });
}

function refuseOther(reviewed: Plan, fresh: Plan): void {
  const [before, now] = [reviewed, fresh].map(({ project, stack }) => `${project}/${stack}`);
  if (fresh.project !== "" && before !== now)
    throw new DocsError(
      `the plan is of stack ${before}, and the preview of stack ${now}; use the plan of the same stack`,
    );
  if (reviewed.origin !== undefined && fresh.origin !== undefined && reviewed.origin !== fresh.origin)
    throw new DocsError(
      `the plan is about the service at ${reviewed.origin}, and the preview about ${fresh.origin}; use the plan of the same service`,
    );
  const others = fresh.organizations.filter((id) => !reviewed.organizations.includes(id));
  // If the plan does not know its organization, the organization of each resource is listed as incomparable.
  if (reviewed.organizations.length === 0 || others.length === 0) return;
  throw new DocsError(
    `the plan is of organization ${reviewed.organizations.join(", ")}, and the preview of ${others.join(", ")}; use a preview ` +
      "of the same organization",
  );
}

const mostHidden = 20;
const notRefreshed =
  "the fresh preview did not check for drift, so an up with --refresh may do more; run the preview with --refresh";
const partial =
  "the fresh preview covers only a part of the stack, so an up does more; run the preview without --target";

function incomparableIn(fresh: Plan): string[] {
  const people = listedAccess(fresh).filter((one) => one.hidden);
  const hidden = [
    ...people.map(lineOfAccess(fresh)).map(withReason),
    ...fresh.resources.flatMap((one) => hiddenLines(one, people.length > 0)),
  ];
  const others = hidden.length - mostHidden;
  return [
    ...(fresh.refreshed ? [] : [notRefreshed]),
    ...(fresh.partial ? [partial] : []),
    ...hidden.slice(0, mostHidden),
    ...(others > 0
      ? [`${counted(others, "other change is", "other changes are")} secret, or known only during the up`]
      : []),
  ];
}
