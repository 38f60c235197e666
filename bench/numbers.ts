/** Formats a number with separators: 10,000. */
export function grouped(value: number, digits = 0): string {
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export function atLeastOne(option: string, text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new Error(`${option} is ${text}; use a whole number from 1`);
}
