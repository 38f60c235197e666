import { userKey } from "../../people/user";
import { propertiesIn } from "../../run/properties";
import { type SafeText, safeText } from "../../text/safe-text";
import { notesIn } from "../model/component-notes";
import type { Resource } from "../model/preview";
import { type Risk, risk } from "../model/risk";

/**
 * Guards that become weaker: the same change may contain what they would have refused. `opened` are the names of the sites that
 * become public in this change, which is a risk of its own.
 */
export function guardRisks({ isOwn, component, name, live, declared }: Resource, opened: ReadonlySet<string>): Risk[] {
  if (!isOwn || !component || !live || !declared) return [];
  const [liveNotes, declaredNotes] = [notesIn(live.inputs), notesIn(declared)];
  const about = declaredNotes?.organization ?? liveNotes?.organization ?? name;
  const [before, after] = [liveNotes?.guards ?? {}, { ...declaredNotes?.guards }];
  const componentName = name.replace(/-notes$/, "");
  after.allowPublic = namesIn(after.allowPublic).filter((site) => !opened.has(`${componentName}-${site}`));
  return Object.keys({ ...before, ...after })
    .flatMap((guard) => (weakened[guard] ?? removal(guard))(before[guard], after[guard]))
    .map((what) => risk("guards-weaker", "high", about, safeText`the guards of ${about} ${what}`));
}

/** What a guard no longer refuses. A limit that cannot be proven as strict as before counts as weaker. */
type Weakened = (before: unknown, after: unknown) => SafeText[];

const weakened: Readonly<Record<string, Weakened>> = {
  minAdmins(before, after) {
    const isAsStrict = before === undefined || Number(after ?? 0) >= Number(before);
    return isAsStrict ? [] : [safeText`protect less: fewest administrators (minAdmins) ${limits(before, after)}`];
  },
  maxRemovals(before, after) {
    const isSet = before !== undefined;
    // A number and a share cannot be compared without the number of people.
    const isComparable = after === undefined || typeof before === typeof after;
    const isAsStrict = isComparable && Number.parseInt(String(after), 10) <= Number.parseInt(String(before), 10);
    if (!isSet || isAsStrict) return [];
    const may = isComparable ? safeText`protect` : safeText`may protect`;
    return [safeText`${may} less: most removals in one run (maxRemovals) ${limits(before, after)}`];
  },
  requiredAdmins: (before, after) =>
    addedTo(after, before).map(
      (user) => safeText`protect less: ${user} is no longer required as an administrator (requiredAdmins)`,
    ),
  approvers: (before, after) =>
    Object.entries(propertiesIn(before)).flatMap(([what, names]) => {
      const now = propertiesIn(after)[what];
      if (now === undefined) return [safeText`protect less: nobody must approve ${what} (approvers)`];
      return addedTo(names, now).map((user) => safeText`protect less: ${user} may approve ${what} (approvers)`);
    }),
  /** Sites that a later change may make public without changing the guards. */
  allowPublic: (before, after) =>
    addedTo(before, after).map((site) => safeText`protect less: site ${site} may become public (allowPublic)`),
};

/** A guard that is set or not, without a value to compare. */
const removal =
  (guard: string): Weakened =>
  (before, after) =>
    after === undefined ? [safeText`protect less: ${guard} ${String(before)} → not set`] : [];

const limits = (before: unknown, after: unknown): SafeText =>
  safeText`${String(before)} → ${String(after ?? "any number")}`;

/** The names that only the second list has. */
function addedTo(first: unknown, second: unknown): string[] {
  const known = new Set(namesIn(first).map(userKey));
  return namesIn(second).filter((name) => !known.has(userKey(name)));
}

const namesIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
