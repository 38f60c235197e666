import { DocsError } from "../../api/http/errors";

/**
 * A token bucket: `rate` requests per second in the long run. The bucket holds the tokens of one second, so that a client
 * that waits the whole seconds of `Retry-After` still gets the full rate.
 */
export class RateLimit {
  private tokens: number;
  private filledAt: number;

  constructor(
    private readonly rate: number,
    private readonly clock: () => number = () => performance.now(),
  ) {
    if (!(rate > 0)) throw new DocsError(`the rate is ${rate}; use a number above 0`);
    this.tokens = this.capacity;
    this.filledAt = clock();
  }

  /** Returns 0 if the request may pass, otherwise the whole seconds to wait. */
  take(): number {
    const now = this.clock();
    this.tokens = Math.min(this.capacity, this.tokens + ((now - this.filledAt) / 1000) * this.rate);
    this.filledAt = now;
    if (this.tokens >= 1) {
      this.tokens--;
      return 0;
    }
    return Math.max(1, Math.ceil((1 - this.tokens) / this.rate));
  }

  private get capacity(): number {
    return Math.max(1, this.rate);
  }
}
