import { patternKeys } from "../../access/patterns";
import { canonical } from "../../access/plan-file";
import { resourceAt } from "../../resources/urns";

/** Stands for a value of which a part is a secret or known only during the up. */
export const unseen = "";

/** Stands for such a value if an entry tells it. No JSON reads like this. */
export const listed = "in the entries";

export const isSeen = (text: string): boolean => text !== unseen && text !== listed;

/** One of this package's resources. */
export const isOurs = (urn: string): boolean => resourceAt(urn) !== undefined;

/** The value of a property, so that values which mean the same are one text. */
export function meaningOf(urn: string, name: string, text: string): string {
  if (name !== "ignore" || !isOurs(urn) || !text.startsWith("[")) return text;
  const keys = patternKeys(JSON.parse(text));
  return keys ? canonical(keys) : text;
}
