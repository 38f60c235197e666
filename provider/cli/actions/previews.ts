import { writeFileSync } from "node:fs";
import { type Plan, readPlan, refuseOldPlan, writePlan } from "../../access/plan-file";
import { endOf } from "../../access-plan/grants";
import { DocsError } from "../../api/http/errors";
import { readEvidence } from "../../report/evidence";
import { type End, hasEnded } from "../../review/model/ends";
import { readPreview } from "../../review/model/preview";
import type { Review } from "../../review/model/review";
import { planOf } from "../../review/plan/plan";
import { type Verification, verify } from "../../review/plan/verification";
import { reviewFormats } from "../../review/render/formats";
import { type ReviewOptions, reviewOf } from "../../review/review";
import { howItEnded } from "../../review/verdict";
import { ageIn, parseAge, wordsOfAge } from "../../run/age";
import type { Evidence } from "../../run/evidence";
import { attemptToWrite } from "../../run/files";
import { Settings } from "../../run/settings";
import { counted } from "../../text/safe-text";
import { readInput, readText } from "../input";
import { askedAge, type ReportFormat } from "../options";
import { print, StatusError } from "../output";

export async function reviewPreviewFile(
  file: string | undefined,
  options: ReviewOutput & { readonly partial?: boolean },
): Promise<void> {
  const { text, source } = readInput(file);
  const fromVariables = reviewOptions(options);
  const partial = options.partial === true || fromVariables.partial === true;
  const reviewed = reviewOf(readPreview(text, source), { ...fromVariables, partial });
  await writeReview(reviewed, options);
  failOnReview(reviewed, options);
}

export interface ReviewOutput {
  readonly format: ReportFormat;
  readonly failOn?: readonly string[];
  readonly plan?: string;
  readonly page?: string;
  /** The version of the stack, as far as the command knows it. */
  readonly stackVersion?: string | undefined;
}

export async function writeReview(review: Review, { plan, page, format, stackVersion }: ReviewOutput): Promise<void> {
  const evidence = evidenceOf(review, stackVersion);
  if (plan !== undefined) {
    const text = writePlan({ ...planOf(review), evidence });
    attemptToWrite(`the plan ${plan}`, () => writeFileSync(plan, text));
  }
  if (page !== undefined)
    attemptToWrite(`the page ${page}`, () => writeFileSync(page, reviewFormats.html(review, evidence)));
  await print(reviewFormats[format](review, evidence));
}

function evidenceOf({ project, stack: name, organizations, origin }: Review, stackVersion?: string): Evidence {
  const organization = organizations.join(", ") || undefined;
  const stack = project === "" ? undefined : `${project}/${name}`;
  return readEvidence(new Settings(), { service: origin, organization, stack, stackVersion });
}

/** Ends the command with status 2 if `--fail-on` says so. */
export function failOnReview(review: Review, { failOn = [] }: ReviewOutput): void {
  for (const what of failOn) {
    const reason = reasonToFail(review, what);
    if (reason) throw new StatusError(`${reason} (--fail-on ${what})`);
  }
}

function reasonToFail(
  { ends, risks, refusals, verdict, refreshed, partial }: Review,
  failOn: string,
): string | undefined {
  if (ageIn(failOn, "expiring") !== undefined) return reasonOfEnds(ends, failOn);
  if (refusals.length > 0) return howItEnded(refusals);
  if (risks.length > 0) return `the review has ${counted(risks.length, "risk")}`;
  if (failOn === "risk") return undefined;
  if (verdict.kind !== "none") return "the review has changes";
  if (partial) return "the preview covers only a part of the stack, so the rest may have changed; preview all of it";
  return refreshed ? undefined : "the preview did not check for drift; run it with --refresh";
}

/** Why `--fail-on expiring=30d` ends a command; a beginning is no reason. */
export function reasonOfEnds(ends: readonly End[], failOn: string, now = new Settings().now()): string | undefined {
  const age = ageIn(failOn, "expiring") ?? 0;
  const met = ends.filter(({ kind, on }) => kind !== "grant begins" && endOf(on) <= now.getTime() + age);
  const ended = met.filter(hasEnded).length;
  const later = met.length - ended;
  const what = counted(later, "grant, certificate or token ends", "grants, certificates or tokens end");
  const texts = [
    ...(ended > 0
      ? [counted(ended, "grant has ended and is still given", "grants have ended and are still given")]
      : []),
    ...(later > 0 ? [`${what} within ${wordsOfAge(age)}`] : []),
  ];
  return texts.join(", and ") || undefined;
}

/** Variables with which the engine previews, and changes, only a part of the stack. */
const partialVariables = ["TARGET", "TARGET_REPLACE", "EXCLUDE", "EXCLUDE_PROTECTED"].map(
  (option) => `PULUMI_OPTION_${option}`,
);

export function reviewOptions({ failOn }: Pick<ReviewOutput, "failOn"> = {}): ReviewOptions {
  const settings = new Settings();
  const parts = partialVariables.filter((name) => settings.variable(name) !== undefined);
  const now = settings.variable("DOCS_NOW");
  const age = askedAge(failOn);
  const target = settings.target();
  return {
    ...target,
    ...(age !== undefined && {
      within: { now: settings.now(), period: age, token: settings.tokenOf(target.organizationId ?? "")?.value },
    }),
    partial: parts.length > 0,
    limits: [
      ...(parts.length > 0 ? [`Only a part of the stack (${parts.join(", ")})`] : []),
      ...(now === undefined ? [] : [`As of ${now} (DOCS_NOW)`]),
    ],
  };
}

interface VerifyOptions extends PlanOptions {
  readonly plan: string;
  readonly acceptIncomparable?: true;
}

export interface PlanOptions {
  readonly planAge?: string;
}

export function verification(file: string | undefined, options: VerifyOptions): void {
  const plan = planIn(options.plan, options);
  const { text, source } = readInput(file);
  stopUnlessReviewed(plan, planOf(reviewOf(readPreview(text, source), reviewOptions())), options);
}

/** The plan that an option names. A file that cannot be read is a mistake in the command line. */
export function planIn(file: string, { planAge }: PlanOptions): Plan {
  const plan = readPlan(textOf(file), file);
  const settings = new Settings();
  const age = planAge === undefined ? undefined : parseAge(planAge);
  refuseOldPlan(plan, settings, age ?? settings.planAge());
  return plan;
}

function textOf(file: string): string {
  try {
    return readText(file, "plan");
  } catch (error) {
    if (error instanceof DocsError) throw new StatusError(error.message);
    throw error;
  }
}

/** Prints how a fresh plan differs from the reviewed one, and ends the command unless every change was reviewed. */
export function stopUnlessReviewed(
  reviewed: Plan,
  fresh: Plan,
  options: Pick<VerifyOptions, "acceptIncomparable">,
): void {
  const result = verify(reviewed, fresh);
  report(result);
  const reasons = reasonsToStop(result, "reviewed");
  if (reasons !== undefined)
    throw new StatusError(`stopped, and nothing was changed: ${reasons}; have a new plan reviewed, or undo this`);
  const { length } = result.incomparable;
  if (length > 0 && !options.acceptIncomparable) stopIncomparable(length);
}

/** Says how a change goes beyond the one that was reviewed or shown; `undefined` if it does not. */
export function reasonsToStop({ unreviewed, obstacles }: Verification, what: "reviewed" | "shown"): string | undefined {
  const differences =
    unreviewed.length > 0 ? [`${counted(unreviewed.length, "change was", "changes were")} not ${what}`] : [];
  return [...obstacles, ...differences].join("; ") || undefined;
}

function stopIncomparable(count: number): never {
  throw new StatusError(
    `stopped: everything that can be compared was reviewed, and ${counted(count, "point")} cannot be compared; look at ${count === 1 ? "it" : "them"}, then add --accept-incomparable`,
    3,
  );
}

function report({ unreviewed, skipped, incomparable, obstacles }: Verification): void {
  listLines("Not reviewed:", unreviewed);
  listLines("Not reviewed, so these people stay as they are:", skipped);
  listLines("Cannot be compared:", incomparable);
  if (unreviewed.length + obstacles.length + incomparable.length > 0) return;
  console.log(`Everything ${skipped.length > 0 ? "else " : ""}was reviewed.`);
}

export function listLines(title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  console.log(title);
  for (const line of lines) console.log(`  ${line}`);
}
