/** How many requests may be under way at once: few at first, one more with every second that the service takes. */
const firstAtOnce = 8;
const mostAtOnce = 64;
/** Fewer requests that were taken than these say nothing about a rate: a service may refuse one for other reasons. */
const leastSample = 3;
/** Share of the rate that the service was seen to take; the rest is room for what the measurement missed. */
const caution = 0.95;
/** Growth of the rate in a second after a refusal, the less the more there were; it doubles with every few good seconds. */
const carefulGrowth = 0.004;
const boldGrowth = 0.5;
const doubling = 5;
const noticeEvery = 10_000;
const second = 1000;
const leastRate = 0.5;
/** Where one pause after the other does not help, they become longer, up to this. */
const longestPause = 30_000;
const leastPause = 500;
/** A service that takes this many requests a second does not limit us. */
const unlimitedRate = 1000;

export interface LimiterOptions {
  /** Told every 10 s while requests wait because of the service's limits. */
  readonly notice?: (line: string) => void;
  readonly now?: () => number;
}

/** What one operation may spend in the pauses that the service asks for, in milliseconds; see {@link Limiter.run}. */
export class Patience {
  spent = 0;

  constructor(readonly total: number) {}

  get left(): number {
    return this.total - this.spent;
  }
}

/** The pauses took longer than the operation may wait. */
export class OutOfPatience extends Error {}

interface Waiting {
  enter(): void;
  giveUp(): void;
  /** Milliseconds of further pauses that it waits for. */
  left(now: number): number;
}

/**
 * One gate for all requests of a process. It opens wide until the service says 429; then everyone pauses for as long as
 * the service asked, and goes on at the rate that it took before, which grows again slowly.
 */
export class Limiter {
  private waiting: Waiting[] = [];
  private active = 0;
  private atOnce = firstAtOnce;
  /** Requests a second, once the service has shown its limit. */
  private rate = Number.POSITIVE_INFINITY;
  private refusals = 0;
  private goodSeconds = 0;
  /** Refusals since the service last took a request. */
  private fruitless = 0;
  /** Requests are numbered as they begin; up to this one, all were under way at the last refusal. */
  private begun = 0;
  private refusedUpTo = 0;
  private nextStart = 0;
  private pausedSince = 0;
  private pausedUntil = 0;
  /** Milliseconds of the pauses before the present one. */
  private pausedBefore = 0;
  /** When the service took a request, for the last second. */
  private taken: number[] = [];
  private lastRaise = 0;
  private lastNotice = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly now: () => number;

  constructor(private readonly options: LimiterOptions = {}) {
    this.now = options.now ?? Date.now;
  }

  /**
   * Runs the task when it is its turn, first come first served. Only pauses use up the patience: a long queue that moves on
   * is no reason to give up.
   */
  async run<T>(task: (begun: number) => Promise<T>, signal?: AbortSignal, patience?: Patience): Promise<T> {
    await this.place(signal, patience);
    try {
      return await task(++this.begun);
    } finally {
      this.active--;
      this.admit();
    }
  }

  /** Whether a request is under way, or waits for its turn. */
  isBusy(): boolean {
    return this.active + this.waiting.length > 0;
  }

  /** The service answered 429 to the request that was begun as the nth, and asked for a pause. */
  limited(retryAfter: number, nth: number): void {
    const now = this.now();
    this.pause(now, retryAfter);
    // Those that were under way when the first 429 came say nothing new.
    if (nth <= this.refusedUpTo) return;
    this.refusedUpTo = this.begun;
    // The service counts for longer than we paused: that says nothing about the rate.
    if (this.fruitless++ > 0) {
      const pause = Math.max(retryAfter, leastPause) * 2 ** (this.fruitless - 1);
      this.pause(now, Math.min(longestPause, pause));
      return;
    }
    const taken = this.taken.filter((time) => time > now - second).length;
    if (taken >= leastSample) this.rate = Math.max(leastRate, Math.min(this.rate, taken) * caution);
    else this.rate = Math.max(leastRate, this.rate / 2);
    this.refusals++;
    this.goodSeconds = 0;
    this.atOnce = Math.max(1, Math.floor(this.atOnce / 2));
    this.lastRaise = this.pausedUntil;
    // Of a long pause, the first line comes at once.
    this.lastNotice ||= retryAfter < noticeEvery ? now : now - noticeEvery;
  }

  /** The service took a request without complaint. */
  accepted(): void {
    const now = this.now();
    this.fruitless = 0;
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
    const growth = (carefulGrowth / this.refusals) * 2 ** (this.goodSeconds++ / doubling);
    this.rate *= 1 + Math.min(boldGrowth, growth);
    if (this.rate > unlimitedRate) this.rate = Number.POSITIVE_INFINITY;
  }

  private pause(now: number, milliseconds: number): void {
    if (now >= this.pausedUntil) {
      this.pausedBefore += this.pausedUntil - this.pausedSince;
      this.pausedSince = this.pausedUntil = now;
    }
    this.pausedUntil = Math.max(this.pausedUntil, now + milliseconds);
  }

  /** Milliseconds of all pauses so far. */
  private pausedTime(now: number): number {
    return this.pausedBefore + Math.min(now, this.pausedUntil) - this.pausedSince;
  }

  private place(signal?: AbortSignal, patience?: Patience): Promise<void> {
    return new Promise((resolve, reject) => {
      const since = this.pausedTime(this.now());
      const left = (now: number) =>
        patience ? patience.left + since - this.pausedTime(now) : Number.POSITIVE_INFINITY;
      const ended = (settle: () => void) => () => {
        signal?.removeEventListener("abort", leave);
        if (this.waiting[0] === one) this.waiting.shift();
        else this.waiting = this.waiting.filter((other) => other !== one);
        if (patience) patience.spent += this.pausedTime(this.now()) - since;
        settle();
      };
      const leave = ended(() => reject(signal?.reason));
      const one = { enter: ended(resolve), giveUp: ended(() => reject(new OutOfPatience())), left };
      if (signal?.aborted) return leave();
      signal?.addEventListener("abort", leave, { once: true });
      this.waiting.push(one);
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
      this.waiting[0]?.enter();
    }
  }

  private wakeAt(start: number, now: number): void {
    this.tell(now);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.wake(), Math.min(start - now, second));
  }

  private wake(): void {
    const now = this.now();
    if (now < this.pausedUntil) for (const one of [...this.waiting]) if (one.left(now) <= 0) one.giveUp();
    this.admit();
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
