/**
 * Lets `rate` requests per second pass in the long run. Those of one second may come at once, so that a client that waits the
 * whole seconds of `Retry-After` still gets the full rate.
 */
export class RateLimit {
  /** The earliest time at which one more request would be within the rate. */
  private next = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly rate: number,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** Returns 0 if the request may pass, otherwise the whole seconds to wait. */
  take(): number {
    const now = this.clock();
    const interval = 1000 / this.rate;
    this.next = Math.max(this.next, now - Math.max(0, 1000 - interval));
    if (this.next > now) return Math.ceil((this.next - now) / 1000);
    this.next += interval;
    return 0;
  }
}
