/** The most seconds that a command may take, given what the floor took. */
export interface Bound {
  /** As the table shows it. */
  readonly text: string;
  most(floor: number): number;
}

export function timesFloor(factor: number, more = 0): Bound {
  const text = `${factor === 1 ? "" : `${factor} x `}floor${more === 0 ? "" : ` + ${more} s`}`;
  return { text, most: (floor) => factor * floor + more };
}

export function seconds(most: number): Bound {
  return { text: `${most} s`, most: () => most };
}
