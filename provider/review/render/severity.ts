import { nothing, secret, unknown } from "../../access-plan/place";
import { ascendingRoles } from "../../access-plan/roles";
import { mostKinds } from "../../report/report";
import { joined, type SafeText, safeText } from "../../text/safe-text";
import { clipped } from "../../text/visible";
import type { Access } from "../model/access";
import { levelWords } from "../model/sentences";

const [admin = "", ...otherRoles] = [...ascendingRoles].reverse();
const removal = "removed from the organization";

/** What a person gains or loses, the gravest first. A level that this version does not know may be any. */
const gravest = [admin, removal, unknown, "owner", ...otherRoles, "member", "sso", nothing];

/** Sorts changes of access: the lower, the graver; access that stays comes last. */
export function weightOf(access: readonly Access[]): number {
  const weight = ({ place, before, after, effect }: Access) => {
    const lost = place.kind === "role" && after === nothing && before !== admin ? removal : before;
    const level = gravest.indexOf(effect === "loses" ? lost : after);
    return (level < 0 ? gravest.indexOf(unknown) : level) + (effect === "none" ? gravest.length : 0);
  };
  return Math.min(...access.map(weight));
}

/** Changes of access without names: people with the same kind are counted together. */
export function kindWords(access: readonly Access[]): SafeText {
  const kinds = access.map((one) => {
    const { place, before, after, effect } = one;
    const start = { role: [], team: ["team "], sso: ["single sign-on "] }[place.kind];
    const level = (text: string) => levelWords([unknown, secret].includes(text) ? text : clipped(text, 40), place.kind);
    if (effect === "none") return safeText`${start}${level(after)} as before`;
    return safeText`${start}${before === unknown ? safeText`` : safeText`${level(before)} → `}${level(after)}`;
  });
  if (kinds.length === 1) return kinds[0] ?? [];
  const distinct = new Map(kinds.map((kind) => [JSON.stringify(kind), kind]));
  return joined([...distinct.values()].slice(0, mostKinds), " and ");
}
