import { isAboutContent } from "../http/errors";

export interface Gathering<Change> {
  /** What a change is about: two changes of the same thing never go into one call. */
  readonly keyOf: (change: Change) => string;
  /** Carries out the changes with one call; one or more. */
  readonly send: (changes: readonly Change[]) => Promise<void>;
  /** The most changes that one call takes. */
  readonly most: number;
}

interface Waiting<Change> {
  readonly change: Change;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Writes gathered into bulk calls. Nothing waits for company: what arrives while no call is under way is sent at once, and
 * what arrives meanwhile goes with the next call. So the calls are many while the service is fast, and grow when it is slow
 * or limits. A call that is refused is split until the change at fault is known; the others are carried out.
 */
export class Batch<Change> {
  private waiting: Waiting<Change>[] = [];
  private flight: Promise<void> | undefined;

  constructor(private readonly gathering: Gathering<Change>) {}

  /** Resolves when the change was carried out; fails with what the service says of this change. */
  write(change: Change): Promise<void> {
    return new Promise((done, failed) => {
      this.waiting.push({ change, done, failed });
      this.flight ??= this.fly();
    });
  }

  private async fly(): Promise<void> {
    // What is written in the same moment, by somebody who writes many, goes together.
    await Promise.resolve();
    while (this.waiting.length > 0) await this.send(this.next());
    this.flight = undefined;
  }

  /** As many as fit, in their order; a second change of the same thing has to wait for the first. */
  private next(): Waiting<Change>[] {
    const { keyOf, most } = this.gathering;
    const keys = new Set<string>();
    const fitting = this.waiting.filter(({ change }) => {
      const key = keyOf(change);
      if (keys.size >= most || keys.has(key)) return false;
      keys.add(key);
      return true;
    });
    const chosen = new Set(fitting);
    this.waiting = this.waiting.filter((one) => !chosen.has(one));
    return fitting;
  }

  private async send(batch: readonly Waiting<Change>[]): Promise<void> {
    try {
      await this.gathering.send(batch.map(({ change }) => change));
      for (const { done } of batch) done();
    } catch (error) {
      if (batch.length === 1 || !isAboutContent(error)) {
        for (const { failed } of batch) failed(error);
        return;
      }
      const middle = Math.ceil(batch.length / 2);
      await this.send(batch.slice(0, middle));
      await this.send(batch.slice(middle));
    }
  }
}
