import fc from "fast-check";
import { expect, it } from "vitest";
import { isChange, planAccess } from "../../provider/access-plan/access-plan";
import { findingsOf } from "../../provider/access-plan/findings";
import { inputAfter } from "./carry-out";
import { describe, mistakesIn, textsOf } from "./invariants";
import { inputFrom, reordered } from "./random-inputs";

/** Each number is one choice. */
const cases = fc.noBias(fc.array(fc.nat(239), { maxLength: 260, size: "max" }));

it("keeps its promises for random organizations, declarations, states and outside changes", { timeout: 60_000 }, () => {
  let [changes, carriedOut] = [0, 0];
  const property = fc.property(cases, (choices) => {
    const input = inputFrom(choices);
    const plan = planAccess(input);
    const findings = findingsOf(plan);
    changes += plan.changes.length;
    const mistakes = mistakesIn(plan, findings);
    const other = planAccess(reordered(input));
    const [texts, others] = [textsOf(plan, findings), textsOf(other, findingsOf(other))];
    if (texts.join("\n") !== others.join("\n")) expect(others).toEqual(texts);
    const after = inputAfter(plan, findings);
    if (after && plan.changes.length > 0) carriedOut++;
    const again = after ? planAccess(after).subjects.filter(isChange) : [];
    if (mistakes.length + again.length > 0) {
      const described = JSON.stringify(input, (_, value) => (value instanceof Map ? Object.fromEntries(value) : value));
      expect.fail([...mistakes, ...again.map((one) => `again: ${describe(one)}`), described].join("\n"));
    }
  });
  fc.assert(property, { numRuns: 20_000 });
  expect(changes).toBeGreaterThan(20_000);
  expect(carriedOut).toBeGreaterThan(5_000);
});
