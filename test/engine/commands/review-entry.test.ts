import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Plan, Review } from "pulumi-docs-org/review";
import { expect, it } from "vitest";
import { root } from "../../../scripts/stack";
import { previews } from "../../review/previews";

const script = `
  const { readPreview, reviewOf, markdownOf, htmlOf, planOf } = require("pulumi-docs-org/review");
  const review = reviewOf(readPreview(require("node:fs").readFileSync(0, "utf8"), "a preview"));
  const pulumi = Object.keys(require.cache).filter((file) => file.includes("@pulumi"));
  console.log(JSON.stringify({ review, plan: planOf(review), texts: [markdownOf(review), htmlOf(review)], pulumi }));
`;

it("offers the review to programs by the name of the package, without loading the SDK", async () => {
  const child = promisify(execFile)(process.execPath, ["-e", script], { cwd: root });
  child.child.stdin?.end(previews.change);
  const { review, plan, texts, pulumi } = JSON.parse((await child).stdout) as {
    review: Review;
    plan: Plan;
    texts: string[];
    pulumi: string[];
  };
  expect(review.verdict).toMatchObject({ kind: "risky", gains: 6 });
  expect(plan.access.length + plan.resources.length).toBeGreaterThan(20);
  expect(texts).toEqual([expect.stringMatching(/^<!-- docs-org review/), expect.stringMatching(/^<!doctype html>/)]);
  expect(pulumi).toEqual([]);
});
