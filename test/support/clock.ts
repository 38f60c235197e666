import { setImmediate as soon } from "node:timers/promises";
import type { Properties } from "../../provider/run/properties";
import type { Clock } from "../../provider/run/run";

/**
 * A clock that only pauses move, so that no test waits, and a busy machine changes nothing. An emulator with `now: clock.date` has
 * the same time.
 */
export class TestClock implements Clock {
  private ahead = 0;

  constructor(private readonly started = Date.now()) {}

  now(): number {
    return this.started + this.ahead;
  }

  /** The time of a service that goes by this clock. */
  readonly date = (): Date => new Date(this.now());

  /** Milliseconds that were waited for. */
  get waited(): number {
    return this.ahead;
  }

  async sleep(milliseconds: number): Promise<void> {
    this.ahead += milliseconds;
    await soon();
  }
}

/** A state as after the settle time: no read counts as older than a write. */
export function settled({ __written, ...properties }: Properties): Properties {
  return properties;
}
