import type { ReviewOptions } from "../../review/review";
import { Settings } from "../../run/settings";

/** Variables with which the engine previews, and changes, only a part of the stack. */
const partly = ["TARGET", "TARGET_REPLACE", "EXCLUDE", "EXCLUDE_PROTECTED"].map((option) => `PULUMI_OPTION_${option}`);

/** What the environment says about a preview. */
export function reviewOptions(settings = new Settings()): ReviewOptions {
  const parts = partly.filter((name) => settings.variable(name) !== undefined);
  const now = settings.variable("DOCS_NOW");
  return {
    ...settings.target(),
    partial: parts.length > 0,
    limits: [
      ...(parts.length > 0 ? [`Only a part of the stack (${parts.join(", ")})`] : []),
      ...(now === undefined ? [] : [`As of ${now} (DOCS_NOW)`]),
    ],
  };
}
