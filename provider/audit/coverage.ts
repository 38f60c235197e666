import { type Kind, sectionList } from "../organization/sections";
import { counted } from "../text/safe-text";

/** The number of managed objects among all live objects. */
export interface Coverage {
  readonly declared: number;
  readonly there: number;
  /** Rounded to tenths; 100 only if all are declared, 0 only if none is, `null` if there are no objects. */
  readonly percent: number | null;
}

export function coverageOf(declared: number, there: number): Coverage {
  return { declared, there, percent: there === 0 ? null : percentOf(declared, there) };
}

function percentOf(declared: number, there: number): number {
  if (declared === 0) return 0;
  if (declared === there) return 100;
  const tenths = Math.round((declared * 1_000) / there);
  return Math.min(Math.max(tenths, 1), 999) / 10;
}

export function totalOf(all: readonly Coverage[]): Coverage {
  const sum = (name: "declared" | "there") => all.reduce((total, one) => total + one[name], 0);
  return coverageOf(sum("declared"), sum("there"));
}

/** `66.7 %`, or a dash if there are no objects. */
export const percentText = ({ percent }: Coverage): string => (percent === null ? "–" : `${percent} %`);

export const kinds = Object.fromEntries(
  sectionList.map(({ audit }) => [audit.kind, [audit.one, audit.many]]),
) as unknown as Readonly<Record<Kind, readonly [one: string, many: string]>>;
export const kindNames = Object.keys(kinds) as Kind[];

export function countedOf(kind: Kind, count: number): string {
  const [one, many] = kinds[kind];
  return counted(count, one, many);
}
