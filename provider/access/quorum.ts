import { setTimeout as sleep } from "node:timers/promises";
import { Mutex } from "async-mutex";
import { DocsError, isForbidden, isUnauthorized } from "../api/http/errors";
import type { Context } from "../run/context";
import { writesOf } from "../run/writes";

/** Milliseconds. */
const pollInterval = 50;

export interface QuorumLoss {
  readonly userIds: readonly string[];
  readonly names: string;
  /** What the user reads if the change would take the role from the last person. */
  readonly refusal: string;
}

interface UndoableLoss extends QuorumLoss {
  /** Gives the role back to the people who have just lost it. */
  readonly restore: () => Promise<unknown>;
}

interface Person {
  readonly userId: string;
}

type When = "before the write" | "after the write";

export interface Holders {
  /** Reads a list of those who can sign in; without `anew`, one that was read after the last write is new enough. */
  list(anew: boolean): AsyncIterable<Person> | Promise<Iterable<Person>>;
  /** Reads one person alone: a list may be older than the last changes. */
  confirm(userId: string): Promise<boolean>;
  /** Whether reads show, after a write, that all of these people have the role, or that none has it. If so, no later read is older than the write. */
  readsShow(userIds: readonly string[], hasRole: boolean, anew: boolean): Promise<boolean>;
}

/**
 * A role that at least one person must have: administrator of an organization, owner of a team. A change that takes the role
 * waits for the changes that give it, so a program can hand it over in any order. The last person keeps the role. There is one
 * quorum for each organization or team of a run.
 */
export class Quorum {
  /** The changes that give the role and have started so far. */
  private readonly raises: Promise<unknown>[] = [];
  private readonly lowering = new Mutex();
  /** By user id, whether a write of this run gave the role or took it away, which an outdated list does not show. */
  private readonly written = new Map<string, boolean>();
  /** The person that the latest check found to keep the role. */
  private remaining: string | undefined;
  private readonly run;

  constructor(
    private readonly context: Context,
    /** The role in a message: `administrator of organization acme`. */
    readonly title: string,
    private readonly holders: Holders,
  ) {
    this.run = context.run;
  }

  noteWrite(userId: string, hasRole: boolean): void {
    this.written.set(userId, hasRole);
  }

  /** Gives the role to somebody; a change that takes it from somebody else waits for it. */
  raise<T>(work: () => Promise<T>): Promise<T> {
    const raise = work();
    this.raises.push(raise);
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

  /** Refuses a change before its first write if nobody would have the role; people who are about to get it count. */
  async refuseLast({ userIds, refusal }: QuorumLoss): Promise<void> {
    const start = Date.now();
    let seen: number;
    do {
      seen = this.raises.length;
      await Promise.allSettled(this.raises);
      if (await this.remains(userIds, "before the write")) return;
      await this.awaitRaise(seen, start);
    } while (this.raises.length > seen);
    // Asked once more, after the wait: the list before may have been outdated, and have lacked a person who had just got the role.
    if (await this.remains(userIds, "before the write")) return;
    throw new DocsError(refusal);
  }

  /**
   * Waits for changes that give the role. The engine may call such a change later than this one, because it does not know that
   * they belong together. With a slow service, a change that was already called may still be reading before it gives the role.
   */
  private async awaitRaise(seen: number, start: number): Promise<void> {
    const { connections, patience } = this.run;
    let lastBusy = start;
    // The wait begins anew with each request and with each call of the engine.
    const isOver = () => Date.now() - Math.max(lastBusy, this.run.calledAt) >= patience;
    while (this.raises.length === seen && !isOver() && !connections.limiter.isStopped) {
      await sleep(pollInterval);
      if (connections.isBusy()) lastBusy = Date.now();
    }
  }

  /**
   * Checks the quorum after a change: the others may have lost the role outside this run between the check and the write. If nobody
   * is left, or the service does not tell, the role is restored. `done` is what the change returned, for `UncheckedError`.
   */
  async verify({ userIds, names, restore }: Omit<UndoableLoss, "refusal">, done: unknown): Promise<void> {
    const problem = await this.findProblem(userIds, names, done);
    if (problem === undefined) return;
    await restore().catch((error: unknown) => {
      const reason = reasonOf(error).replace(/\.$/, "");
      const text = `${problem}, and restoring the role failed: ${reason}; make somebody ${this.title} now`;
      throw new DocsError(text, { cause: error });
    });
    // Waits until reads show the restored role: no state records this write, so the next command would believe an older read.
    await this.awaitRole(userIds, { hasRole: true }).catch(() => undefined);
    throw new DocsError(`${problem}, so the role was restored; run the command again to see who has the role`);
  }

  private async findProblem(userIds: readonly string[], names: string, done: unknown): Promise<string | undefined> {
    try {
      if (!(await this.awaitRole(userIds, { hasRole: false })))
        throw new UncheckedError(this.describeOld(names), undefined, done);
      if (await this.remains(userIds, "after the write")) return undefined;
      return `${names} would have been the last ${this.title}: the others have lost the role since it was read`;
    } catch (error) {
      if (error instanceof UncheckedError) throw error;
      if (isTokenRefused(error)) throw uncheckedWithoutRights(`${names} is no longer ${this.title}`, error, done);
      if (this.run.connections.limiter.isStopped) throw new UncheckedError(this.describeCancelled(names), error, done);
      return `${names} may have been the last ${this.title}, which could not be checked afterwards (${reasonOf(error)})`;
    }
  }

  private describeCancelled(names: string): string {
    return (
      `${names} is no longer ${this.title}: the change was carried out, but the command was cancelled before the check that ` +
      "somebody else has the role. Check it, or run pulumi up --refresh"
    );
  }

  /** Waits until reads show a change of the role, at most the settle time: a read that is older than a loss is no reason to undo the loss. */
  private async awaitRole(userIds: readonly string[], { hasRole }: { hasRole: boolean }): Promise<boolean> {
    const { settings, clock } = this.run;
    const start = clock.now();
    for (let times = 0; ; times++) {
      if (await this.holders.readsShow(userIds, hasRole, times > 0)) return true;
      if (clock.now() - start >= settings.settleTime()) return false;
      await writesOf(this.context).pause(times, `the change of the last ${this.title}`);
    }
  }

  private describeOld(names: string): string {
    return (
      `the service reported that ${names} is no longer ${this.title}, but its reads still show the role, so it is unknown whether ` +
      "somebody else has it: the reads are older than the change, or it was not made; run pulumi up --refresh to see who has the role"
    );
  }

  /** Whether somebody besides these people has the role. */
  private async remains(except: readonly string[], when: When): Promise<boolean> {
    const asked = new Set(except);
    for await (const userId of this.candidates(when)) {
      if (asked.has(userId) || this.written.get(userId) === false) continue;
      asked.add(userId);
      if (!(await this.holders.confirm(userId))) continue;
      this.remaining = userId;
      return true;
    }
    return false;
  }

  /** After the write, the person who was counted on before it comes first: usually, no list must be read again. */
  private async *candidates(when: When): AsyncIterable<string> {
    if (when === "after the write" && this.remaining !== undefined) yield this.remaining;
    for await (const { userId } of await this.holders.list(when === "before the write")) yield userId;
    yield* this.written.keys();
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A change was carried out, and returned `done`, but its result could not be checked. */
export class UncheckedError extends DocsError {
  override name = "UncheckedError";

  constructor(
    message: string,
    cause: unknown,
    readonly done?: unknown,
  ) {
    super(message, { cause });
  }
}

/** The token may no longer read the result of a change: maybe the change took the rights of the token's user. */
export const uncheckedWithoutRights = (what: string, cause: unknown, done?: unknown): UncheckedError =>
  new UncheckedError(
    `${what}: the change was carried out, but now the token lacks the permission to check it, maybe because it belongs to the ` +
      "person who was changed. Check that somebody else is an administrator, and run pulumi up --refresh with that person's token",
    cause,
    done,
  );

/** Returns the error if the change was carried out but not checked: the caller records the change before it throws. Throws other errors. */
export const uncheckedErrorOf = (work: Promise<unknown>): Promise<UncheckedError | undefined> =>
  work.then(
    () => undefined,
    (error) => (error instanceof UncheckedError ? error : Promise.reject(error)),
  );

/** Whether the service refuses the token, which it accepted for the write before. */
export const isTokenRefused = (error: unknown): boolean => isForbidden(error) || isUnauthorized(error);
