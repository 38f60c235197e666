/** Node.js fires a timer of more milliseconds at once. */
const longestTimer = 2 ** 31 - 1;

/** Ends one request: at a time limit, or because the caller's signal says so. */
export class Ending {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private readonly follow = () => this.controller.abort(this.outside?.reason);

  constructor(private readonly outside?: AbortSignal) {
    if (outside?.aborted) this.follow();
    outside?.addEventListener("abort", this.follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /**
   * Ends the request after so many milliseconds. The timer is held by the event loop: `AbortSignal.timeout` inside
   * `AbortSignal.any` is garbage-collected on Node.js 20, and then never fires.
   */
  after(milliseconds: number): void {
    this.rest();
    const limit = Math.min(longestTimer, Math.max(1, Math.ceil(milliseconds)));
    this.timer = setTimeout(() => this.controller.abort(timeout()), limit);
  }

  /** No time limit until the next one is set. */
  rest(): void {
    clearTimeout(this.timer);
  }

  /** The request is over. */
  done(): void {
    this.rest();
    this.outside?.removeEventListener("abort", this.follow);
  }
}

const timeout = () => new DOMException("the time limit passed", "TimeoutError");

/** Counts the time that an operation itself takes; waiting for the service's limits is not its fault. */
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
