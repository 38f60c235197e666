import { setTimeout as sleep } from "node:timers/promises";
import { Mutex } from "async-mutex";
import { DocsError, isForbidden, isUnauthorized } from "../api/http/errors";
import type { Run } from "../run/run";

/** Milliseconds. */
const pollInterval = 50;

/** A change that takes the role from somebody. */
export interface Loss {
  readonly userIds: readonly string[];
  /** Names of the people, in a message. */
  readonly names: string;
  /** What the user reads if the change would take the role from the last person. */
  readonly refusal: string;
}

/** A loss that can be undone. */
export interface UndoableLoss extends Loss {
  /** Gives the role back to the people who have just lost it. */
  readonly restore: () => Promise<unknown>;
}

interface Person {
  readonly userId: string;
}

/**
 * A role that somebody must have: administrator of an organization, owner of a team. It can be handed over in any order, since
 * whatever takes it waits for whatever gives it, and the last person keeps it. One for each organization or team of a run.
 */
export class Quorum {
  /** Raises to the role that wait or are in flight. */
  private readonly raises = new Set<Promise<unknown>>();
  /** How many of them there were so far. */
  private raised = 0;
  private readonly lowering = new Mutex();
  /** Ids of people who lost the role by a write of this run: a list may be late, and must not count them. */
  private readonly lost = new Set<string>();

  constructor(
    private readonly run: Run,
    /** The role in a message: `administrator of organization acme`. */
    readonly title: string,
    /** The people who have the role and can sign in: by a list that was read after the last write, or `anew`. */
    private readonly readHolders: (anew: boolean) => AsyncIterable<Person> | Promise<Iterable<Person>>,
  ) {}

  /** Records what a successful write made of a person. */
  note(userId: string, hasRole: boolean): void {
    if (hasRole) this.lost.delete(userId);
    else this.lost.add(userId);
  }

  /** Gives the role to somebody; a change that takes it from somebody else waits for it. */
  raise<T>(work: () => Promise<T>): Promise<T> {
    const raise = work();
    this.raised++;
    this.raises.add(raise);
    void raise.catch(() => undefined).then(() => this.raises.delete(raise));
    return raise;
  }

  /** Takes the role from somebody: one change at a time, after all raises, and only while another person has it. */
  lower<T>(loss: UndoableLoss, work: () => Promise<T>): Promise<T> {
    return this.lowering.runExclusive(async () => {
      await this.refuseLast(loss);
      const done = await work();
      await this.verify(loss, done);
      return done;
    });
  }

  /** Refuses a change before its first write if nobody would be left; people who are about to get the role count. */
  async refuseLast({ userIds, refusal }: Loss): Promise<void> {
    const start = Date.now();
    let seen: number;
    do {
      seen = this.raised;
      await Promise.allSettled(this.raises);
      if (await this.remains(userIds, true)) return;
      await this.awaitRaise(seen, start);
    } while (this.raised > seen);
    // A list may be late, and lack somebody who was raised just now.
    if (await this.remains(userIds, true)) return;
    throw new DocsError(refusal);
  }

  /**
   * The engine may hand over the raise after this, and much before it: it does not know that they belong together. And what it
   * handed over may still read, if the service is slow, before it raises anybody.
   */
  private async awaitRaise(seen: number, start: number): Promise<void> {
    let quiet = start;
    while (this.raised === seen && Date.now() - Math.max(quiet, this.run.lastCall()) < this.run.patience) {
      await sleep(pollInterval);
      if (this.run.connections.isBusy()) quiet = Date.now();
    }
  }

  /** After a change: somebody else may have taken the role from the others between the look and the write. */
  async verify({ userIds, names, restore }: Omit<UndoableLoss, "refusal">, done: unknown): Promise<void> {
    if (await this.remainsAfter(userIds, names, done)) return;
    const lost = `${names} would have been the last ${this.title}: the others have lost it since it was read`;
    await restore().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new DocsError(`${lost}, and restoring it failed: ${reason}; make somebody ${this.title} now`, {
        cause: error,
      });
    });
    throw new DocsError(`${lost}, so it was restored; run the command again to see who has it`);
  }

  private async remainsAfter(userIds: readonly string[], names: string, done: unknown): Promise<boolean> {
    try {
      return await this.remains(userIds, false);
    } catch (error) {
      if (losesRights(error)) throw new RightsLostError(`${names} is no longer ${this.title}`, error, done);
      if (error instanceof Error) {
        error.message += ` ${names} is no longer ${this.title}, and nobody checked whether another one is left: check it now.`;
      }
      throw error;
    }
  }

  /** Whether somebody beside these people has the role. */
  private async remains(except: readonly string[], anew: boolean): Promise<boolean> {
    for await (const { userId } of await this.readHolders(anew)) {
      if (!except.includes(userId) && !this.lost.has(userId)) return true;
    }
    return false;
  }
}

/** A change was carried out, and the token may no longer look at what it came to: maybe it took the rights of its own user. */
export class RightsLostError extends DocsError {
  override name = "RightsLostError";

  constructor(
    what: string,
    cause: unknown,
    /** What the write answered. */
    readonly done?: unknown,
  ) {
    super(
      `${what}: this was carried out, and since then the token lacks the permission to check it, maybe because it belongs to the ` +
        "person who was changed. Check that somebody else is an administrator, and run pulumi up --refresh with that person's token",
      { cause },
    );
  }
}

/** The failure after a change that was carried out, to be thrown when the change is recorded; any other one is thrown now. */
export const failureAfter = (work: Promise<unknown>): Promise<RightsLostError | undefined> =>
  work.then(
    () => undefined,
    (error) => (error instanceof RightsLostError ? error : Promise.reject(error)),
  );

/** The service refuses the token, which it took for the write before. */
export const losesRights = (error: unknown): boolean => isForbidden(error) || isUnauthorized(error);
