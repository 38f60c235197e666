import { isDeepStrictEqual } from "node:util";
import { shownValue } from "../../text/mistakes";
import type { Endpoint } from "./endpoint";

/** Checks for every row that an answer is about the requested object. */

type Call = Readonly<Record<string, unknown>>;

/** Describes the first difference between the requested object and the answered one; `undefined` if there is none. */
export function mismatchOf({ answers = {} }: Pick<Endpoint, "answers">, call: Call, reply: unknown) {
  for (const [place, properties] of Object.entries(answers)) {
    const requested = valuesAt(call, place)[0];
    if (requested === undefined || properties === null) continue;
    const wrong = describeDifference(place, requested, [properties].flat(), reply);
    if (wrong) return wrong;
  }
  return undefined;
}

/** One of the properties must have the requested value: a change request is addressed by its id or by its number. */
function describeDifference(place: string, requested: unknown, properties: readonly string[], reply: unknown) {
  const candidates = properties.map((property) => ({ property, values: valuesAt(reply, property) }));
  const isSame = (value: unknown) => isDeepStrictEqual(comparable(place, value), comparable(place, requested));
  const present = candidates.filter(({ values }) => values.length > 0);
  const isRequested = present.some(({ values }) => values.every(isSame));
  if (present.length === 0 || isRequested) return undefined;
  const written = present.find(({ property }) => writtenByPeople.includes(property));
  if (written) return `its ${written.property} is not the requested one${idIn(reply)}`;
  const differences = present
    .map(({ property, values }) => `${property} is ${shownValue(values.find((one) => !isSame(one)))}`)
    .join(" and ");
  return `${differences}, not ${shownValue(requested)}`;
}

/** Texts that no message shows: the program of the other object may declare them as secrets. Ids are no secrets: states show them. */
const writtenByPeople: readonly string[] = ["title", "label", "path"];

function idIn(reply: unknown): string {
  const [id] = valuesAt(reply, "id");
  return typeof id === "string" ? `; its id is ${shownValue(id)}` : "";
}

/** Ids are compared exactly. Texts are trimmed, because the service may trim them; it answers a path without outer slashes. */
function comparable(place: string, value: unknown): string {
  const text = String(value);
  if (place === "pagePath") return text.replace(/^\/+|\/+$/g, "");
  return place.startsWith("body.") ? text.normalize().trim() : text;
}

/** All values at `a.b`, including those in elements of arrays; absent values and null are skipped. */
function valuesAt(value: unknown, place: string): unknown[] {
  let values: unknown[] = [value];
  for (const name of place.split(".")) values = values.flatMap((one) => valuesOfProperty(one, name));
  return values;
}

function valuesOfProperty(value: unknown, name: string): unknown[] {
  const inner = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  return [inner].flat().filter((one) => one !== undefined && one !== null);
}
