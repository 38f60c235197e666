import { type Kind, sectionList } from "../organization/sections";
import { counted } from "../text/words";

/** Of what is there, how much code declares. */
export interface Coverage {
  readonly declared: number;
  readonly there: number;
  /** Rounded down to hundredths, so that 100 means all; `null` where nothing is there. */
  readonly percent: number | null;
}

export function coverageOf(declared: number, there: number): Coverage {
  return { declared, there, percent: there === 0 ? null : percentOf(declared, there) };
}

/** Rounded down, but what is more than nothing is not 0 either. */
function percentOf(declared: number, there: number): number {
  const hundredths = Math.floor((declared * 10_000) / there);
  return (declared > 0 ? Math.max(1, hundredths) : 0) / 100;
}

export function totalOf(all: readonly Coverage[]): Coverage {
  const sum = (name: "declared" | "there") => all.reduce((total, one) => total + one[name], 0);
  return coverageOf(sum("declared"), sum("there"));
}

/** `66.66 %`, or a dash where nothing is there. */
export const percentText = ({ percent }: Coverage): string => (percent === null ? "–" : `${percent} %`);

/** The kinds of what can be declared, and what one and many of them are called. */
export const kinds = Object.fromEntries(
  sectionList.map(({ audit }) => [audit.kind, [audit.one, audit.many]]),
) as unknown as Readonly<Record<Kind, readonly [one: string, many: string]>>;
export const kindNames = Object.keys(kinds) as Kind[];

export function countedOf(kind: Kind, count: number): string {
  const [one, many] = kinds[kind];
  return counted(count, one, many);
}
