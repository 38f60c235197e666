import { setTimeout as sleep } from "node:timers/promises";
import { DocsError, isForbidden, isUnauthorized } from "../api/http/errors";
import { awaitsAnswer } from "../run/context";
import { lastCall } from "../run/program";

/** How long the last holder of an office waits for another one who is on the way, from the engine's last call on. */
const grace = 3_000;
const look = 50;

interface Queue {
  /** Raises to the office that wait or are in flight. */
  readonly raises: Set<Promise<unknown>>;
  /** How many of them there were so far. */
  raised: number;
  lowering: Promise<unknown>;
}

/** What must not be without somebody who holds it: administrators of an organization, owners of a team. */
export interface Office {
  /** Which one it is, in this process. */
  readonly key: string;
  /** Whether somebody else holds it, read anew: a list from before the last change may show somebody who does not any more. */
  readonly othersRemain: () => Promise<boolean>;
  /** What is said where the last one would go. */
  readonly refusal: string;
  /** Gives it back to those who have just lost it. */
  readonly restore: () => Promise<unknown>;
  /** Those who have just lost it, in a message. */
  readonly losing: string;
  /** What nobody may be without, in a message: `administrator of organization acme`. */
  readonly title: string;
}

const queues = new Map<string, Queue>();

function queueOf(key: string): Queue {
  const queue = queues.get(key) ?? { raises: new Set(), raised: 0, lowering: Promise.resolve() };
  queues.set(key, queue);
  return queue;
}

/** Gives somebody the office; whoever takes it from somebody else waits for it. */
export function raising<T>(key: string, work: () => Promise<T>): Promise<T> {
  const queue = queueOf(key);
  const raise = work();
  queue.raised++;
  queue.raises.add(raise);
  void raise.catch(() => undefined).then(() => queue.raises.delete(raise));
  return raise;
}

/**
 * Takes the office from somebody: one at a time, after all raises, and only while another one holds it. So it can be handed
 * over in any order, and the last one stays.
 */
export function lowering<T>(office: Office, work: () => Promise<T>): Promise<T> {
  const queue = queueOf(office.key);
  const turn = queue.lowering.then(async () => {
    await another(office, queue);
    const done = await work();
    await verifyAnother(office, done);
    return done;
  });
  queue.lowering = turn.catch(() => undefined);
  return turn;
}

/** Refuses a change before its first write if nobody would be left; those who are about to get the office count. */
export const refuseLast = (office: Pick<Office, "key" | "othersRemain" | "refusal">): Promise<void> =>
  another(office, queueOf(office.key));

/** Between the look and the write, somebody else may have taken the office from the others. */
async function verifyAnother(office: Office, done: unknown): Promise<void> {
  const { losing, title, restore } = office;
  if (await checkedAgain(office, done)) return;
  const lost = `${losing} would have been the last ${title}: the others have lost it since it was read`;
  await restore().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DocsError(`${lost}, and restoring it failed: ${reason}; make somebody ${title} now`, { cause: error });
  });
  throw new DocsError(`${lost}, so it was restored; run the command again to see who has it`);
}

async function checkedAgain({ othersRemain, losing, title }: Office, done: unknown): Promise<boolean> {
  try {
    return await othersRemain();
  } catch (error) {
    if (losesRights(error)) throw new RightsLostError(`${losing} is no longer ${title}`, error, done);
    if (error instanceof Error) {
      error.message += ` ${losing} is no longer ${title}, and nobody checked whether another one is left: check it now.`;
    }
    throw error;
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

async function another(
  { othersRemain, refusal }: Pick<Office, "othersRemain" | "refusal">,
  queue: Queue,
): Promise<void> {
  const start = Date.now();
  let seen: number;
  do {
    seen = queue.raised;
    await Promise.allSettled(queue.raises);
    if (await othersRemain()) return;
    // The engine may hand over the raise after this, and much before it: it does not know that they belong together. And what
    // it handed over may still read, if the service is slow, before it raises anybody.
    let quiet = start;
    while (queue.raised === seen && Date.now() - Math.max(quiet, lastCall()) < grace) {
      await sleep(look);
      if (awaitsAnswer()) quiet = Date.now();
    }
  } while (queue.raised > seen);
  // A list may be late, and lack somebody who was raised just now.
  if (await othersRemain()) return;
  throw new DocsError(refusal);
}
