import fc from "fast-check";
import { expect, it } from "vitest";
import { isChange, planAccess } from "../../provider/access-plan/access-plan";
import type { AccessChange } from "../../provider/access-plan/change";
import { findingsOf } from "../../provider/access-plan/findings";
import { isCi } from "../../scripts/ci";
import { inputAfter } from "./carry-out";
import { brokenInvariants, describeAccessChange, textsOf } from "./invariants";
import { inputFrom, reordered, rolePlace } from "./random-inputs";

/** Each number is one choice. It is below 240, which most numbers of alternatives divide, so these are equally likely. */
const choiceLists = fc.noBias(fc.array(fc.nat(239), { maxLength: 260, size: "max" }));

/** How many random inputs are judged. */
const plans = Number(process.env.ACCESS_PLANS ?? (isCi() ? 20_000 : 5_000));

/** Whether a review shows the level of somebody who has not joined as a change. */
const isNews = ({ state, before, after }: AccessChange) => state === "pending" && before !== after;

it("keeps its promises for random organizations, declarations, states and outside changes", { timeout: 60_000 }, () => {
  let [changes, carriedOut] = [0, 0];
  const property = fc.property(choiceLists, (choices) => {
    const input = inputFrom(choices);
    const plan = planAccess(input);
    const findings = findingsOf(plan);
    changes += plan.changes.length;
    const mistakes = brokenInvariants(plan, findings);
    const reorderedPlan = planAccess(reordered(input));
    const [texts, reorderedTexts] = [textsOf(plan, findings), textsOf(reorderedPlan, findingsOf(reorderedPlan))];
    // `expect` is slow, so it only shows the difference.
    if (texts.join("\n") !== reorderedTexts.join("\n")) expect(reorderedTexts).toEqual(texts);
    const after = inputAfter(plan, findings);
    if (after && plan.changes.length > 0) carriedOut++;
    const second = after ? planAccess(after).subjects : [];
    // A person of another resource is within reach of `others` only after the first plan. The second plan then changes the person.
    const isLeft = ({ person, cause, place }: AccessChange) =>
      (cause === "left" || (cause === "undeclared" && place.kind === "role")) &&
      plan.of(rolePlace, person)?.recordedBy.some(({ declared }) => !declared?.others);
    const secondChanges = second.filter((one) => (isChange(one) || isNews(one)) && !isLeft(one));
    if (mistakes.length + secondChanges.length > 0) {
      const described = JSON.stringify(input, (_, value) => (value instanceof Map ? Object.fromEntries(value) : value));
      expect.fail(
        [...mistakes, ...secondChanges.map((one) => `again: ${describeAccessChange(one)}`), described].join("\n"),
      );
    }
  });
  fc.assert(property, { numRuns: plans });
  expect(changes).toBeGreaterThan(plans);
  expect(carriedOut).toBeGreaterThan(plans / 4);
});
