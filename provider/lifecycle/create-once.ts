import { setTimeout as sleep } from "node:timers/promises";
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
import { type Run, runScoped } from "../run/run";
import { explainedElsewhere } from "../text/shared-sentences";

export interface Creation<Thing extends Created> {
  /** Names the object in messages: `a site "Handbook"`. */
  readonly what: string;
  readonly context: Context;
  readonly collection: Pick<Collection<Thing>, "all" | "write">;
  /**
   * Whether this declaration could have created the object, as far as its properties show; absent if it does not say enough to
   * recognize its object among others.
   */
  readonly matches: ((thing: Thing) => boolean) | undefined;
  readonly create: () => PromiseLike<Thing>;
  readonly declared: { readonly allowDuplicate?: boolean | undefined };
}

interface Created {
  readonly id: string;
  readonly createdAt: string;
}

const hour = 3_600_000;
/** Larger than usual errors of clocks and time zones: an object that is this much older than the request was not created by it. */
const day = 24 * hour;
/** A maximum age that forces a new read. */
const alwaysFresh = -1;
const mostAttempts = 3;
/**
 * Milliseconds to wait before each search for the object of a lost request, which the service may still be processing: at least
 * three searches, and more until the settle time is over, because lists may lag behind writes.
 */
function* searchDelays(settleTime: number): Iterable<number> {
  yield* [200, 1_000, 3_000];
  // The first three delays take 4,200 together.
  for (let waited = 4_200; waited < settleTime; waited += 3_000) yield 3_000;
}

/** Serializes the creations of each `what`. */
const mutexOf = organizationScoped(() => new Mutex());

/** Whether a resource of the run manages the object. Then it is not the result of a creation whose answer was lost. */
const isManagedObject = ({ run }: Context, { id }: Created): boolean => managementOf(run).hasObject(id);

/**
 * Creates one object and never two. If the answer is lost, the new object is searched for: an unmanaged object that did not
 * exist before is the one that the lost request created. A killed process cannot search, so an unmanaged duplicate that is
 * younger than an hour stops the next creation, unless the user has named its id. Creations of the same `what` wait for each
 * other, so that two searches never find the same object.
 */
export async function createOnce<Thing extends Created>(creation: Creation<Thing>): Promise<Thing> {
  const { context, what } = creation;
  try {
    return await mutexOf(context, what).runExclusive(async () => {
      const thing = await createAlone(creation);
      managementOf(context.run).recordObject(thing.id);
      return thing;
    });
  } catch (error) {
    if (error instanceof DuplicateFound) throw await duplicateRefusal(context.run, error);
    throw error;
  }
}

async function createAlone<Thing extends Created>(creation: Creation<Thing>): Promise<Thing> {
  const before = await creation.collection.all(freshEnough);
  const interrupted = creation.matches && takeOverNamed(creation, before.filter(creation.matches));
  if (interrupted) return interrupted;
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
  known.has(thing.id) || isManagedObject(context, thing);

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

/**
 * The object that looks like the one to be created, and that the user has named (`DOCS_TAKE_OVER`). Refuses a young duplicate that
 * is not named: an interrupted run may have created it, and an unnecessary refusal costs less than a second site.
 */
function takeOverNamed<Thing extends Created>(
  { what, context, declared }: Creation<Thing>,
  alike: readonly Thing[],
): Thing | undefined {
  const unmanaged = alike.filter((thing) => !isManagedObject(context, thing));
  const named = unmanaged.find(({ id }) => context.run.settings.takesOver(id));
  if (named) {
    context.run.tell(`${what} existed before and was taken over: ${named.id} (DOCS_TAKE_OVER)`);
    return named;
  }
  const duplicate = declared.allowDuplicate ? undefined : unmanaged.find((thing) => ageOf(context, thing) < hour);
  if (duplicate) throw new DuplicateFound(what, duplicate.id);
  const ids = context.run.settings.variable("DOCS_TAKE_OVER");
  if (ids !== undefined && unmanaged.length > 0) {
    const others = unmanaged.map(({ id }) => id).join(", ");
    context.run.tell(`DOCS_TAKE_OVER (${ids}) does not name ${others}, so ${what} is created beside it`);
  }
  return undefined;
}

async function findLost<Thing extends Created>(
  creation: Creation<Thing>,
  known: ReadonlySet<string>,
  error: unknown,
): Promise<Thing | undefined> {
  const { clock, settings, connections } = creation.context.run;
  const start = clock.now();
  for (const delay of searchDelays(settings.settleTime())) {
    await clock.sleep(delay);
    const things = await creation.collection.all(alwaysFresh).catch(() => undefined);
    // The next run may create a second object, unless lists show this one by then.
    const isLast = connections.limiter.isStopped || clock.now() - start >= settings.settleTime();
    if (!things && isLast) throw explain(creation, error);
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

/** The service has an unmanaged object that looks like the one to be created. */
class DuplicateFound extends Error {
  constructor(
    readonly what: string,
    readonly id: string,
  ) {
    super();
  }
}

const duplicatesIn = runScoped((): DuplicateFound[] => []);

/**
 * Says what to do with an object that an interrupted run may have created. The engine creates several resources at once, so the
 * first refusal waits for the others and names all objects with one command, and the others refer to it.
 */
async function duplicateRefusal(run: Run, duplicate: DuplicateFound): Promise<DocsError> {
  const duplicates = duplicatesIn(run);
  const isFirst = duplicates.push(duplicate) === 1;
  await sleep(run.patience);
  if (isFirst) return new DocsError([describe(duplicates), ...waysOut(duplicates)].join("\n"));
  return new DocsError(`${duplicate.what} already exists: ${duplicate.id} ${explainedElsewhere}`);
}

const recentAndUnmanaged = "created within the last hour and managed by no resource of this run";

function describe(duplicates: readonly DuplicateFound[]): string {
  const [only, second] = duplicates;
  if (only && !second) return `${only.what} already exists: ${only.id}, ${recentAndUnmanaged}`;
  const lines = duplicates.map(({ what, id }) => `  ${what}: ${id}`);
  return [`${duplicates.length} objects already exist, ${recentAndUnmanaged}:`, ...lines].join("\n");
}

function waysOut(duplicates: readonly DuplicateFound[]): string[] {
  const ids = duplicates.map(({ id }) => id).join(",");
  return [
    `- created by an interrupted run: repeat the command with DOCS_TAKE_OVER=${ids} in its environment, which takes over what it names`,
    "- managed by this stack under another name, as a refresh shows: give it its former name, or add the option aliases to it in a program",
    "- managed by another stack, or a second one is wanted: declare allowDuplicate: true",
    "- not wanted, and managed by no stack: delete it in the service",
  ];
}
