import { valueAt } from "../../text/mistakes";

/** Predicates for the filters of lists: results are right even if the service or a gateway ignores a filter. */

/** Whether an item passes the filter; an item without the filtered property passes. */
export type Filter = (item: unknown, wanted: unknown) => boolean;

/** Passes if one of the properties has the value, or one of several values. */
export function equal(...properties: readonly string[]): Filter {
  return (item, wanted) => {
    const values = shownIn(item, properties);
    return values.length === 0 || [wanted].flat().some((one) => values.includes(one));
  };
}

/** Passes if the properties together contain each word of the text, ignoring case and accents, or if one of them is not shown. */
export function containing(...properties: readonly string[]): Filter {
  return (item, wanted) => {
    const values = shownIn(item, properties);
    if (values.length < properties.length) return true;
    const text = plain(values.join(" "));
    const words = plain(String(wanted)).split(/\s+/);
    return words.every((word) => text.includes(word));
  };
}

/** Compares the role of a member; `guest` means no role. */
export const equalRole: Filter = (item, wanted) => valueAt(item, ["role"]) === (wanted === "guest" ? null : wanted);

function shownIn(item: unknown, properties: readonly string[]): unknown[] {
  const values = properties.map((property) => valueAt(item, property.split(".")));
  return values.filter((value) => value !== undefined && value !== null);
}

const plain = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
