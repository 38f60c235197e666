import { isDeepStrictEqual } from "node:util";
import { isDay } from "../../access-plan/grants";
import type { GrantTerms } from "../../access-plan/input";
import { nothing, secret, unknown } from "../../access-plan/place";
import type { PropertyChange } from "../../lifecycle/review";
import { containsSecret, secretValue, unknownValue } from "../../run/properties";
import { identified, joined, listFirst, type SafeText, safeText, trusted } from "../../text/safe-text";
import type { Access } from "./access";
import type { Review } from "./review";

export function levelWords(level: string, kind: Access["place"]["kind"]): SafeText {
  if (level === nothing) return { role: ["no member"], team: ["not in it"], sso: ["not marked"] }[kind];
  if (level === unknown) return ["not known yet"];
  return level === secret ? ["secret"] : safeText`${level}`;
}

export type KnownNames = Pick<Review, "teams" | "organizations">;

/** A place in words, with the organization if the stack has several. */
export function placeWords(place: Access["place"], known: KnownNames): SafeText {
  const { kind, team, organization } = place;
  const isNamed = known.organizations.length > 1 && organization !== "";
  const where = isNamed ? safeText` in organization ${organization}` : [];
  if (team !== undefined) return safeText`team ${teamWords(team, known.teams)}${where}`;
  return safeText`${trusted(kind === "sso" ? "single sign-on" : "role")}${where}`;
}

export function teamWords(team: string, teams: Review["teams"]): SafeText {
  return identified(titleOfTeam(team, teams) ?? team, team);
}

/** The declared title of a team. An id may be any text, also `__proto__`. */
export const titleOfTeam = (team: string, teams: Review["teams"]): string | undefined =>
  Object.hasOwn(teams, team) ? teams[team] : undefined;

/** `role edit → admin`, with notes. */
export function accessWords(access: Access, known: KnownNames): SafeText {
  const { place, before, after, note } = access;
  const start = placeWords(place, known);
  // Who leaves the organization loses the mark.
  if (place.kind === "sso" && after === nothing) return safeText`${start}: no longer marked`;
  if (place.kind === "sso")
    return safeText`${start}: ${trusted(access.effect === "none" ? "stays marked" : "becomes marked")}`;
  if (access.isRecord && access.pending) return safeText`${start}: was pending, no member has this e-mail`;
  if (access.isRecord) return safeText`${start}: ${levelWords(nothing, place.kind)}`;
  if (access.effect === "none") return [...keptWords(access, start), ...grantWords(access)];
  if (place.kind === "role" && before === nothing)
    return safeText`${start}: is no longer a member, so ${after} cannot be set: the up will fail`;
  const change = access.cause === "declared" ? declaredWords(access, start) : driftWords(access, known);
  const more = note === undefined ? safeText`` : safeText`; ${trusted(note)}`;
  return safeText`${change}${more}${pendingWords(access)}${grantWords(access)}`;
}

function declaredWords({ place, before, after, pending }: Access, start: SafeText): SafeText {
  const to = levelWords(after, place.kind);
  if (before !== unknown) return safeText`${start} ${levelWords(before, place.kind)} → ${to}`;
  const hasUnseenRole = place.kind === "role" && !pending;
  return safeText`${start} ${to}${trusted(hasUnseenRole ? " (the present role is not in the preview)" : "")}`;
}

function grantWords({ grant = {}, grantChange }: Pick<Access, "grant" | "grantChange">): SafeText {
  const { expires } = grant;
  if (expires === undefined) return reasonWords(grant);
  if (grantChange === "ends")
    return safeText`${reasonWords(grant)}; the grant has ended ${trusted(isDay(expires) ? "with" : "at")} ${expires}`;
  return safeText`${reasonWords(grant)}; ${trusted(grantChange === "begins" ? "granted " : "")}${untilWords(grant)}`;
}

export const reasonWords = ({ reason }: GrantTerms): SafeText =>
  reason === undefined ? [] : safeText`; reason: ${reason}`;

export function untilWords({ expires, then }: GrantTerms): SafeText {
  if (expires === undefined) return ["without an end"];
  return safeText`until ${trusted(isDay(expires) ? "the end of " : "")}${expires}${then === undefined ? safeText`` : safeText`, then ${then}`}`;
}

/** Access that a resource releases or takes over without a change for the person. */
function keptWords(access: Access, start: SafeText): SafeText {
  const { place, before, recorded, note } = access;
  const earlier = levelWords(recorded ?? nothing, place.kind);
  const drift = recorded === undefined ? [] : safeText`; changed outside Pulumi from ${earlier}, and stays so`;
  const more = trusted(note === undefined ? "" : `; ${note}`);
  return safeText`${start} stays ${levelWords(before, place.kind)}${more}${pendingWords(access)}${drift}`;
}

function pendingWords({ pending, after }: Access): SafeText {
  if (!pending) return [];
  return [after === nothing ? "; was pending: no member had this e-mail" : "; pending: no member has this e-mail yet"];
}

/** What somebody did outside Pulumi, and then what this up does: `role read → admin outside Pulumi; this up sets it back`. */
function driftWords(access: Access, known: KnownNames): SafeText {
  const { place, before, after, recorded = unknown, cause, effect } = access;
  const level = (one: string) => levelWords(one, place.kind);
  const done = safeText`${placeWords(place, known)} ${level(recorded)} → ${level(before)} outside Pulumi`;
  if (cause === "both") return safeText`${done}; this up sets ${level(after)}`;
  return safeText`${done}; this up ${trusted(effect === "gains" ? "gives" : "sets")} it back`;
}

/** `visibility unlisted → public`; after a manual change `visibility unlisted → public outside Pulumi; this up sets it back`. */
export function propertyWords(change: PropertyChange): SafeText {
  const { name, before, after, recorded } = change;
  const has = (side: string) => side in change;
  const marker = markerOf(change);
  if (!has("after"))
    return safeText`${name} ${valueWords(before)} → ${trusted(missingWords(change))}${trusted(marker)}`;
  if (has("recorded")) {
    const to = isDeepStrictEqual(recorded, after) ? safeText`it back` : valueWords(after);
    return safeText`${name} ${presentWords(recorded)} → ${presentWords(before)} outside Pulumi; this up sets ${to}${trusted(marker)}`;
  }
  const list = has("before") ? listWords(before, after) : undefined;
  if (list) return safeText`${name} ${list}${trusted(marker)}`;
  const from = has("before") ? safeText`${valueWords(before)} → ` : safeText``;
  return safeText`${name} ${from}${valueWords(after)}${trusted(marker)}`;
}

function markerOf({ option, selection }: PropertyChange): string {
  if (option) return " (an option, not sent)";
  return selection ? " (selects managed people; see the changes of people)" : "";
}

/** The meaning of an omitted property, which depends on its kind. */
export function missingWords({ option, selection }: Pick<PropertyChange, "option" | "selection">): string {
  if (selection) return "nobody";
  return option ? "not declared: its default" : "no longer managed, stays as it is";
}

/** The added and removed items of a list: two whole long lists would be hard to compare. */
function listWords(before: unknown, after: unknown): SafeText | undefined {
  if (!isList(before) || !isList(after) || [before, after].some(containsSecret)) return undefined;
  const [added, gone] = [without(after, before), without(before, after)];
  if (added.length + gone.length === 0) return undefined;
  const part = (sign: string, names: string[]) =>
    names.length > 0 ? safeText`${trusted(sign)} ${namesWords(names)}` : safeText``;
  const between = added.length > 0 && gone.length > 0 ? ", " : "";
  return safeText`${part("with", added)}${trusted(between)}${part("without", gone)}`;
}

const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");
const without = (all: readonly string[], others: readonly string[]) => all.filter((one) => !others.includes(one));

/** All names if there is room, otherwise the first ones. */
function namesWords(names: readonly string[]): SafeText {
  const whole = joined(names.map((name) => safeText`${name}`));
  return [{ whole, short: listFirst(names, 20) }];
}

const presentWords = (value: unknown): SafeText =>
  value === undefined || value === null ? ["not set"] : valueWords(value);

const mostCharacters = 160;

/** A value for readers. Secret and unknown parts are marked. */
export function valueWords(value: unknown): SafeText {
  if (value === unknownValue) return ["(known during the up)"];
  if (value === secretValue) return ["(secret)"];
  const text = typeof value === "string" ? value : String(JSON.stringify(value));
  const readable = text.replaceAll(unknownValue, "(known during the up)");
  const marked = containsSecret(value) ? readable.replaceAll(secretValue, "(secret)") : readable;
  if (marked.length <= mostCharacters) return safeText`${marked}`;
  const isShown = !containsSecret(value) && !text.includes(unknownValue);
  if (isList(value) && isShown) return namesWords(value);
  return [{ whole: safeText`${marked}`, short: safeText`${marked.slice(0, mostCharacters)}${trusted("…")}` }];
}
