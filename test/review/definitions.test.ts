import { describe, expect, it } from "vitest";
import * as definitions from "../../provider/definitions";
import type { AnyDefinition } from "../../provider/lifecycle/definition";
import { markdownOf } from "../../provider/review/render/formats";
import { unknown } from "./previews";
import { type PreviewStep, reviewOfSteps } from "./support";

const all: readonly AnyDefinition[] = Object.values(definitions);

describe("values that a definition considers equal are no change in a review", () => {
  const order = ["section_a", "section_b"];
  const spelled = ["section_a", { id: "section_b", order: [] }];

  it("of a resource that is replaced for another reason", () => {
    const step: PreviewStep = {
      op: "replace",
      type: "SiteStructureOrder",
      live: { siteId: "site_a", order },
      declared: { siteId: "site_b", order: spelled },
    };
    const [change] = reviewOfSteps(step).sites;
    expect(change?.properties.map(({ name }) => name)).toEqual(["siteId"]);
  });

  it("of a refreshed resource", () => {
    const step: PreviewStep = {
      type: "SiteStructureOrder",
      recorded: { siteId: "site_a", order: spelled },
      live: { siteId: "site_a", order },
      declared: { siteId: "site_a", order: ["section_b", "section_a"] },
    };
    const review = reviewOfSteps(step);
    expect(review.sites[0]).toMatchObject({ cause: "declared", properties: [{ name: "order", before: order }] });
    expect(review.risks).toEqual([]);
  });

  it("unless the state has a value of an impossible type", () => {
    const step: PreviewStep = {
      type: "SiteStructureOrder",
      live: { siteId: "site_a", order: "by title" },
      declared: { siteId: "site_a", order },
    };
    expect(reviewOfSteps(step).sites[0]?.properties).toMatchObject([
      { name: "order", before: "by title", after: order },
    ]);
  });
});

describe("a resource of another package", () => {
  const reviewOfOther = (live: object, declared: object) =>
    reviewOfSteps({ type: "hosting:index/site:Site", name: "landing", live, declared });

  it("is compared by plain equality, whatever its properties are called", () => {
    const review = reviewOfOther(
      { spaces: ["a", "b"], defaultRole: null },
      { spaces: ["b", "a"], defaultRole: "guest" },
    );
    expect(review.others[0]?.properties.map(({ name }) => name)).toEqual(["defaultRole", "spaces"]);
  });

  it("is named by its type, even if this package has a resource of the same type", () => {
    const review = reviewOfOther({ plan: "a" }, { plan: "b" });
    expect(review.sites).toEqual([]);
    expect(markdownOf(review)).toContain("~ changed Site `landing`: `plan` `a` → `b`");
  });
});

describe("a definition", () => {
  it.each(all.map((definition) => [definition.name, definition] as const))(
    "of %s reviews every possible preview: empty, with secrets, and with unknown values",
    (type, { inputs }) => {
      for (const value of [undefined, "[secret]", unknown, null, 1, [1], { a: { b: 1 } }]) {
        const some = Object.fromEntries(Object.keys(inputs.shape).map((name) => [name, value]));
        for (const op of ["create", "update", "replace", "delete"]) {
          const step: PreviewStep = { op, type, recorded: {}, live: some, ...(op !== "delete" && { declared: some }) };
          expect(markdownOf(reviewOfSteps(step, { ...step, name: "other", declared: {} }))).toContain(
            "<!-- docs-org review",
          );
        }
      }
    },
  );
});
