import type { Plan } from "../../access/plan-file";
import { DocsError } from "../../api/http/errors";
import type { Deployment, StackChange } from "../../deployment/deployment";
import { noticeOfBackend, openProject } from "../../deployment/project";
import { type Engine, type MissingEngine, missingEngine, searchEngine } from "../../engine/find";
import { ENGINE_VERSION } from "../../engine/version";
import { previewIn } from "../../review/model/preview";
import type { Review } from "../../review/model/review";
import { planOf } from "../../review/plan/plan";
import { verify } from "../../review/plan/verification";
import { reviewOf } from "../../review/review";
import { howItEnded, isOfChange, verdictOf } from "../../review/verdict";
import { tell } from "../output";
import { confirm, isInteractive, isYes } from "./ask";
import { listLines, type ReviewOutput, reasonsToStop, reviewOptions, writeReview } from "./previews";

export interface StackOptions {
  readonly stack: string;
  /** Whether to install a missing engine without a question. */
  readonly yes?: true;
}

/**
 * Opens the stack of the current folder; with `create`, also one that the backend does not have. The organization is by default that of
 * the file. The SDK is loaded last: a mistake of the user is reported sooner.
 */
export async function openStack(
  { stack: stackName, yes }: StackOptions,
  { create, organizationId }: { readonly create: boolean; readonly organizationId?: string },
): Promise<Deployment> {
  const project = openProject(process.cwd(), process.env, { organizationId, wanted: create ? undefined : stackName });
  const engine = await engineOrInstall(yes === true);
  const { Deployment } = await import("../../deployment/deployment.js");
  const onMade = () => {
    const notice = noticeOfBackend(project);
    if (notice !== undefined) tell(notice);
    tell(`made the stack ${stackName} of project ${project.name}`);
  };
  return Deployment.open({ engine, project, stackName, create, onMade, tell });
}

export interface StackReview {
  readonly review: Review;
  /** Whether anything changes beside the state of the stack. */
  readonly changesService: boolean;
  /** The engine would change nothing, not even in the state. */
  readonly isEmpty: boolean;
  readonly stackVersion: string | undefined;
}

export async function reviewChange(
  deployment: Deployment,
  change: StackChange,
  output: Partial<Pick<ReviewOutput, "failOn" | "plan" | "page" | "format">> = {},
): Promise<StackReview> {
  const { plan, page, format = "text" } = output;
  const isForFile = plan !== undefined || page !== undefined || format !== "text";
  const [document, stackVersion] = await Promise.all([
    deployment.preview(change),
    deployment.newestVersion({ isForFile }),
  ]);
  const preview = previewIn(document, "the preview");
  const review = reviewOf(preview, reviewOptions(output));
  const risks = review.risks.filter(isOfChange);
  const changesService = verdictOf({ ...review, risks }).kind !== "none";
  return { review, stackVersion, changesService, isEmpty: preview.isEmpty && !changesService };
}

/** Prints what a change does to people, and stops if the engine or a guard refuses it. */
export async function showChange({ review, stackVersion }: StackReview): Promise<Plan> {
  await writeReview(review, { format: "text", stackVersion });
  if (review.refusals.length > 0) throw new DocsError(`nothing was changed, because ${howItEnded(review.refusals)}`);
  return planOf(review);
}

/** Asks, and after a yes checks that the change is still the shown one: the answer may come hours later. */
export async function isConfirmed(
  question: string,
  deployment: Deployment,
  change: StackChange,
  shown: Plan,
): Promise<boolean> {
  if (!(await confirm(question, "Nothing was changed."))) return false;
  const current = await reviewChange(deployment, change);
  const result = verify(shown, planOf(current.review));
  const reasons = reasonsToStop(result, "shown");
  if (reasons === undefined) return true;
  listLines("Not shown:", result.unreviewed);
  throw new DocsError(`nothing was changed, because meanwhile ${reasons}; run ${change} again`);
}

/** Makes the change that was shown, and says what was done. */
export async function applyChange(
  deployment: Deployment,
  change: StackChange,
  plan: Plan,
  { planAge }: { readonly planAge?: string } = {},
): Promise<void> {
  const start = Date.now();
  const show = (line: string) => process.stderr.write(`  ${line}\n`);
  const summary = await deployment.apply(change, plan, { planAge, show });
  console.log(`Done: ${summary}, in ${((Date.now() - start) / 1000).toFixed(1)} s.`);
}

/** The engine on PATH or in the cache. If there is none, it is installed into the cache after a yes. */
export async function engineOrInstall(yes: boolean): Promise<Engine> {
  const found = await searchEngine(process.env);
  if ("folder" in found) return found;
  if (!yes && !(await isAgreed(found))) throw missingEngine(found);
  tell(`downloading Pulumi ${ENGINE_VERSION} from get.pulumi.com into ${found.cache} (once)`);
  const { downloadEngine } = await import("../../engine/install.js");
  return downloadEngine(found, process.env);
}

async function isAgreed({ refusal, cache }: MissingEngine): Promise<boolean> {
  if (!isInteractive()) return false;
  tell(`there is no Pulumi engine on the PATH (${refusal})`);
  return isYes(`Download the Pulumi CLI ${ENGINE_VERSION} from get.pulumi.com into ${cache}?`);
}
