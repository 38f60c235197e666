/** Random choices that a seed repeats. */
export class Dice {
  constructor(private seed: number) {}

  /** From 0 to 1, without 1 (mulberry32). */
  next(): number {
    this.seed = (this.seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.seed ^ (this.seed >>> 15), 1 | this.seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From `least` to `most`. */
  number = (least: number, most: number): number => least + Math.floor(this.next() * (most - least + 1));
  chance = (share: number): boolean => this.next() < share;
  pick = <One>(all: readonly One[]): One | undefined => all[this.number(0, all.length - 1)];
}
