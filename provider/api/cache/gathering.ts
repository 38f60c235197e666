/** Milliseconds. If no call has come for so long, the work begins, for all calls so far. */
const quietTime = 30;

/** Lets calls that come one after another wait for each other, so that one piece of work answers all of them. */
export class Gathering {
  private last = 0;
  private waiting: Promise<void> | undefined;

  constructor(
    /** Whether further calls may be on their way. */
    private readonly isBusy: () => boolean,
    private readonly work: () => Promise<void>,
  ) {}

  /** Resolves when nobody has joined for a while and the work is done. */
  join(): Promise<void> {
    this.last = Date.now();
    this.waiting ??= this.gather();
    return this.waiting;
  }

  private async gather(): Promise<void> {
    const isQuiet = () => Date.now() - this.last >= quietTime && !this.isBusy();
    do await new Promise((resolve) => setTimeout(resolve, quietTime / 3));
    while (!isQuiet());
    this.waiting = undefined;
    await this.work();
  }
}
