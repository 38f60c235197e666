import { DocsError } from "../../api/http/errors";

/**
 * A token bucket: `rate` requests a second in the long run. The bucket holds one second's worth, so that a client which
 * waits the whole seconds of `Retry-After` still gets the full rate.
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

  /** 0 when the request may pass, else the whole seconds to wait. */
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
