import { TooLarge } from "./body";
import type { Ending } from "./deadline";

export interface StreamLimits {
  /** Milliseconds from one event to the next. */
  readonly idle: number;
  /** Bytes from one event to the next. */
  readonly mostBytes: number;
}

/**
 * The body of an event stream, which may last for hours. Time and size are limited from one event to the next.
 * Bytes without a complete event do not reset the limits. The time that the reader takes for an event does not count.
 */
export class WatchedStream implements AsyncIterable<Uint8Array> {
  private waited = 0;
  private size = 0;

  constructor(
    private readonly body: AsyncIterable<Uint8Array>,
    private readonly ending: Ending,
    private readonly limits: StreamLimits,
  ) {}

  arrived(): void {
    this.waited = this.size = 0;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const chunks = this.body[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { value, done } = await this.watched(() => chunks.next());
        if (done) return;
        this.size += value.byteLength;
        if (this.size > this.limits.mostBytes) throw new TooLarge();
        yield value;
      }
    } finally {
      this.ending.done();
      await chunks.return?.();
    }
  }

  private async watched<T>(read: () => Promise<T>): Promise<T> {
    const start = performance.now();
    this.ending.after(this.limits.idle - this.waited);
    try {
      return await read();
    } finally {
      this.ending.rest();
      this.waited += performance.now() - start;
    }
  }
}
