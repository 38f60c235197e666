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

/** Verdicts on cases that were measured at full size; the bounds do not apply to smaller ones. */
export function verdictsOf(cases: readonly Case[], lines: readonly Line[]): Verdict[] {
  const ours = lines.filter((line) => isBounded(line) && cases.some(({ name }) => name === line.case));
  const single = cases.flatMap((one) => {
    return one.phases.flatMap((phase) => {
      const [mine, floor] = [ours, lines.filter(({ side }) => side.provider === "floor")].map((some) =>
        some.find((line) => line.case === one.name && line.command === phase.command),
      );
      return mine && floor ? ofPhase(one, phase, mine, floor) : [];
    });
  });
  return [...single, ...ofGrowth(ours)];
}

function ofPhase(one: Case, phase: Phase, mine: Line, floor: Line): Verdict[] {
  const { requests, wall } = phase;
  const what = `${titleOf(one, one.count)}: ${phase.command}`;
  const verdict = (quantity: string, found: number, most: number, text: string, digits = 0): Verdict => ({
    what: `${what}: ${quantity}`,
    found: grouped(found, digits),
    bound: text,
    holds: found <= most,
  });
  const most = wall?.most(floor.seconds) ?? 0;
  const limit = wall && (wall.text.includes("floor") ? `${wall.text} = ${most.toFixed(1)}` : wall.text);
  return [
    ...(requests === undefined ? [] : [verdict("requests", mine.requests, requests, grouped(requests))]),
    ...(limit === undefined ? [] : [verdict("seconds", mine.seconds, most, limit, 1)]),
    ...(one.state === undefined || mine.state === undefined
      ? []
      : [verdict("bytes of state per resource", mine.state, one.state, grouped(one.state))]),
    ...(one.memory === undefined
      ? []
      : [verdict("MiB of the provider process", mine.memory, one.memory, `${one.memory}`)]),
  ];
}

/** Growth of requests and time with ten times as many memberships, if both sizes were measured. */
function ofGrowth(ours: readonly Line[]): Verdict[] {
  const { from, to, most } = growth;
  return ours
    .filter((line) => line.case === to)
    .flatMap((large) => {
      const small = ours.find((line) => line.case === from && line.command === large.command);
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
