import type { SiteAnswer } from "../../api/groups/sites";

const plans = ["basic", "premium", "ultimate"] as const;
type Plan = (typeof plans)[number];

/** Some features, each with the lowest plan that has it. The service has about thirty; their plans are not documented. */
const features: readonly { id: string; plan: Plan; customizations?: string[] }[] = [
  { id: "sites-basic-customization", plan: "basic", customizations: ["header-logo"] },
  { id: "sites-full-text-search", plan: "basic" },
  { id: "sites-public-visibility", plan: "basic" },
  { id: "sites-custom-domain", plan: "premium" },
  { id: "sites-share-links", plan: "premium" },
  { id: "sites-advanced-customization", plan: "premium", customizations: ["footer-logo", "custom-icons"] },
  { id: "sites-adaptive-content", plan: "ultimate" },
  { id: "sites-sections", plan: "ultimate" },
  { id: "sites-visitor-authentication", plan: "ultimate" },
];

/** Features of the site's plan and all lower ones. */
export function featuresOf(type: SiteAnswer["type"]): SiteAnswer["features"] {
  const plan = type === "sponsored" ? "ultimate" : type.replace("legacy-", "");
  const rank = plans.indexOf(plan as Plan);
  return features
    .filter((feature) => plans.indexOf(feature.plan) <= rank)
    .map((feature) => ({ ...feature, frozen: false }));
}
