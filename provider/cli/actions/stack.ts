import { DocsError } from "../../api/http/errors";
import { howItEnded } from "../../review/verdict";
import { onlyVariable, Settings } from "../../run/settings";
import { StatusError } from "../output";
import { confirm, refuseWithoutTerminal } from "./ask";
import { applyChange, isConfirmed, openStack, reviewChange, type StackOptions, showChange } from "./deployment";
import { failOnReview, type PlanOptions, planIn, type ReviewOutput, stopUnlessReviewed, writeReview } from "./previews";

export async function preview(options: ReviewOutput & StackOptions): Promise<void> {
  // With --fail-on, the preview is a check, which makes no stack: a mistyped name would stay in the backend.
  const deployment = await openStack(options, { create: options.failOn === undefined });
  const { review, stackVersion } = await reviewChange(deployment, "up", options);
  await writeReview(review, { ...options, stackVersion });
  if (review.refusals.length > 0) throw new DocsError(`${howItEnded(review.refusals)}, so an up would change nothing`);
  failOnReview(review, options);
}

interface UpOptions extends StackOptions, PlanOptions {
  readonly only?: "grants";
  readonly plan?: string;
  readonly acceptIncomparable?: true;
}

export async function up(options: UpOptions): Promise<void> {
  const { yes = false } = options;
  const file = options.plan ?? process.env.DOCS_PLAN;
  if (file === "") throw new StatusError("DOCS_PLAN or --plan is empty; name the file of a plan, or leave it out");
  if (options.acceptIncomparable && file === undefined)
    throw new StatusError("--accept-incomparable is about the comparison with a plan; add --plan FILE");
  if (options.only) {
    if (file !== undefined) throw new StatusError("--only makes its own plan; leave out --plan, and unset DOCS_PLAN");
    return (await import("./only-grants.js")).upOnlyGrants(options);
  }
  // The preview runs without the plan, which would stop it at the first difference. All differences are listed below.
  delete process.env.DOCS_PLAN;
  delete process.env[onlyVariable];
  refuseWithoutTerminal("up", options);
  const reviewed = file === undefined ? undefined : planIn(file, options);
  const deployment = await openStack(options, { create: true });
  await deployment.settleOvertaken();
  const change = await reviewChange(deployment, "up");
  const shown = await showChange(change);
  if (reviewed) stopUnlessReviewed(reviewed, shown, options);
  if (change.isEmpty) return deployment.settle();
  const question = change.changesService ? "Make this change?" : "Only the state of the stack changes. Record that?";
  if (!yes && !(await isConfirmed(question, deployment, "up", shown))) return;
  await applyChange(deployment, "up", reviewed ?? shown, options);
  await deployment.settle();
}

export async function destroy(options: StackOptions): Promise<void> {
  const { yes = false } = options;
  if (process.env.DOCS_PLAN !== undefined)
    throw new StatusError("DOCS_PLAN is set, and a destroy makes the changes of its own preview; unset it");
  if (new Settings().isReadOnly())
    throw new StatusError("DOCS_READ_ONLY is set, so a destroy could delete nothing; unset it");
  refuseWithoutTerminal("destroy", options);
  const deployment = await openStack(options, { create: false });
  await deployment.settleOvertaken();
  await deployment.settle();
  const { all } = await deployment.readResources();
  if (all.length === 0) {
    console.log(`Nothing to do: stack ${options.stack} manages nothing.`);
    return;
  }
  const shown = await showChange(await reviewChange(deployment, "destroy"));
  if (!yes && !(await isConfirmed("Release and delete all of this?", deployment, "destroy", shown))) return;
  await applyChange(deployment, "destroy", shown);
}

export async function cancel(options: StackOptions): Promise<void> {
  const { yes = false, stack } = options;
  refuseWithoutTerminal("cancel", options);
  const deployment = await openStack(options, { create: false });
  const question = `Have all runs of stack ${stack} ended, so that its lock can be removed?`;
  if (!yes && !(await confirm(question, "Nothing was changed."))) return;
  await deployment.cancel();
  console.log(`Stack ${stack} has no lock now. Run the command that was killed again.`);
}
