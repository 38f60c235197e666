import { readFileSync } from "node:fs";
import path from "node:path";
import { readPreview } from "../../provider/review/model/preview";
import type { Review } from "../../provider/review/model/review";
import { reviewOf } from "../../provider/review/review";

/** What the real engine printed, without what differs from machine to machine. */
export function fixture(name: string): string {
  return readFileSync(path.join(__dirname, "fixtures", `${name}.json`), "utf8");
}

export const reviewOfFixture = (name: string): Review => reviewOf(readPreview(fixture(name), name));

export interface Step {
  readonly op?: string;
  readonly type: string;
  readonly name?: string;
  readonly parents?: string;
  readonly recorded?: object;
  readonly live?: object;
  readonly outputs?: object;
  readonly declared?: object;
}

/** Steps as the engine prints them: the inputs stand in the outputs as well. */
export function previewOf(...steps: readonly Step[]): string {
  const state = (inputs: object, outputs: object = {}) => {
    return { inputs, outputs: { organizationId: "acme", ...inputs, ...outputs } };
  };
  const all = steps.flatMap(
    ({ op = "update", type, name = "one", parents = "", recorded, live, outputs, declared }) => {
      const urn = `urn:pulumi:prod::docs::${parents}pulumi-nodejs:dynamic/docs:${type}::${name}`;
      const refresh = recorded && { op: "refresh", urn, oldState: state(recorded, outputs) };
      const main = {
        op,
        urn,
        ...(live && { oldState: state(live, outputs) }),
        ...(declared && { newState: { inputs: declared } }),
      };
      return [...(refresh ? [refresh] : []), ...(op === "refresh" ? [] : [main])];
    },
  );
  return JSON.stringify({ steps: all, changeSummary: {} });
}

export const reviewOfSteps = (...steps: readonly Step[]): Review =>
  reviewOf(readPreview(previewOf(...steps), "a preview"));

/** Everything that is said of one person's changes, in short. */
export function changesIn({ people }: Review): string[] {
  return people.flatMap(({ id, access }) =>
    access
      .filter(({ effect }) => effect !== "none")
      .map(({ place, before, after, effect, cause }) => {
        return `${id} ${effect} ${place.team ?? place.kind}: ${before} -> ${after} (${cause})`;
      }),
  );
}

export const risksIn = ({ risks }: Review): string[] => risks.map(({ kind, subject }) => `${kind} ${subject}`);
