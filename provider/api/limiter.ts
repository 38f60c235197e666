/** How many requests may be under way at once: few at first, one more with every second that the service takes. */
const firstAtOnce = 8;
const mostAtOnce = 64;
/** Share of the rate that the service was seen to take; the rest is room for what the measurement missed. */
const caution = 0.95;
/** Growth of the rate in a second: carefully near where refusals came, the more so the more there were; faster beyond. */
const [carefulGrowth, boldGrowth] = [0.004, 0.05];
const noticeEvery = 10_000;
const second = 1000;
/** A service that takes this many requests a second does not limit us. */
const unlimitedRate = 1000;

export interface LimiterOptions {
  /** Told every 10 s while requests wait because of the service's limits. */
  readonly notice?: (line: string) => void;
  readonly now?: () => number;
}

/**
 * One gate for all requests of a process. It opens wide until the service says 429; then everyone pauses for as long as
 * the service asked, and goes on at the rate that it took before, which grows again slowly.
 */
export class Limiter {
  private waiting: (() => void)[] = [];
  private active = 0;
  private atOnce = firstAtOnce;
  /** Requests a second, once the service has shown its limit. */
  private rate = Number.POSITIVE_INFINITY;
  /** The rate at which the last refusal came. */
  private ceiling = Number.POSITIVE_INFINITY;
  private refusals = 0;
  private nextStart = 0;
  private pausedUntil = 0;
  /** When the service took a request, for the last second. */
  private taken: number[] = [];
  private lastRaise = 0;
  private lastNotice = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly now: () => number;

  constructor(private readonly options: LimiterOptions = {}) {
    this.now = options.now ?? Date.now;
  }

  /** Runs the task when it is its turn, first come first served. */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.place(signal);
    try {
      return await task();
    } finally {
      this.active--;
      this.admit();
    }
  }

  /** The service answered 429 and asked for a pause. */
  limited(retryAfter: number): void {
    const now = this.now();
    const alreadyPaused = now < this.pausedUntil;
    this.pausedUntil = Math.max(this.pausedUntil, now + retryAfter);
    // Those that were under way when the first 429 came say nothing new about the rate.
    if (alreadyPaused) return;
    const taken = this.taken.filter((time) => time > now - second).length;
    this.ceiling = Math.min(this.rate, Math.max(1, taken));
    this.rate = Math.max(0.5, this.ceiling * caution);
    this.refusals++;
    this.atOnce = Math.max(1, Math.floor(this.atOnce / 2));
    this.lastRaise = this.pausedUntil;
    this.lastNotice ||= now;
  }

  /** The service took a request without complaint. */
  accepted(): void {
    const now = this.now();
    this.taken.push(now);
    if (this.taken.length > 2000) this.taken = this.taken.filter((time) => time > now - second);
    if (this.rate === Number.POSITIVE_INFINITY) {
      this.atOnce = Math.min(mostAtOnce, this.atOnce + 0.5);
    } else if (now >= this.lastRaise + second) {
      this.lastRaise = now;
      this.atOnce = Math.min(mostAtOnce, this.atOnce + 1);
      this.raise();
    }
  }

  private raise(): void {
    const beyond = this.rate > this.ceiling * 1.1;
    this.rate *= 1 + (beyond ? boldGrowth : carefulGrowth / this.refusals);
    if (beyond) this.refusals = 1;
    if (this.rate > unlimitedRate) this.rate = Number.POSITIVE_INFINITY;
  }

  private place(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.waiting = this.waiting.filter((other) => other !== enter);
        reject(signal?.reason);
      };
      if (signal?.aborted) return leave();
      signal?.addEventListener("abort", leave, { once: true });
      this.waiting.push(enter);
      this.admit();
    });
  }

  private admit(): void {
    const now = this.now();
    while (this.waiting.length > 0 && this.active < this.atOnce) {
      const start = Math.max(this.pausedUntil, this.nextStart);
      if (start > now) {
        this.wakeAt(start, now);
        return;
      }
      this.active++;
      const gap = second / this.rate;
      this.nextStart = Math.max(this.nextStart, now - gap) + gap;
      this.waiting.shift()?.();
    }
  }

  private wakeAt(start: number, now: number): void {
    this.tell(now);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.admit(), Math.min(start - now, noticeEvery));
  }

  private tell(now: number): void {
    if (this.lastNotice === 0 || now < this.lastNotice + noticeEvery) return;
    this.lastNotice = now;
    const seconds = Math.ceil(
      (Math.max(0, this.pausedUntil - now) + (this.waiting.length / this.rate) * second) / second,
    );
    this.options.notice?.(`the service limits requests: ${this.waiting.length} wait, for about ${seconds} s`);
  }
}
