import { endpoints, type RowName } from "../provider/api/endpoints";
import { type Case, growth, type Phase, titleOf } from "./cases";
import { grouped } from "./numbers";
import { isBounded, type Line } from "./summary";

/** A bound, the measured value, and whether the bound holds. */
export interface Verdict {
  readonly what: string;
  readonly found: string;
  readonly bound: string;
  readonly holds: boolean;
}

/** The lines of one command: the host with the bounds, what it is compared with, and the floor. */
interface Compared {
  readonly mine: Line;
  readonly dynamic: Line;
  readonly floor: Line;
}

/** The plugin may take this many times the seconds of the dynamic host: the same tolerance as for the floor. */
const tolerance = 1.15;

/** Verdicts on cases that were measured at full size; the bounds do not apply to smaller ones. */
export function verdictsOf(cases: readonly Case[], lines: readonly Line[]): Verdict[] {
  const bounded = lines.filter((line) => isBounded(line) && cases.some(({ name }) => name === line.case));
  const single = cases.flatMap((one) => one.phases.flatMap((phase) => ofPhase(one, phase, lines)));
  return [...single, ...ofGrowth(bounded.filter(({ side }) => side.provider === "dynamic"))];
}

function ofPhase(one: Case, phase: Phase, lines: readonly Line[]): Verdict[] {
  const own = lines.filter((line) => line.case === one.name && line.command === phase.command);
  const floor = own.find(({ side }) => side.provider === "floor");
  const dynamic = own.find((line) => isBounded(line) && line.side.provider === "dynamic");
  if (!dynamic || !floor) return [];
  return own.filter(isBounded).flatMap((mine) => {
    const compared = { mine, dynamic, floor };
    return [...ofHost(one, phase, compared), ...(mine === dynamic ? [] : ofPlugin(one, phase, compared))];
  });
}

/** The bounds of the case, which hold for each host. */
function ofHost(one: Case, phase: Phase, { mine, floor }: Compared): Verdict[] {
  const { requests, wall } = phase;
  const verdict = verdictsAbout(one, phase, mine);
  const most = wall?.most(floor.seconds) ?? 0;
  const limit = wall && (wall.text.includes("floor") ? `${wall.text} = ${most.toFixed(1)}` : wall.text);
  const state = mine.side.provider === "plugin" ? one.pluginState : one.state;
  return [
    ...(requests === undefined ? [] : [verdict("requests", mine.requests, requests, grouped(requests))]),
    ...(limit === undefined ? [] : [verdict("seconds", mine.seconds, most, limit, 1)]),
    ...(state === undefined || mine.state === undefined
      ? []
      : [verdict("bytes of state per resource", mine.state, state, grouped(state))]),
    ...(one.memory === undefined
      ? []
      : [verdict("MiB of the provider process", mine.memory, one.memory, `${one.memory}`)]),
  ];
}

/**
 * The plugin beside the dynamic host. How writes are gathered depends on time, so equal requests are a bound on reads; each
 * gathered removal of a destroy is followed by a read, which checks it. Whether the first reads come together decides if a page of
 * the list is tried, so that one more is allowed.
 */
function ofPlugin(one: Case, phase: Phase, { mine, dynamic }: Compared): Verdict[] {
  const verdict = verdictsAbout(one, phase, mine);
  const reads = readsOf(dynamic);
  const text = `those of the dynamic host + 1 = ${grouped(reads + 1)}`;
  const most = tolerance * dynamic.seconds;
  const isTimed = phase.command === "up" || phase.command === "destroy";
  return [
    ...(phase.command === "destroy" ? [] : [verdict("requests that read", readsOf(mine), reads + 1, text)]),
    ...(isTimed ? [verdict("seconds", mine.seconds, most, `${tolerance} x dynamic host = ${most.toFixed(1)}`, 1)] : []),
  ];
}

const readsOf = ({ rows }: Line): number =>
  Object.entries(rows)
    .filter(([row]) => endpoints[row as RowName].route.startsWith("GET "))
    .reduce((sum, [, count]) => sum + count, 0);

function verdictsAbout(one: Case, { command }: Phase, { side }: Line) {
  const what = `${titleOf(one, one.count)}: ${side.provider}: ${command}`;
  return (quantity: string, found: number, most: number, text: string, digits = 0): Verdict => ({
    what: `${what}: ${quantity}`,
    found: grouped(found, digits),
    bound: text,
    holds: found <= most,
  });
}

/** Growth of requests and time with ten times as many memberships, if both sizes were measured. */
function ofGrowth(hosted: readonly Line[]): Verdict[] {
  const { from, to, most } = growth;
  return hosted
    .filter((line) => line.case === to)
    .flatMap((large) => {
      const small = hosted.find((line) => line.case === from && line.command === large.command);
      if (!small) return [];
      const what = `from 1,000 to 10,000 memberships as \`TeamMembers\`: ${large.command}`;
      const ratios = { requests: large.requests / small.requests, seconds: large.seconds / small.seconds };
      return Object.entries(ratios).map(([quantity, ratio]) => ({
        what: `${what}: ratio of ${quantity}`,
        found: ratio.toFixed(1),
        bound: `${most}`,
        holds: ratio <= most,
      }));
    });
}
