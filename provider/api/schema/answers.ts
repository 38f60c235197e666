import { isDeepStrictEqual } from "node:util";
import { shown } from "../../text/mistakes";
import type { Endpoint } from "./endpoint";

/** Whether an answer belongs to the request: compared once, here, for every row of the table. */

type Call = Readonly<Record<string, unknown>>;

/** The first difference between what was asked for and what the answer is about, in words. */
export function mismatchOf(
  { answers = {} }: Pick<Endpoint, "answers">,
  call: Call,
  reply: unknown,
): string | undefined {
  for (const [place, properties] of Object.entries(answers)) {
    const asked = valuesAt(call, place)[0];
    if (asked === undefined || properties === null) continue;
    const wrong = differing(place, asked, [properties].flat(), reply);
    if (wrong) return wrong;
  }
  return undefined;
}

/** One of the properties must repeat it: a change request is addressed by its id or by its number. */
function differing(place: string, asked: unknown, properties: readonly string[], reply: unknown): string | undefined {
  const told = properties.map((property) => ({ property, values: valuesAt(reply, property) }));
  const other = (value: unknown) => !isDeepStrictEqual(comparable(place, value), comparable(place, asked));
  const known = told.filter(({ values }) => values.length > 0);
  if (known.length === 0 || known.some(({ values }) => !values.some(other))) return undefined;
  const found = known.map(({ property, values }) => `${property} is ${shown(values.find(other))}`).join(" and ");
  return `${found}, not ${shown(asked)}`;
}

/** Ids are compared as they are. The service may trim a text, and answers a path without the slashes around it. */
function comparable(place: string, value: unknown): string {
  const text = String(value);
  if (place === "pagePath") return text.replace(/^\/+|\/+$/g, "");
  return place.startsWith("body.") ? text.normalize().trim() : text;
}

/** Everything that stands at `a.b`, the elements of arrays included; what is absent or null says nothing. */
function valuesAt(value: unknown, place: string): unknown[] {
  return place.split(".").reduce<unknown[]>((found, name) => found.flatMap((one) => propertyOf(one, name)), [value]);
}

function propertyOf(value: unknown, name: string): unknown[] {
  const inner = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  return [inner].flat().filter((one) => one !== undefined && one !== null);
}
