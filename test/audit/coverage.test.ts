import fc from "fast-check";
import { expect, it } from "vitest";
import { coverageOf, percentText, totalOf } from "../../provider/audit/coverage";

it.each([
  [999_999, 1_000_000, "99.9 %"],
  [2, 3, "66.7 %"],
  [1, 1_000_000, "0.1 %"],
  [6, 29, "20.7 %"],
  [0, 0, "–"],
])("%d of %d is %s", (declared, there, text) => {
  expect(percentText(coverageOf(declared, there))).toBe(text);
});

it("is 100 only for all, and 0 only for none", () => {
  const numbers = fc
    .integer({ min: 1, max: 10_000_000 })
    .chain((there) => fc.tuple(fc.integer({ min: 0, max: there }), fc.constant(there)));
  fc.assert(
    fc.property(numbers, ([declared, there]) => {
      const { percent } = coverageOf(declared, there);
      expect(percent === 100).toBe(declared === there);
      expect(percent === 0).toBe(declared === 0);
    }),
  );
});

it("adds up", () => {
  expect(totalOf([coverageOf(1, 2), coverageOf(0, 0), coverageOf(2, 2)])).toEqual({
    declared: 3,
    there: 4,
    percent: 75,
  });
});
