import { type Properties, propertiesIn } from "../declaration";
import { userKey } from "../directory";
import type { Preview, Resource } from "./preview";
import { type Risk, risk } from "./risks";
import { type Words, words } from "./words";

/** Guards that are weaker from now on: what they would have refused may stand in the same change. */
export function guardRisks({ resources }: Preview): Risk[] {
  return resources
    .filter(({ ours, component, operation }) => ours && component && operation !== "delete")
    .flatMap(weaker);
}

function weaker({ name, live, declared }: Resource): Risk[] {
  const [before, after] = [guardsIn(live?.inputs), guardsIn(declared)];
  return [...lower(before, after), ...notRequired(before, after), ...more(before, after)].map((what) => {
    return risk("guards-weaker", "high", name, words`the guards of ${name} protect less: ${what}`);
  });
}

function lower({ minAdmins: before }: Properties, { minAdmins: after }: Properties): Words[] {
  if (before === undefined || Number(after ?? 0) >= Number(before)) return [];
  return [words`fewest administrators (minAdmins) ${String(before)} → ${String(after ?? "any number")}`];
}

function notRequired({ requiredAdmins: before }: Properties, { requiredAdmins: after }: Properties): Words[] {
  const still = new Set(namesIn(after).map(userKey));
  const gone = namesIn(before).filter((user) => !still.has(userKey(user)));
  return gone.map((user) => words`${user} need not be an administrator any more (requiredAdmins)`);
}

/** A number and a share can not be compared without knowing everybody. */
function more({ maxRemovals: before }: Properties, { maxRemovals: after }: Properties): Words[] {
  if (before === undefined || before === after) return [];
  const fewer =
    typeof before === typeof after && Number.parseInt(String(after), 10) < Number.parseInt(String(before), 10);
  if (fewer) return [];
  return [words`most removals in one run (maxRemovals) ${String(before)} → ${String(after ?? "any number")}`];
}

const guardsIn = (inputs: Properties | undefined): Properties => propertiesIn(propertiesIn(inputs?.review).guards);

const namesIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
