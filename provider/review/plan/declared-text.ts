import { canonical } from "../../access/plan-file";
import { patternKeys } from "../../people/patterns";
import { resourceAt } from "../../resources/urns";

/** Replaces a value that is, in whole or in part, a secret or known only during the up. */
export const unseen = "";

/** Replaces such a value if an entry of the plan has it. It is not valid JSON, so it never equals a value. */
export const listed = "in the entries";

export const isSeen = (text: string): boolean => text !== unseen && text !== listed;

/** Whether the URN is that of a resource of this package. */
export const isOurs = (urn: string): boolean => resourceAt(urn) !== undefined;

/** The value of a property as a text that is equal for values with the same meaning. */
export function meaningOf(urn: string, name: string, text: string): string {
  if (name !== "ignore" || !isOurs(urn) || !text.startsWith("[")) return text;
  const keys = patternKeys(JSON.parse(text));
  return keys ? canonical(keys) : text;
}
