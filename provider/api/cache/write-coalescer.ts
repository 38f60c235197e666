import { isAboutContent } from "../http/errors";

export interface BulkCall<Change> {
  /** Identifies the subject of a change: two changes of the same subject never go into one call. */
  readonly keyOf: (change: Change) => string;
  /** Sends one or more changes with one call. */
  readonly send: (changes: readonly Change[]) => Promise<void>;
  /** Maximum number of changes in one call. */
  readonly most: number;
}

interface Waiting<Change> {
  readonly change: Change;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Gathers writes into bulk calls without a delay of its own. A change is sent at once if no call is in flight; changes that
 * arrive during a call are sent together with the next one. Calls are therefore small while the service is fast, and grow
 * when it is slow or limits requests. If a call is refused, it is split until the invalid change is isolated; the others are
 * applied.
 */
export class WriteCoalescer<Change> {
  private waiting: Waiting<Change>[] = [];
  private flight: Promise<void> | undefined;

  constructor(private readonly bulkCall: BulkCall<Change>) {}

  /** Resolves once the change is applied; rejects with the error of the service for this change. */
  write(change: Change): Promise<void> {
    return new Promise((done, failed) => {
      this.waiting.push({ change, done, failed });
      this.flight ??= this.sendAll();
    });
  }

  private async sendAll(): Promise<void> {
    // Lets all writes of the same tick join the first call.
    await Promise.resolve();
    while (this.waiting.length > 0) await this.send(this.takeBatch());
    this.flight = undefined;
  }

  /** Takes as many changes as fit, in order; a second change of the same subject waits for a later call. */
  private takeBatch(): Waiting<Change>[] {
    const { keyOf, most } = this.bulkCall;
    const chosenByKey = new Map<string, Waiting<Change>>();
    for (const one of this.waiting) {
      const key = keyOf(one.change);
      if (chosenByKey.size < most && !chosenByKey.has(key)) chosenByKey.set(key, one);
    }
    const chosen = new Set(chosenByKey.values());
    this.waiting = this.waiting.filter((one) => !chosen.has(one));
    return [...chosen];
  }

  private async send(batch: readonly Waiting<Change>[]): Promise<void> {
    try {
      await this.bulkCall.send(batch.map(({ change }) => change));
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
