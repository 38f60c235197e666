import { Snapshot, unproven } from "../api/cache/snapshot";
import { DocsError, isNotFound } from "../api/http/errors";
import type { Page } from "../api/http/pages";
import type { Deletion } from "../api/schema/endpoint";
import { visible } from "../text/visible";

interface Listed {
  readonly id: string;
  readonly createdAt: string;
}

/** What the state tells of a thing beside its id. */
export interface Identity {
  /** As `nameOf` of the source has it: the title, say. */
  readonly name?: string | undefined;
  readonly createdAt?: string | undefined;
}

export interface Source<Thing> {
  /** What it is, in a message: `the sites of organization org_1`. */
  readonly name: string;
  readonly list: (page?: string) => PromiseLike<Page<Thing>>;
  readonly read: (id: string) => Promise<Thing>;
  /** The kind of a single thing, in a message: `site`. */
  readonly kind: string;
  readonly nameOf: (thing: Thing) => string;
}

/**
 * Things of the organization that have an id, a list and a read of their own: sites, SAML providers, translations. They are
 * read together (see snapshot.ts), and count as gone only when both the list and the read of the thing say so: a wrong
 * organization, host or token must never make a whole organization look gone.
 */
export class Collection<Thing extends Listed> {
  readonly name: string;
  private readonly known: Snapshot<Thing>;

  constructor(private readonly source: Source<Thing>) {
    this.name = source.name;
    this.known = new Snapshot<Thing>({
      name: source.name,
      page: source.list,
      single: source.read,
      keys: ({ id }) => [id],
    });
  }

  /** The thing, or `undefined` where it is proven gone; refused if it is not the one that the state has. */
  async find(id: string, recorded: Identity = {}): Promise<Thing | undefined> {
    const thing = await this.known.find(id);
    if (thing) this.refuseAnother(thing, recorded);
    return thing;
  }

  /**
   * A service that is restored from a backup may give an id a second time. A thing keeps the time of its creation, and another
   * name alone is drift; if both differ, it is another thing, which must not be changed or deleted.
   */
  private refuseAnother(thing: Thing, { name, createdAt = "" }: Identity): void {
    const { kind, nameOf } = this.source;
    const apart = Math.abs(Date.parse(thing.createdAt) - Date.parse(createdAt));
    if (name === undefined || nameOf(thing) === name || !(apart >= second)) return;
    throw new DocsError(
      `${kind} ${thing.id} is not the one in the state: that one was created at ${createdAt} and is ${quoted(name)}, this one ` +
        `was created at ${thing.createdAt} and is ${quoted(nameOf(thing))}; if the service was restored from a backup, ` +
        "remove the recorded one from the state with pulumi state delete",
    );
  }

  /** Everything in the list; not older than `maxAge` milliseconds where that is named. */
  all(maxAge?: number): Promise<Thing[]> {
    return this.known.all(maxAge);
  }

  /** Takes in what a write of ours answered. */
  put<Given extends Thing>(thing: Given): Given {
    this.known.put(thing);
    return thing;
  }

  /** Carries out a write that answers the thing; where that fails, nothing that was read before is believed. */
  async write<Given extends Thing>(work: () => PromiseLike<Given>): Promise<Given> {
    try {
      return this.put(await work());
    } catch (error) {
      this.known.drop();
      throw error;
    }
  }

  /** Deletes something that may be gone already. */
  async delete(id: string, recorded: Identity, work: () => PromiseLike<Deletion>): Promise<void> {
    await this.find(id, recorded);
    try {
      const { deleted } = await work();
      if (deleted !== true) await this.verifyGone(id, deleted);
    } catch (error) {
      this.known.drop();
      if (!isNotFound(error) || (await this.find(id))) throw error;
    }
    this.known.remove({ id } as Thing);
  }

  /** A bare 204 or a 202 proves no deletion: a read of the thing and the list of its kind do. */
  private async verifyGone(id: string, deleted: Deletion["deleted"]): Promise<void> {
    this.known.drop();
    await this.source.read(id).then(
      () => Promise.reject(notDeleted(id, this.name, deleted)),
      (error) => (isNotFound(error) ? undefined : Promise.reject(error)),
    );
    await this.all().catch((error) => Promise.reject(unprovenBy(this.name, error)));
  }
}

/** Of two readings of one time, one may lack fractions of a second. */
const second = 1_000;

const quoted = (name: string): string => visible(`"${name}"`);

const unprovenBy = (name: string, error: unknown) => (isNotFound(error) ? unproven(name, error) : error);

/** The answer of a DELETE was no error, and a read shows that nothing was deleted. */
export function notDeleted(id: string, among: string, deleted: Deletion["deleted"]): DocsError {
  const answer =
    deleted === "requested"
      ? "the service accepted the request and has not carried it out yet"
      : "the service answered the request with success and did not carry it out";
  return new DocsError(`${id} still exists among ${among}: ${answer}; run the command again later`);
}
