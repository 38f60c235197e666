import { userKey } from "../../people/user";
import type { Properties } from "../../run/properties";
import { type SafeText, safeText } from "../../text/safe-text";
import { notesIn } from "../model/component-notes";
import type { Preview, Resource } from "../model/preview";
import { type Risk, risk } from "../model/risk";

/** Guards that become weaker: the same change may contain what they would have refused. */
export function guardRisks({ resources }: Preview): Risk[] {
  return resources
    .filter(({ ours, component, live, declared }) => ours && component && live && declared)
    .flatMap(findWeakerGuards);
}

function findWeakerGuards({ name, live, declared }: Resource): Risk[] {
  const [was, is] = [notesIn(live?.inputs), notesIn(declared)];
  const about = is?.organization ?? was?.organization ?? name;
  const [{ guards: before = {} } = {}, { guards: after = {} } = {}] = [was, is];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const lost = names.flatMap((guard) => (compare[guard] ?? isRemoved(guard))(before[guard], after[guard]));
  const less = (what: SafeText) => safeText`the guards of ${about} protect less: ${what}`;
  return [
    ...lost.map(less),
    ...findIncomparableLimits(before, after).map((what) => safeText`the guards of ${about} may protect less: ${what}`),
  ].map((text) => risk("guards-weaker", "high", about, text));
}

/** What a guard no longer refuses. */
type Compare = (before: unknown, after: unknown) => SafeText[];

const compare: Readonly<Record<string, Compare>> = {
  minAdmins: (before, after) =>
    before === undefined || Number(after ?? 0) >= Number(before)
      ? []
      : [safeText`fewest administrators (minAdmins) ${String(before)} → ${String(after ?? "any number")}`],
  requiredAdmins: (before, after) => {
    const still = new Set(namesIn(after).map(userKey));
    const gone = namesIn(before).filter((user) => !still.has(userKey(user)));
    return gone.map((user) => safeText`${user} is no longer required as an administrator (requiredAdmins)`);
  },
  maxRemovals: (before, after) => {
    const isComparable = after === undefined || typeof before === typeof after;
    const isFewer = Number.parseInt(String(after), 10) <= Number.parseInt(String(before), 10);
    if (before === undefined || !isComparable || isFewer) return [];
    return [safeText`most removals in one run (maxRemovals) ${String(before)} → ${String(after ?? "any number")}`];
  },
  /** Sites that a later change may make public without changing the guards. */
  allowPublic: (before, after) => {
    const known = new Set(namesIn(before));
    const added = namesIn(after).filter((site) => !known.has(site));
    return added.map((site) => safeText`site ${site} may become public (allowPublic)`);
  },
};

/** A guard that is set or not, without a value to compare. */
const isRemoved =
  (name: string): Compare =>
  (before, after) =>
    after === undefined ? [safeText`${name} ${String(before)} → not set`] : [];

/** A number and a share cannot be compared without the number of people. */
function findIncomparableLimits({ maxRemovals: before }: Properties, { maxRemovals: after }: Properties): SafeText[] {
  if (before === undefined || after === undefined || typeof before === typeof after) return [];
  return [safeText`most removals in one run (maxRemovals) ${String(before)} → ${String(after)}`];
}

const namesIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
