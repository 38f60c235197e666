import { setTimeout as sleep } from "node:timers/promises";

/** Concurrent requests at first and at most. Each accepted request adds a half; after a 429, one request a second adds one. */
const firstAtOnce = 8;
const mostAtOnce = 64;
/** Fewer accepted requests than these do not show a rate: a 429 may have another reason. */
const leastSample = 3;
/** Share of the measured rate that is used; the rest allows for errors of the measurement. */
const caution = 0.95;
/** Share by which the rate grows in the first good second after a 429; divided by the number of 429s so far. */
const firstGrowth = 0.004;
/** Most share by which the rate grows in one second. */
const mostGrowth = 0.5;
/** The growth doubles each time after this many good seconds. */
const secondsToDouble = 5;
const noticeEvery = 10_000;
const second = 1000;
const leastRate = 0.5;
/** Pauses in milliseconds: consecutive ones become longer, up to `longestPause`. */
const longestPause = 30_000;
const leastPause = 500;
/** A service that accepts this many requests per second has no limit. */
const unlimitedRate = 1000;

export interface LimiterOptions {
  /** Called with a line for the user, every 10 s while requests wait because of the service's limits. */
  readonly notice?: (line: string) => void;
}

/** Milliseconds that one operation may still spend in pauses that the service asks for; see {@link Limiter.run}. */
export interface Patience {
  left: number;
}

/** The pauses would take longer than the operation's {@link Patience}. */
export class OutOfPatience extends Error {
  /** `pause` has the milliseconds until the service would answer again. */
  constructor(readonly pause: number) {
    super();
  }
}

/** The limiter was stopped before the request was sent. */
export class Stopped extends Error {}

interface Waiting {
  enter(): void;
  abandon(reason: Error): void;
  /** Milliseconds of further pauses that it waits for. */
  left(now: number): number;
}

/**
 * Limits the requests of a process. There is no rate limit until the service answers 429. Then all requests pause for as long
 * as the service asked, and continue at the rate that it accepted before; this rate grows again slowly.
 */
export class Limiter {
  private waiting: Waiting[] = [];
  private active = 0;
  private atOnce = firstAtOnce;
  /** Requests per second; infinite until the service answers 429. */
  private rate = Number.POSITIVE_INFINITY;
  private refusals = 0;
  private goodSeconds = 0;
  /** 429s since the service last accepted a request. */
  private fruitless = 0;
  /** Requests are numbered as they begin. */
  private begun = 0;
  /** Number of the newest request that was in flight at the last 429 that counted. */
  private refusedUpTo = 0;
  private nextStart = 0;
  private pausedSince = 0;
  private pausedUntil = 0;
  /** Total milliseconds of the pauses before the current one. */
  private pausedBefore = 0;
  /** Times in milliseconds at which the service accepted a request. From 2,000 on, those older than a second are dropped. */
  private acceptedAt: number[] = [];
  private lastRaise = 0;
  private lastNotice: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly stopping = new AbortController();

  constructor(private readonly options: LimiterOptions = {}) {}

  /**
   * Runs the task when it is its turn, first come first served. Only pauses count against `patience`, not the time in a queue
   * that moves. Throws OutOfPatience as soon as the pauses are known to take longer, Stopped after `stop`, or the reason of `signal`.
   */
  async run<T>(task: (requestNumber: number) => Promise<T>, signal?: AbortSignal, patience?: Patience): Promise<T> {
    await this.waitForTurn(signal, patience);
    try {
      return await task(++this.begun);
    } finally {
      this.active--;
      this.admit();
    }
  }

  /** Refuses every request that has not begun, at once and from now on. Requests in flight finish. */
  stop(): void {
    this.stopping.abort();
    clearTimeout(this.timer);
    for (const one of [...this.waiting]) one.abandon(new Stopped());
  }

  get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Waits before a request is repeated, until `stop` at the latest: the repetition then throws Stopped. */
  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const either = AbortSignal.any([this.stopping.signal, ...(signal ? [signal] : [])]);
    await sleep(milliseconds, undefined, { signal: either }).catch(() => signal?.throwIfAborted());
  }

  /** Whether a request is in flight or waits for its turn. */
  isBusy(): boolean {
    return this.active + this.waiting.length > 0;
  }

  /** Records a 429 to the request of this number, with a pause of `retryAfter` milliseconds. */
  limited(retryAfter: number, requestNumber: number): void {
    const now = Date.now();
    this.pause(now, retryAfter);
    // Requests that were in flight at the first 429 say nothing new.
    if (requestNumber <= this.refusedUpTo) return;
    this.refusedUpTo = this.begun;
    // If the first answer after a pause is a 429 again, the service counts over a longer time. That says nothing about the rate.
    this.fruitless++;
    if (this.fruitless > 1) {
      const pause = Math.max(retryAfter, leastPause) * 2 ** (this.fruitless - 1);
      this.pause(now, Math.min(longestPause, pause));
      return;
    }
    const perSecond = this.acceptedAt.filter((time) => time > now - second).length;
    if (perSecond >= leastSample) this.rate = Math.max(leastRate, Math.min(this.rate, perSecond) * caution);
    else this.rate = Math.max(leastRate, this.rate / 2);
    this.refusals++;
    this.goodSeconds = 0;
    this.atOnce = Math.max(1, Math.floor(this.atOnce / 2));
    this.lastRaise = this.pausedUntil;
    // A long pause is reported at once.
    this.lastNotice ??= retryAfter < noticeEvery ? now : now - noticeEvery;
  }

  accepted(): void {
    const now = Date.now();
    this.fruitless = 0;
    this.acceptedAt.push(now);
    if (this.acceptedAt.length > 2000) this.acceptedAt = this.acceptedAt.filter((time) => time > now - second);
    if (this.rate === Number.POSITIVE_INFINITY) {
      this.atOnce = Math.min(mostAtOnce, this.atOnce + 0.5);
    } else if (now >= this.lastRaise + second) {
      this.lastRaise = now;
      this.atOnce = Math.min(mostAtOnce, this.atOnce + 1);
      this.raise();
    }
  }

  private raise(): void {
    const growth = (firstGrowth / this.refusals) * 2 ** (this.goodSeconds / secondsToDouble);
    this.goodSeconds += 1;
    this.rate *= 1 + Math.min(mostGrowth, growth);
    if (this.rate > unlimitedRate) this.rate = Number.POSITIVE_INFINITY;
  }

  private pause(now: number, milliseconds: number): void {
    if (now >= this.pausedUntil) {
      this.pausedBefore += this.pausedUntil - this.pausedSince;
      this.pausedSince = this.pausedUntil = now;
    }
    this.pausedUntil = Math.max(this.pausedUntil, now + milliseconds);
  }

  /** Total milliseconds of all pauses so far. */
  private pausedTime(now: number): number {
    return this.pausedBefore + Math.min(now, this.pausedUntil) - this.pausedSince;
  }

  private waitForTurn(signal?: AbortSignal, patience?: Patience): Promise<void> {
    return new Promise((resolve, reject) => {
      const pausedAtEntry = this.pausedTime(Date.now());
      const left = (now: number) =>
        patience ? patience.left + pausedAtEntry - this.pausedTime(now) : Number.POSITIVE_INFINITY;
      const leaveQueue = () => {
        signal?.removeEventListener("abort", onAbort);
        if (this.waiting[0] === entry) this.waiting.shift();
        else this.waiting = this.waiting.filter((other) => other !== entry);
        if (patience) patience.left -= this.pausedTime(Date.now()) - pausedAtEntry;
      };
      const enter = () => {
        leaveQueue();
        resolve();
      };
      const abandon = (reason: Error) => {
        leaveQueue();
        reject(reason);
      };
      const onAbort = () => abandon(signal?.reason);
      const entry = { enter, abandon, left };
      if (signal?.aborted) return onAbort();
      if (this.isStopped) return reject(new Stopped());
      signal?.addEventListener("abort", onAbort, { once: true });
      this.waiting.push(entry);
      this.admit();
    });
  }

  private admit(): void {
    const now = Date.now();
    while (this.waiting.length > 0 && this.active < this.atOnce) {
      const start = Math.max(this.pausedUntil, this.nextStart);
      if (start > now) {
        this.wakeAt(start, now);
        return;
      }
      this.active++;
      const gap = second / this.rate;
      this.nextStart = Math.max(this.nextStart + gap, now);
      this.waiting[0]?.enter();
    }
  }

  private wakeAt(start: number, now: number): void {
    this.notify(now);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.wake(), Math.min(start - now, second));
  }

  private wake(): void {
    const now = Date.now();
    const pause = this.pausedUntil - now;
    // Waiting for a part of the pause would be in vain.
    if (pause > 0)
      for (const one of [...this.waiting]) if (one.left(now) < pause) one.abandon(new OutOfPatience(pause));
    this.admit();
  }

  private notify(now: number): void {
    if (this.lastNotice === undefined || now < this.lastNotice + noticeEvery) return;
    this.lastNotice = now;
    const pause = Math.max(0, this.pausedUntil - now);
    const seconds = Math.ceil(pause / second + this.waiting.length / this.rate);
    this.options.notice?.(`the service limits requests: ${this.waiting.length} wait, for about ${seconds} s`);
  }
}
