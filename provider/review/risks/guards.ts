import { userKey } from "../../people/user";
import type { Properties } from "../../run/properties";
import { type Words, words } from "../../text/words";
import { notesIn } from "../model/notes";
import type { Preview, Resource } from "../model/preview";
import { type Risk, risk } from "../model/risk";

/** Guards that become weaker: the same change may contain what they would have refused. */
export function guardRisks({ resources }: Preview): Risk[] {
  return resources
    .filter(({ ours, component, operation }) => ours && component && operation !== "delete")
    .flatMap(findWeakerGuards);
}

function findWeakerGuards({ name, live, declared }: Resource): Risk[] {
  const [was, is] = [notesIn(live?.inputs), notesIn(declared)];
  const about = is?.organization ?? was?.organization ?? name;
  const [{ guards: before = {} } = {}, { guards: after = {} } = {}] = [was, is];
  const of = (verb: string, what: Words) =>
    risk("guards-weaker", "high", about, words`the guards of ${about} ${[verb]}: ${what}`);
  return [
    ...[
      ...findFewerAdmins(before, after),
      ...findNotRequired(before, after),
      ...findMoreRemovals(before, after),
      ...findRemovedGuards(before, after),
      ...(live ? findPublicSites(before, after) : []),
    ].map((one) => of("protect less", one)),
    ...findIncomparableLimits(before, after).map((one) => of("may protect less", one)),
  ];
}

function findFewerAdmins({ minAdmins: before }: Properties, { minAdmins: after }: Properties): Words[] {
  if (before === undefined || Number(after ?? 0) >= Number(before)) return [];
  return [words`fewest administrators (minAdmins) ${String(before)} → ${String(after ?? "any number")}`];
}

function findNotRequired({ requiredAdmins: before }: Properties, { requiredAdmins: after }: Properties): Words[] {
  const still = new Set(namesIn(after).map(userKey));
  const gone = namesIn(before).filter((user) => !still.has(userKey(user)));
  return gone.map((user) => words`${user} is no longer required as an administrator (requiredAdmins)`);
}

function findMoreRemovals({ maxRemovals: before }: Properties, { maxRemovals: after }: Properties): Words[] {
  if (before === undefined || before === after) return [];
  const comparable = typeof before === typeof after;
  const fewer = comparable && Number.parseInt(String(after), 10) < Number.parseInt(String(before), 10);
  if (fewer || (after !== undefined && !comparable)) return [];
  return [words`most removals in one run (maxRemovals) ${String(before)} → ${String(after ?? "any number")}`];
}

/** Guards that are set or not, without a value to compare. */
function findRemovedGuards(before: Properties, after: Properties): Words[] {
  const removed = Object.keys(before).filter((name) => !compared.has(name) && after[name] === undefined);
  return removed.map((name) => words`${name} ${String(before[name])} → not set`);
}

const compared = new Set(["minAdmins", "requiredAdmins", "maxRemovals", "allowPublic"]);

/** Sites that a later change may make public without changing the guards. */
function findPublicSites({ allowPublic: before }: Properties, { allowPublic: after }: Properties): Words[] {
  const known = new Set(namesIn(before));
  return namesIn(after)
    .filter((site) => !known.has(site))
    .map((site) => words`site ${site} may become public (allowPublic)`);
}

/** A number and a share cannot be compared without the number of people. */
function findIncomparableLimits({ maxRemovals: before }: Properties, { maxRemovals: after }: Properties): Words[] {
  if (before === undefined || after === undefined || typeof before === typeof after) return [];
  return [words`most removals in one run (maxRemovals) ${String(before)} → ${String(after)}`];
}

const namesIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
