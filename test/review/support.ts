import { readFileSync } from "node:fs";
import path from "node:path";
import type { Plan } from "../../provider/access/plan-file";
import { readPreview } from "../../provider/review/model/preview";
import type { Review } from "../../provider/review/model/review";
import { verify } from "../../provider/review/plan/verification";
import { type ReviewOptions, reviewOf } from "../../provider/review/review";

/** What the real engine printed with `--target`, without what differs from machine to machine. */
export const printedWithTarget = readFileSync(path.join(__dirname, "fixtures/target.json"), "utf8");

export interface PreviewStep {
  readonly op?: string;
  /** The type of a resource of this package in the dynamic host, or a whole type. */
  readonly type: string;
  readonly name?: string;
  readonly parents?: string;
  readonly recorded?: object;
  readonly live?: object;
  readonly outputs?: object;
  readonly declared?: object;
  /** What else the states before and after have, such as `protect`. */
  readonly before?: object;
  readonly after?: object;
}

export const urnOfStep = ({
  type,
  name = "one",
  parents = "",
}: Pick<PreviewStep, "type" | "name" | "parents">): string =>
  `urn:pulumi:prod::docs::${parents}${type.includes(":") ? type : `pulumi-nodejs:dynamic/docs:${type}`}::${name}`;

/** What else the engine prints beside the steps. */
export interface Printed {
  readonly diagnostics?: readonly object[];
  readonly changeSummary?: object;
  readonly config?: object;
}

/** Prints steps as the engine does: the inputs stand in the outputs as well. */
export function print(steps: readonly PreviewStep[], printed: Printed = {}): string {
  return JSON.stringify({ changeSummary: {}, ...printed, steps: steps.flatMap(stepsOf) });
}

function stepsOf(step: PreviewStep): object[] {
  const { op = "update", recorded, live, outputs, declared, before, after } = step;
  const urn = urnOfStep(step);
  const state = (inputs?: object) => {
    return { inputs, outputs: { organizationId: "acme", ...inputs, ...outputs }, ...before };
  };
  const refresh = { op: "refresh", urn, oldState: state(recorded) };
  const main = {
    op,
    urn,
    ...((live || before) && { oldState: state(live) }),
    ...((declared || after) && { newState: { inputs: declared, ...after } }),
  };
  return [...(recorded ? [refresh] : []), ...(op === "refresh" ? [] : [main])];
}

export const reviewOfText = (text: string, options?: ReviewOptions): Review =>
  reviewOf(readPreview(text, "a preview"), options);

export const reviewOfSteps = (...steps: readonly PreviewStep[]): Review => reviewOfText(print(steps));

/** The review of these messages, which the engine printed without any step. */
export const reviewOfMessages = (...diagnostics: readonly object[]): Review => reviewOfText(print([], { diagnostics }));

/** The changes of access of all people, each in short. */
export function changesInReview({ people }: Review): string[] {
  return people.flatMap(({ id, access }) =>
    access
      .filter(({ effect }) => effect !== "none")
      .map(({ place, before, after, effect, cause }) => {
        return `${id} ${effect} ${place.team ?? place.kind}: ${before} -> ${after} (${cause})`;
      }),
  );
}

export const risksIn = ({ risks }: Review): string[] => risks.map(({ kind, subject }) => `${kind} ${subject}`);

export const textsOfRisks = ({ risks }: Review): string[] => risks.map(({ text }) => text);

/** Every change of a plan as one line: compared with an empty plan, all are unreviewed. */
export const reviewedLines = (plan: Plan): readonly string[] =>
  verify({ ...plan, access: [], resources: [], users: {} }, plan).unreviewed;
