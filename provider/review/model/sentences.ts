import type { GrantTerms } from "../../access-plan/input";
import { nothing, rankOfLevel, secret, unknown } from "../../access-plan/place";
import type { PropertyChange } from "../../lifecycle/review";
import { containsSecret, secretValue, unknownValue } from "../../run/properties";
import { identified, joined, some, trusted, type Words, words } from "../../text/words";
import type { Access } from "./access";
import type { Review } from "./review";

export function levelWords(level: string, kind: Access["place"]["kind"]): Words {
  if (level === nothing) return kind === "role" ? ["no member"] : ["not in it"];
  if (level === unknown) return ["not known yet"];
  return level === secret ? ["secret"] : words`${level}`;
}

export type Known = Pick<Review, "teams" | "organizations">;

/** A place in words, with the organization if the stack has several. */
export function placeWords(place: Access["place"], known: Known): Words {
  const { kind, team = "" } = place;
  const where = organizationWords(place, known);
  if (kind === "role") return words`role${where}`;
  return kind === "sso" ? words`single sign-on${where}` : words`team ${teamWords(team, known.teams)}${where}`;
}

const organizationWords = ({ organization }: Access["place"], { organizations }: Known): Words =>
  organizations.length > 1 && organization !== "" ? words` in organization ${organization}` : [];

export function teamWords(team: string, teams: Review["teams"]): Words {
  return identified(titleOfTeam(team, teams) ?? team, team);
}

/** The declared title of a team. An id may be any text, also `__proto__`. */
export const titleOfTeam = (team: string, teams: Review["teams"]): string | undefined =>
  Object.hasOwn(teams, team) ? teams[team] : undefined;

/** `role edit → admin`, with notes. */
export function accessWords(access: Access, known: Known): Words {
  const { place, before, after, note } = access;
  const start = placeWords(place, known);
  if (place.kind === "sso") return words`${start}: becomes marked`;
  if (access.effect === "none") return [...keptWords(access, start), ...grantWords(access)];
  if (place.kind === "role" && before === nothing)
    return words`${start}: is no longer a member, so ${after} cannot be set: the up will fail`;
  const to = levelWords(after, place.kind);
  const from = before === unknown ? words`` : words`${levelWords(before, place.kind)} → `;
  const present = before === unknown && place.kind === "role" ? " (the present role is not in the preview)" : "";
  const change =
    access.cause === "declared" ? words`${start} ${from}${to}${trusted(present)}` : driftWords(access, known);
  const more = note === undefined ? words`` : words`; ${trusted(note)}`;
  return words`${change}${more}${pendingWords(access)}${grantWords(access)}`;
}

export function grantWords({ grant = {}, grantChange }: Pick<Access, "grant" | "grantChange">): Words {
  const { expires } = grant;
  if (expires === undefined) return reasonWords(grant);
  if (grantChange === "ends") return words`${reasonWords(grant)}; the grant has ended with ${expires}`;
  return words`${reasonWords(grant)}; ${trusted(grantChange === "begins" ? "granted " : "")}${untilWords(grant)}`;
}

export const reasonWords = ({ reason }: GrantTerms): Words => (reason === undefined ? [] : words`; reason: ${reason}`);

export function untilWords({ expires, then }: GrantTerms): Words {
  if (expires === undefined) return ["without an end"];
  return words`until the end of ${expires}${then === undefined ? words`` : words`, then ${then}`}`;
}

/** Access that a resource releases or takes over without a change for the person. */
function keptWords(access: Access, start: Words): Words {
  const { place, before, recorded, note } = access;
  const drift =
    recorded === undefined
      ? words``
      : words`; changed outside Pulumi from ${levelWords(recorded, place.kind)}, and stays so`;
  return words`${start} stays ${levelWords(before, place.kind)}${trusted(note === undefined ? "" : `; ${note}`)}${pendingWords(access)}${drift}`;
}

function pendingWords({ pending, after }: Access): Words {
  if (!pending) return [];
  return [after === nothing ? "; was pending: no member had this e-mail" : "; pending: no member has this e-mail yet"];
}

/** What somebody did outside Pulumi, and then what this up does: `was raised outside Pulumi (read → edit); this up sets it back`. */
export function driftWords({ place, before, after, recorded = unknown, cause, effect }: Access, known: Known): Words {
  const level = (one: string) => levelWords(one, place.kind);
  const where = place.kind === "team" ? words` ${placeWords(place, known)}` : organizationWords(place, known);
  const done = words`was ${trusted(verbOf(place.kind, recorded, before))}${where} outside Pulumi (${level(recorded)} → ${level(before)})`;
  if (cause === "both") return words`${done}; this up sets ${level(after)}`;
  return words`${done}; this up ${trusted(effect === "gains" ? "gives" : "sets")} it back`;
}

function verbOf(kind: Access["place"]["kind"], from: string, to: string): string {
  if (to === "admin") return "made an administrator";
  if (to === "owner") return "made an owner of";
  if (from === nothing) return "added to";
  if (to === nothing) return "removed from";
  const verb = rankOfLevel(to) > rankOfLevel(from) ? "raised" : "lowered";
  return kind === "team" ? `${verb} in` : verb;
}

/** `visibility unlisted → public`. */
export function propertyWords(change: PropertyChange): Words {
  const { name, before, after, option, selection } = change;
  const has = (side: string) => side in change;
  const restores = [before, after].some((value) => JSON.stringify(value ?? null).includes('"restore"'));
  const meaning = option && restores ? "; restore means the previous role, like previous in organization.yaml" : "";
  const marker = option
    ? ` (an option, not sent${meaning})`
    : selection
      ? " (selects managed people; see the changes of people)"
      : "";
  if (!has("after")) return words`${name} ${valueWords(before)} → ${trusted(missingWords(change))}${trusted(marker)}`;
  const list = has("before") && !has("recorded") ? listWords(before, after) : undefined;
  if (list) return words`${name} ${list}${trusted(marker)}`;
  const from = has("before") ? words`${valueWords(before)} → ` : words``;
  const drift = has("recorded")
    ? words` (changed outside Pulumi: the state has ${valueWords(change.recorded)})`
    : words``;
  return words`${name} ${from}${valueWords(after)}${drift}${trusted(marker)}`;
}

/** The meaning of an omitted property, which depends on its kind. */
export function missingWords({ option, selection }: Pick<PropertyChange, "option" | "selection">): string {
  if (selection) return "nobody";
  return option ? "not declared: its default" : "no longer managed, stays as it is";
}

/** The added and removed items of a list: two whole long lists would be hard to compare. */
function listWords(before: unknown, after: unknown): Words | undefined {
  if (!isList(before) || !isList(after) || [before, after].some(containsSecret)) return undefined;
  const [added, gone] = [without(after, before), without(before, after)];
  if (added.length + gone.length === 0) return undefined;
  const part = (sign: string, names: string[]) =>
    names.length > 0 ? words`${trusted(sign)} ${namesWords(names)}` : words``;
  const between = added.length > 0 && gone.length > 0 ? ", " : "";
  return words`${part("with", added)}${trusted(between)}${part("without", gone)}`;
}

const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");
const without = (all: readonly string[], others: readonly string[]) => all.filter((one) => !others.includes(one));

/** All names if there is room, otherwise the first ones. */
function namesWords(names: readonly string[]): Words {
  const whole = joined(names.map((name) => words`${name}`));
  return names.length > 20 ? [{ whole, short: some(names, 20) }] : whole;
}

const most = 160;

/** A value for readers. Secret and unknown parts are marked. */
export function valueWords(value: unknown): Words {
  if (value === unknownValue) return ["(known during the up)"];
  if (value === secretValue) return ["(secret)"];
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const readable = text.replaceAll(unknownValue, "(known during the up)");
  const marked = containsSecret(value) ? readable.replaceAll(secretValue, "(secret)") : readable;
  if (marked.length <= most) return words`${marked}`;
  return isList(value) && !containsSecret(value) && !value.some((one) => one.includes(unknownValue))
    ? namesWords(value)
    : [{ whole: words`${marked}`, short: words`${marked.slice(0, most)}${trusted("…")}` }];
}
