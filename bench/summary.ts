import type { Command } from "./cases";
import type { Cost, Side } from "./contestant";
import type { Measurement } from "./measurement";
import { median } from "./numbers";
import type { Requests } from "./service";

/** One line of the table: medians of times, maxima of everything else. */
export interface Line {
  readonly case: string;
  readonly command: Command;
  readonly side: Side;
  readonly requests: number;
  readonly rows: Requests;
  readonly seconds: number;
  /** Ratio to the median of the floor. */
  readonly ratio: number;
  /** Bytes of state per resource. */
  readonly state: number | undefined;
  /** Peak memory of the provider process, in MiB. */
  readonly memory: number;
}

export function linesOf(measurements: readonly Measurement[]): Line[] {
  return measurements.map(({ costs, ...measurement }) => {
    const worst = [...costs].sort((a, b) => total(b) - total(a))[0] as Cost;
    const seconds = median(costs.map((cost) => cost.seconds));
    const states = costs.flatMap(({ state }) => state ?? []);
    return {
      ...measurement,
      requests: total(worst),
      rows: worst.requests,
      seconds,
      ratio: seconds / floorOf(measurements, measurement.case, measurement.command),
      state: states.length > 0 ? Math.max(...states) : undefined,
      memory: Math.max(...costs.map(({ memory }) => memory)),
    };
  });
}

function floorOf(measurements: readonly Measurement[], name: string, command: Command): number {
  const floor = measurements.find(
    (one) => one.case === name && one.command === command && one.side.provider === "floor",
  );
  return median(floor?.costs.map(({ seconds }) => seconds) ?? []);
}

const total = ({ requests }: Cost) => Object.values(requests).reduce((sum, count) => sum + count, 0);

/** The lines with bounds: both hosts at 50 ms per request. */
export const isBounded = ({ side }: Line) =>
  (side.provider === "dynamic" || side.provider === "plugin") && side.latency === 50;
