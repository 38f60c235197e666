/** Maximum seconds of a command, given the seconds of the floor. */
export interface Bound {
  /** The bound as shown in the table. */
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
