import { setTimeout as sleep } from "node:timers/promises";
import { DocsError } from "./api/errors";
import type { Member } from "./api/members";
import type { Context } from "./context";

/** How long the last administrator waits for another one who is on the way. */
const grace = 3_000;
const look = 50;

interface Queue {
  /** Raises to administrator that wait or are in flight. */
  readonly raises: Set<Promise<unknown>>;
  /** How many of them there were so far. */
  raised: number;
  lowering: Promise<unknown>;
}

const queues = new Map<string, Queue>();

function queueOf({ organizationId }: Context): Queue {
  const queue = queues.get(organizationId) ?? { raises: new Set(), raised: 0, lowering: Promise.resolve() };
  queues.set(organizationId, queue);
  return queue;
}

/** Makes somebody an administrator; whoever takes the role from somebody else waits for it. */
export function raising<T>(context: Context, work: () => Promise<T>): Promise<T> {
  const queue = queueOf(context);
  const raise = work();
  queue.raised++;
  queue.raises.add(raise);
  void raise.catch(() => undefined).then(() => queue.raises.delete(raise));
  return raise;
}

/**
 * Takes the role of administrator from somebody: one at a time, after all raises, and only while another administrator
 * remains. So the role can be handed over in any order, and nobody locks everybody out.
 */
export function lowering<T>(context: Context, member: Member, work: () => Promise<T>): Promise<T> {
  const queue = queueOf(context);
  const turn = queue.lowering.then(async () => {
    await anotherAdministrator(context, member, queue);
    return work();
  });
  queue.lowering = turn.catch(() => undefined);
  return turn;
}

async function anotherAdministrator(context: Context, member: Member, queue: Queue): Promise<void> {
  const start = Date.now();
  let seen: number;
  do {
    seen = queue.raised;
    await Promise.allSettled(queue.raises);
    if (await othersRemain(context, member.user.id)) return;
    // The engine may hand over the raise after this: it does not know that they belong together.
    while (queue.raised === seen && Date.now() - start < grace) await sleep(look);
  } while (queue.raised > seen);
  throw new DocsError(
    `${nameOf(member)} is the last administrator of organization ${context.organizationId}, and without one nobody could ` +
      "manage it; make somebody else an administrator first, or keep this role",
  );
}

/** Read anew each time: a list from before the last change may show somebody who is none any more. */
async function othersRemain({ client, organizationId }: Context, userId: string): Promise<boolean> {
  for await (const { user, disabled } of client.listMembers({
    organizationId,
    query: { role: "admin", limit: 1000 },
  })) {
    if (user.id !== userId && !disabled) return true;
  }
  return false;
}

/** A person in a message: name, e-mail where it is known, and id. */
export function nameOf({ user }: Member): string {
  return `${user.displayName} (${user.email ? `${user.email}, ` : ""}${user.id})`;
}
