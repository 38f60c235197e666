/** Node.js fires a timer with a longer delay at once. */
const longestTimer = 2 ** 31 - 1;

/** Aborts one request at a time limit, or with the caller's signal. */
export class Ending {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  readonly signal: AbortSignal;

  constructor(outside?: AbortSignal) {
    const { signal } = this.controller;
    this.signal = outside ? AbortSignal.any([outside, signal]) : signal;
  }

  /**
   * Aborts the request after this many milliseconds. A timer of its own, because `AbortSignal.timeout` inside
   * `AbortSignal.any` is garbage-collected on Node.js 20, and then never fires.
   */
  abortAfter(milliseconds: number): void {
    this.stopTimer();
    const limit = Math.min(longestTimer, Math.max(1, Math.ceil(milliseconds)));
    const end = () => this.controller.abort(new DOMException("the time limit passed", "TimeoutError"));
    this.timer = setTimeout(end, limit);
  }

  /** Ends the time limit, until another one is set. */
  stopTimer(): void {
    clearTimeout(this.timer);
  }
}

/** Counts the time of an operation against its deadline; waiting for the service's limits does not count. */
export class OperationClock {
  private spent = 0;
  private since: number | undefined;

  constructor(private readonly deadline: number) {}

  left(): number {
    return this.deadline - this.spent - (this.since === undefined ? 0 : performance.now() - this.since);
  }

  async timed<T>(task: () => Promise<T>): Promise<T> {
    this.since = performance.now();
    try {
      return await task();
    } finally {
      this.spent += performance.now() - this.since;
      this.since = undefined;
    }
  }
}
