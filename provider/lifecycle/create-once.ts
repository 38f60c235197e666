import { setTimeout as sleep } from "node:timers/promises";
import { Mutex } from "async-mutex";
import { managementOf } from "../access/management";
import { freshEnough } from "../access/members";
import { ApiError, ConnectionError, DocsError, mayHaveHappened, mayStillHappen } from "../api/http/errors";
import type { Collection } from "../run/collection";
import { type Context, perOrganization } from "../run/context";

/** Something that looks like what is to be created, and that nobody in this stack manages. */
export class TwinFound extends DocsError {
  constructor(
    readonly what: string,
    readonly id: string,
    /** As the lifecycle of its resource knows it. */
    readonly live: unknown,
  ) {
    super(`${what} is there already: ${id}`);
  }
}

export interface Creation<Thing extends Created, Live> {
  /** What is created, in a message: `a site "Handbook"`. */
  readonly what: string;
  readonly context: Context;
  /** What exists already, of the same kind. */
  readonly collection: Collection<Thing>;
  /** Whether this declaration could have created the thing, as far as its properties show. */
  readonly matches: (thing: Thing) => boolean;
  readonly create: () => PromiseLike<Thing>;
  readonly liveOf: (thing: Thing) => Live;
  /** Whether the declaration says enough to recognize its thing among others. */
  readonly recognizable: boolean;
  /** The user says that a second one is wanted. */
  readonly allowTwin: boolean;
}

interface Created {
  readonly id: string;
  readonly createdAt: string;
}

const hour = 3_600_000;
/** More than a clock or a time zone is usually off: what was created this long before the request is not what it created. */
const day = 24 * hour;
/** Read anew, however young the list is. */
const now = -1;
const mostAttempts = 3;
/** Milliseconds before each look for what a lost request made: it may still be on its way. */
const looks = [200, 1_000, 3_000];

/** One creation at a time of each `what`. */
const mutexOf = perOrganization(() => new Mutex());

/** Whether a resource of the run has it: then it is no lost creation. */
const isOwned = ({ run }: Context, { id }: Created): boolean => managementOf(run).hasObject(id);

/**
 * Creates one thing and never two. An answer that got lost is looked for: what was not there before and belongs to nobody
 * is what the lost request made. A process that was killed can not look, so a twin younger than an hour that no resource
 * of this run manages stops the creation. Creations of the same `what` wait for each other, so that no two look at once.
 */
export async function createOnce<Thing extends Created, Live>(
  creation: Creation<Thing, Live>,
): Promise<{ id: string; live: Live }> {
  const { context, what, liveOf } = creation;
  const thing = await mutexOf(context, what).runExclusive(() => createAlone(creation));
  return { id: thing.id, live: liveOf(thing) };
}

async function createAlone<Thing extends Created, Live>(creation: Creation<Thing, Live>): Promise<Thing> {
  const before = await creation.collection.all(freshEnough);
  if (creation.recognizable && !creation.allowTwin) refuseTwin(creation, before.filter(creation.matches));
  const known = new Set(before.map((thing) => thing.id));
  for (let attempt = 1; ; attempt++) {
    try {
      return own(creation.context, await creation.collection.write(() => createNew(creation, known)));
    } catch (error) {
      if (!mayHaveHappened(error)) throw error;
      const made = creation.recognizable ? await lost(creation, known, error) : undefined;
      if (made) return own(creation.context, made);
      // What a gateway gave up on may be there in a minute: making it again now could make two.
      const isFinal = !creation.recognizable || error instanceof NotNew || attempt >= mostAttempts;
      if (isFinal || mayStillHappen(error)) throw explained(creation, error);
    }
  }
}

/** The service answered a creation with something that existed before. What it created, if anything, is unknown. */
class NotNew extends ConnectionError {}

/** An answer with something that existed before must not count: it would be changed now, and deleted by a destroy. */
async function createNew<Thing extends Created, Live>(
  { what, context, create }: Creation<Thing, Live>,
  known: ReadonlySet<string>,
): Promise<Thing> {
  const thing = await create();
  const isKnown = known.has(thing.id) || isOwned(context, thing);
  // The list of what existed before may omit it.
  if (!isKnown && !(ageOf(context, thing) >= day)) return thing;
  const since = isKnown
    ? ""
    : ` (it was created at ${thing.createdAt}, and it is ${timeOf(context).toISOString()} now)`;
  throw new NotNew(
    `create ${what}`,
    `the service answered with ${thing.id}, which existed before${since}, and that one stays as it is`,
    true,
  );
}

/**
 * The time by the clock of the service or by ours, whichever is earlier. Either one may be hours off, so nothing is taken for
 * older than both say.
 */
const timeOf = ({ client }: Context): Date => new Date(Math.min(client.now().getTime(), Date.now()));

/** Milliseconds since the thing was created; not a number if it does not tell a time. */
const ageOf = (context: Context, { createdAt }: Created): number => timeOf(context).getTime() - Date.parse(createdAt);

/** The next run can not know what this one asked for, so whoever reads this should. */
function explained<Thing extends Created, Live>({ what }: Creation<Thing, Live>, error: unknown): unknown {
  if (mayHaveHappened(error) && error instanceof Error) {
    error.message += `; ${what} may have been created all the same: look for it before you run again`;
  }
  return error;
}

function own<Thing extends Created>({ run }: Context, thing: Thing): Thing {
  managementOf(run).recordObject(thing.id);
  return thing;
}

function refuseTwin<Thing extends Created, Live>(creation: Creation<Thing, Live>, before: readonly Thing[]): void {
  const { what, context, liveOf } = creation;
  // Refusing once too often costs less than a second site.
  const twin = before.find((thing) => !isOwned(context, thing) && ageOf(context, thing) < hour);
  if (twin) throw new TwinFound(what, twin.id, liveOf(twin));
}

async function lost<Thing extends Created, Live>(
  creation: Creation<Thing, Live>,
  known: ReadonlySet<string>,
  error: unknown,
): Promise<Thing | undefined> {
  for (const pause of looks) {
    await sleep(pause);
    const found = await creation.collection.all(now).catch(() => Promise.reject(explained(creation, error)));
    const isNew = (thing: Thing) =>
      !known.has(thing.id) && !isOwned(creation.context, thing) && !(ageOf(creation.context, thing) >= day);
    const made = found.filter((thing) => creation.matches(thing) && isNew(thing));
    if (made.length > 1) throw severalMade(creation, made, error);
    if (made[0]) return made[0];
  }
  return undefined;
}

function severalMade<Thing extends Created, Live>(
  { what }: Creation<Thing, Live>,
  made: readonly Thing[],
  error: unknown,
): DocsError {
  const ids = made.map((thing) => thing.id).join(", ");
  const reason = error instanceof ApiError ? `the service answered ${error.status}` : "the answer was lost";
  return new DocsError(
    `could not create ${what}: ${reason}, and more than one like it appeared meanwhile (${ids}); ` +
      "delete those that are not wanted, import the other, and run again",
  );
}
