import { BatchedReader, mostConfirmed, unprovenAbsence } from "../api/cache/batched-reader";
import { DocsError, isNotFound } from "../api/http/errors";
import type { Page } from "../api/http/pages";
import type { Deletion } from "../api/schema/endpoint";
import { visible } from "../text/visible";
import { type Context, organizationScoped } from "./context";
import { digest, recentWrites, writesOf } from "./writes";

interface Listed {
  readonly id: string;
  readonly createdAt: string;
}

/** What the state records of an object; of an imported one, it may have nothing yet. */
type Recorded<State> = State & { readonly createdAt?: string | undefined };

interface Source<Thing, State> {
  /** Names the collection in messages: `the sites of organization org_1`. */
  readonly name: string;
  readonly list: (query: { limit: number; page?: string }) => PromiseLike<Page<Thing>>;
  readonly read: (id: string) => Promise<Thing>;
  readonly remove: (id: string) => PromiseLike<Deletion>;
  /** Names the kind of one object in messages: `site`. */
  readonly kind: string;
  /** Names one object for people, for example by its title; `undefined` if the state does not have it. */
  readonly nameOf: (thing: Thing | State) => string | undefined;
  /** The values that writes of this package change. */
  readonly written: (thing: Thing) => readonly unknown[];
}

/**
 * Objects of the organization that can be listed and read one by one: sites, SAML providers, translations. They are read
 * together (see batched-reader.ts). An object counts as gone only if it is missing from the list and its own read answers 404: a
 * wrong organization, host or token must never make a whole organization look gone.
 */
export class Collection<Thing extends Listed, State = object> {
  private readonly reader: BatchedReader<Thing>;
  private readonly rereads = new Map<string, Promise<Thing | undefined>>();

  constructor(
    private readonly context: Context,
    private readonly source: Source<Thing, State>,
  ) {
    this.reader = new BatchedReader<Thing>({
      name: source.name,
      page: (page) => source.list({ limit: 1000, ...(page && { page }) }),
      single: source.read,
      keys: ({ id }) => [id],
      writes: recentWrites(context, `${source.kind}:`, (thing) => digest(...source.written(thing))),
    });
  }

  /** Returns the object, or `undefined` if it is proven gone. Refuses an object that is not the recorded one. */
  async find(id: string, recorded?: Recorded<State>): Promise<Thing | undefined> {
    const thing = await this.reader.find(id);
    if (thing && recorded) this.refuseAnother(thing, recorded);
    return thing;
  }

  /**
   * A service that was restored from a backup may assign an id a second time. A different name alone is drift. If the time of
   * creation differs as well, the live object is another one, which must not be changed or deleted.
   */
  private refuseAnother(thing: Thing, recorded: Recorded<State>): void {
    const { kind, nameOf } = this.source;
    const { createdAt = "" } = recorded;
    const [name, live] = [nameOf(recorded), nameOf(thing)];
    const hasOtherName = name !== undefined && live !== name;
    const apart = Math.abs(Date.parse(thing.createdAt) - Date.parse(createdAt));
    // A state without a time leads to NaN, which is no difference.
    const hasOtherTime = apart >= second;
    if (!hasOtherName || !hasOtherTime) return;
    throw new DocsError(
      `${kind} ${thing.id} is not the one in the state: the recorded one is ${quoted(name)}, created at ${createdAt}; the live one ` +
        `is ${quoted(live)}, created at ${thing.createdAt}. If the service was restored from a backup, ` +
        "remove the recorded one from the state with pulumi state delete",
    );
  }

  /** Reads a listed object again, once in a run: a list may lag, and still have what was deleted. `undefined` if it is gone. */
  reread(id: string): Promise<Thing | undefined> {
    const reading = this.rereads.get(id) ?? this.readListed(id);
    this.rereads.set(id, reading);
    reading.catch(() => this.rereads.delete(id));
    return reading;
  }

  /** Reads the object alone, then the list: both may lag, so they are repeated until they agree. From 100 objects on, the list decides. */
  private async readListed(id: string): Promise<Thing | undefined> {
    if (this.rereads.size >= mostConfirmed) return this.reader.read(id);
    const { clock, settings } = this.context.run;
    const what = `${this.source.kind} ${id}`;
    for (let times = 0, end = clock.now() + settings.settleTime(); ; times++) {
      const thing = await this.reader.reread(id);
      if (thing) return thing;
      await writesOf(this.context).pause(times, what);
      // No list is younger than -1 ms, so this reads the list again.
      if ((await this.all(-1)).every((one) => one.id !== id)) return undefined;
      if (clock.now() >= end) throw new DocsError(`the service answers 404 to ${what}, but still lists it; try again`);
    }
  }

  /** Returns the whole list; if `maxAge` is set, one that was read at most so many milliseconds ago. */
  all(maxAge?: number): Promise<Thing[]> {
    return this.reader.all(maxAge);
  }

  /** Runs a write that returns the object. If the write fails, everything read before is dropped, as it may be outdated. */
  async write<Given extends Thing>(work: () => PromiseLike<Given>): Promise<Given> {
    try {
      const written = await work();
      this.reader.put(written);
      return written;
    } catch (error) {
      this.reader.drop();
      throw error;
    }
  }

  /** Deletes an object, unless it is not the recorded one; succeeds if it is already gone. */
  async delete(id: string, recorded: Recorded<State>): Promise<void> {
    await this.find(id, recorded);
    try {
      const { deleted } = await this.source.remove(id);
      if (deleted !== true && (await this.confirmRemoval(id))) throw notDeleted(id, this.source.name, deleted);
    } catch (error) {
      this.reader.drop();
      if (!isNotFound(error) || (await this.find(id))) throw error;
    }
    this.reader.remove({ id } as Thing);
  }

  /** A bare 204 or a 202 does not prove a deletion. A 404 for the object, from a service whose list can be read, does. */
  private confirmRemoval(id: string): Promise<Thing | undefined> {
    return this.reader.confirmRemoval(id).catch((error) => {
      throw isNotFound(error) ? unprovenAbsence(this.source.name, error) : error;
    });
  }
}

export const collectionOf = <Thing extends Listed, State>(sourceOf: (context: Context) => Source<Thing, State>) =>
  organizationScoped((context) => new Collection(context, sourceOf(context)));

/** Two reads of the same timestamp may differ in fractions of a second. */
const second = 1_000;

const quoted = (name: string | undefined): string => visible(`"${name}"`);

/** The service answered a DELETE without an error, and a read shows that the object still exists. */
export function notDeleted(id: string, among: string, deleted: Deletion["deleted"] = "unknown"): DocsError {
  const answer =
    deleted === "requested"
      ? "the service accepted the request but has not carried it out yet"
      : "the service reported success but did not carry out the request";
  return new DocsError(`${id} still exists among ${among}: ${answer}; run the command again later`);
}
