import { readFileSync, statSync } from "node:fs";
import type { Identity } from "../access-plan/identities";
import type { Place } from "../access-plan/place";
import { DocsError } from "../api/http/errors";
import { userKey } from "../people/user";
import { currentOrigin } from "../run/origin";
import { type Run, runScoped } from "../run/run";
import { quoted } from "../text/mistakes";
import { type Plan, readPlan, refuseOldPlan } from "./plan-file";
import { PlannedChanges } from "./planned-changes";

/** The variable that names the file of the plan that an up applies, relative to the folder of the program. `docs-org review --plan` writes it. */
const variable = "DOCS_PLAN";

export interface ReviewedPlan {
  readonly plan: Plan;
  readonly access: PlannedChanges;
}

const lastRead = runScoped((): { version?: string; reviewed?: ReviewedPlan } => ({}));

/** Reads the plan that the environment names. An invalid or old file is refused, because nothing could be checked with it. */
export function reviewedPlan(run: Run): ReviewedPlan | undefined {
  const file = run.settings.variable(variable);
  if (file === undefined) {
    if (!run.settings.isBlank(variable)) return undefined;
    throw new DocsError(
      `${variable} is empty, so no plan would be enforced; name the file of the plan, or unset ${variable}`,
    );
  }
  const last = lastRead(run);
  const { mtimeMs, size } = attempt(file, () => statSync(file));
  const version = JSON.stringify([file, mtimeMs, size]);
  if (last.version !== version) Object.assign(last, { version, reviewed: readReviewed(file, run) });
  return last.reviewed;
}

/**
 * Says that a declared e-mail meant somebody else at the review, and who it means now: between the review and the up, an e-mail
 * may have changed hands. `undefined` if it means the same person.
 */
export function otherPerson(
  { organizations, users }: Pick<Plan, "organizations" | "users">,
  { kind, organization }: Place,
  user: string,
  { userId }: Pick<Identity, "userId">,
): string | undefined {
  // A plan that knows no organization may be about any.
  if (organizations.length > 0 && !organizations.includes(organization)) return undefined;
  const key = userKey(user);
  const before = Object.hasOwn(users, key) ? users[key] : undefined;
  if (!before || (userId !== undefined && before.includes(userId))) return undefined;
  // A role is given only to a member, so an e-mail that no member has changes nothing. A team accepts it.
  if (userId === undefined && kind !== "team") return undefined;
  const now =
    userId === undefined
      ? ", and no member has this e-mail now, so nobody is added with it"
      : ` and belongs to ${userId} now, so nothing is changed for either`;
  return `${key} was reviewed as ${before.join(" and ")}${now}; review the change again, or name the user by id`;
}

function attempt<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new DocsError(
      `${variable}: could not read the plan ${quoted(file)} (${code}); name the file that docs-org review --plan wrote, or unset ${variable}`,
    );
  }
}

function readReviewed(file: string, run: Run): ReviewedPlan {
  const text = attempt(file, () => readFileSync(file, "utf8"));
  const plan = readPlan(text, `${variable}: ${file}`);
  refuseOldPlan(plan, run.settings, run.settings.planAge());
  if (plan.refused)
    throw new DocsError(
      `the preview of the plan of ${variable} was refused or failed, so nothing of it may be applied; have a new plan reviewed`,
    );
  if (plan.origin !== undefined && run.settings.baseUrl() !== undefined && plan.origin !== currentOrigin(run))
    throw new DocsError(
      `the plan of ${variable} is about the service at ${plan.origin}, and the settings name ${currentOrigin(run)}; correct the address, or review the change again`,
    );
  return { plan, access: new PlannedChanges(plan.access) };
}
