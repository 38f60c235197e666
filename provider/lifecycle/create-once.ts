import { Mutex } from "async-mutex";
import { managementOf } from "../access/management";
import { freshEnough } from "../access/members";
import {
  ApiError,
  ConnectionError,
  DocsError,
  mayHaveHappened,
  mayStillHappen,
  withoutTryAgain,
} from "../api/http/errors";
import type { Collection } from "../run/collection";
import { type Context, organizationScoped } from "../run/context";
import type { Properties } from "../run/properties";
import type { Created, Recognition } from "./definition";
import { findExisting, findTakenOver } from "./existing";

interface Creation<Thing extends Created> {
  readonly what: string;
  readonly context: Context;
  readonly collection: Pick<Collection<Thing>, "all" | "write">;
  /**
   * Whether this declaration could have created the object. Compares the properties of the POST; `Recognition.sameBy` compares those
   * that must not occur twice, and some of these are set later. Absent if the declaration does not say enough to recognize its object.
   */
  readonly matches: ((thing: Thing) => boolean) | undefined;
  readonly create: () => PromiseLike<Thing>;
}

interface Declaration<Thing extends Created, Inputs extends Properties>
  extends Pick<Creation<Thing>, "context" | "matches" | "create"> {
  readonly recognition: Recognition<Thing, Inputs>;
  readonly declared: Inputs;
}

/** Larger than usual errors of clocks and time zones: an object that is this much older than the request was not created by it. */
const day = 24 * 3_600_000;
/** A maximum age that forces a new read. */
const alwaysFresh = -1;
const mostAttempts = 3;
/** Milliseconds, 4,200 together. */
const firstDelays = [200, 1_000, 3_000];

/**
 * Milliseconds to wait before each search for the object of a lost request, which the service may still be processing: at least
 * three searches, and more until the settle time is over, because lists may lag behind writes.
 */
function* searchDelays(settleTime: number): Iterable<number> {
  yield* firstDelays;
  for (let waited = 4_200; waited < settleTime; waited += 3_000) yield 3_000;
}

/** Serializes the creations of each `what`. */
const mutexOf = organizationScoped(() => new Mutex());

/**
 * Creates one object and never two. If the answer is lost, the new object is searched for: an unmanaged object that did not
 * exist before is the one that the lost request created. A killed process cannot search; the next run refuses to create what
 * exists (see `refuseDuplicate`), or takes over the object whose id the user has named. Creations of the same `what` wait for each
 * other, so that two searches never find the same object.
 */
export function createOnce<Thing extends Created, Inputs extends Properties>(
  declaration: Declaration<Thing, Inputs>,
): Promise<Thing> {
  const { context, recognition, declared } = declaration;
  const what = recognition.what(declared);
  return mutexOf(context, what).runExclusive(async () => {
    // Existing objects that DOCS_TAKE_OVER does not name were refused before (see `refuseDuplicate`), or are allowed.
    const named = findTakenOver(context.run, await findExisting(context, recognition, declared));
    if (named) context.run.tell(`${what} existed before and was taken over: ${named.id} (DOCS_TAKE_OVER)`);
    const collection = recognition.collection(context);
    const thing = named ?? (await createAlone({ ...declaration, what, collection }));
    managementOf(context.run).recordObject(thing.id);
    return thing;
  });
}

async function createAlone<Thing extends Created>(creation: Creation<Thing>): Promise<Thing> {
  const before = await creation.collection.all(freshEnough);
  const known = new Set(before.map((thing) => thing.id));
  for (let attempt = 1; ; attempt++) {
    try {
      return await creation.collection.write(() => createNew(creation, known));
    } catch (error) {
      if (!mayHaveHappened(error)) throw error;
      const lost = creation.matches && (await findLost(creation, known, error));
      if (lost) return lost;
      // After a timeout of a gateway, the object may still appear within a minute: another attempt could create a second one.
      const isFinal = !creation.matches || error instanceof NotNew || attempt >= mostAttempts;
      if (isFinal || mayStillHappen(error)) throw explain(creation, error);
    }
  }
}

/** The service answered a creation with an object that existed before, so it is unknown whether it created one. */
class NotNew extends ConnectionError {}

/** An object that existed before must not be taken for the new one: it would be changed now, and deleted by a destroy. */
async function createNew<Thing extends Created>(
  { what, context, create }: Creation<Thing>,
  known: ReadonlySet<string>,
): Promise<Thing> {
  const thing = await create();
  if (!existedBefore(context, thing, known)) return thing;
  const since = isKnown(context, thing, known)
    ? ""
    : ` (it was created at ${thing.createdAt}, and it is ${timeOf(context).toISOString()} now)`;
  const reason = `the service answered with ${thing.id}, which existed before${since} and is left unchanged`;
  throw new NotNew(`create ${what}`, reason, { unclear: true });
}

/** The list from before the creation may omit an object that existed, so its age counts as well. */
const existedBefore = (context: Context, thing: Created, known: ReadonlySet<string>): boolean =>
  isKnown(context, thing, known) || ageOf(context, thing) >= day;

const isKnown = (context: Context, thing: Created, known: ReadonlySet<string>): boolean =>
  known.has(thing.id) || managementOf(context.run).hasObject(thing.id);

/**
 * The earlier of the service's time and the local time. Either clock may be hours off, so an object counts as old only if it
 * is old by both.
 */
const timeOf = ({ client }: Context): Date => new Date(Math.min(client.now().getTime(), Date.now()));

/** Milliseconds since the object was created; not a number if it has no valid time. */
const ageOf = (context: Context, { createdAt }: Created): number => timeOf(context).getTime() - Date.parse(createdAt);

/** Tells the user to search for the object, because the next run cannot know what this one asked for. */
function explain<Thing extends Created>({ what }: Creation<Thing>, error: unknown): unknown {
  if (mayHaveHappened(error) && error instanceof Error) {
    const happened = withoutTryAgain(error.message);
    error.message = `${happened}; ${what} may have been created nevertheless: look for it before you run again`;
  }
  return error;
}

async function findLost<Thing extends Created>(
  creation: Creation<Thing>,
  known: ReadonlySet<string>,
  error: unknown,
): Promise<Thing | undefined> {
  const { clock, settings, connections } = creation.context.run;
  const start = clock.now();
  let searches = 0;
  for (const delay of searchDelays(settings.settleTime())) {
    await clock.sleep(delay);
    searches += 1;
    const things = await creation.collection.all(alwaysFresh).catch(() => undefined);
    // If the last list cannot be read, the object may exist, so another attempt could create a second one.
    const isSettled = searches >= firstDelays.length && clock.now() - start >= settings.settleTime();
    if (!things && (connections.limiter.isStopped || isSettled)) throw explain(creation, error);
    if (!things) continue;
    const isNew = (thing: Thing) => !existedBefore(creation.context, thing, known);
    const candidates = things.filter((thing) => creation.matches?.(thing) && isNew(thing));
    if (candidates.length > 1) throw severalMade(creation, candidates, error);
    if (candidates[0]) return candidates[0];
  }
  return undefined;
}

function severalMade({ what }: { readonly what: string }, made: readonly Created[], error: unknown): DocsError {
  const ids = made.map((thing) => thing.id).join(", ");
  const reason = error instanceof ApiError ? `the service answered ${error.status}` : "the answer was lost";
  return new DocsError(
    `could not create ${what}: ${reason}, and several objects like it appeared meanwhile (${ids}); ` +
      "delete those that are not wanted, import the other, and run again",
  );
}
