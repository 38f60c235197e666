import { setTimeout as sleep } from "node:timers/promises";
import { DocsError } from "./api/errors";
import { lastCall } from "./program";

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
    return work();
  });
  queue.lowering = turn.catch(() => undefined);
  return turn;
}

async function another({ othersRemain, refusal }: Office, queue: Queue): Promise<void> {
  const start = Date.now();
  let seen: number;
  do {
    seen = queue.raised;
    await Promise.allSettled(queue.raises);
    if (await othersRemain()) return;
    // The engine may hand over the raise after this, and much before it: it does not know that they belong together.
    while (queue.raised === seen && Date.now() - Math.max(start, lastCall()) < grace) await sleep(look);
  } while (queue.raised > seen);
  throw new DocsError(refusal);
}
