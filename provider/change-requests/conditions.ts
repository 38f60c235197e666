import { ageIn } from "../run/age";
import { counted } from "../text/safe-text";
import { brokenCount, type OpenChangeRequest, type OpenChangeRequests } from "./report";

export interface ChangeRequestCondition {
  /** As the user wrote it. */
  readonly text: string;
  readonly kind: "outdated" | "broken-links" | "age";
  /** Milliseconds since the creation; for `age` only. */
  readonly age: number;
}

/** The condition that a value of `--fail-on` names. */
export function conditionIn(text: string): ChangeRequestCondition {
  const kind = text.split("=", 1)[0] as ChangeRequestCondition["kind"];
  return { text, kind, age: ageIn(text, kind) ?? 0 };
}

export function findMet(conditions: readonly ChangeRequestCondition[], report: OpenChangeRequests): string[] {
  return conditions.flatMap((condition) => {
    const met = report.changeRequests.filter((one) => isMet(condition, one, report));
    return met.length > 0 ? [`${describe(condition, met.length)} (--fail-on ${condition.text})`] : [];
  });
}

/** Whether this version of the service cannot answer a condition. */
export const cannotAnswer = (conditions: readonly ChangeRequestCondition[], { links }: OpenChangeRequests): boolean =>
  links === "unavailable" && conditions.some(({ kind }) => kind === "broken-links");

function isMet({ kind, age }: ChangeRequestCondition, one: OpenChangeRequest, { asOf }: OpenChangeRequests): boolean {
  if (kind === "outdated") return one.outdated;
  if (kind === "broken-links") return brokenCount(one) > 0;
  return Date.parse(asOf) - Date.parse(one.createdAt) >= age;
}

function describe({ kind, text }: ChangeRequestCondition, count: number): string {
  if (kind === "outdated") return counted(count, "change request is outdated", "change requests are outdated");
  if (kind === "broken-links") return counted(count, "change request breaks links", "change requests break links");
  const state = `open for ${text.slice("age=".length)} or longer`;
  return counted(count, `change request is ${state}`, `change requests are ${state}`);
}
