import { valueAt } from "../../text/mistakes";

/** What the filters of lists mean, so that a list is right even if the service or a gateway ignored a filter. */

/** Whether an item belongs to a list with this filter; an item that does not show what is filtered by belongs to it. */
export type Filter = (item: unknown, wanted: unknown) => boolean;

/** One of the properties has the value, or one of the values. */
export function equal(...properties: readonly string[]): Filter {
  return (item, wanted) => {
    const found = shownIn(item, properties);
    return found.length === 0 || [wanted].flat().some((one) => found.includes(one));
  };
}

/** One of the properties contains the text: each of its words, whatever their case and accents, as a search may find it. */
export function containing(...properties: readonly string[]): Filter {
  return (item, wanted) => {
    const found = shownIn(item, properties);
    const text = plain(found.join(" "));
    return (
      found.length < properties.length ||
      plain(String(wanted))
        .split(/\s+/)
        .every((word) => text.includes(word))
    );
  };
}

/** The role of a member; `guest` stands for those without one. */
export const equalRole: Filter = (item, wanted) => valueAt(item, ["role"]) === (wanted === "guest" ? null : wanted);

function shownIn(item: unknown, properties: readonly string[]): unknown[] {
  const values = properties.map((property) => valueAt(item, property.split(".")));
  return values.filter((value) => value !== undefined && value !== null);
}

const plain = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
