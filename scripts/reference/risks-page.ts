import { riskKinds } from "../../provider/lifecycle/risk-kinds";
import { table } from "./page";

/** The page of the risks of a review, the most dangerous first. */
export function risksPage(): string {
  const parts = [
    "# Risks",
    "A risk is a change to look at before it is applied ([reviews in CI](../guides/reviews-in-ci.md#risks)). Its `kind` in the JSON of a review stays the same in later versions.",
    table(
      ["kind", "the change"],
      Object.entries(riskKinds).map(([kind, change]) => [`\`${kind}\``, change]),
    ),
  ];
  return `${parts.join("\n\n")}\n`;
}
