import { Snapshot, unproven } from "../api/cache/snapshot";
import { DocsError, isNotFound } from "../api/http/errors";
import type { Page } from "../api/http/pages";
import type { Deletion } from "../api/schema/endpoint";

interface Listed {
  readonly id: string;
}

export interface Source<Thing> {
  /** What it is, in a message: `the sites of organization org_1`. */
  readonly name: string;
  readonly list: (page?: string) => PromiseLike<Page<Thing>>;
  readonly read: (id: string) => Promise<Thing>;
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

  /** The thing, or `undefined` where it is proven gone. */
  find(id: string): Promise<Thing | undefined> {
    return this.known.find(id);
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
  async delete(id: string, work: () => PromiseLike<Deletion>): Promise<void> {
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

const unprovenBy = (name: string, error: unknown) => (isNotFound(error) ? unproven(name, error) : error);

/** The answer of a DELETE was no error, and a read shows that nothing was deleted. */
export function notDeleted(id: string, among: string, deleted: Deletion["deleted"]): DocsError {
  const answer =
    deleted === "requested"
      ? "the service accepted the request and has not carried it out yet"
      : "the service answered the request with success and did not carry it out";
  return new DocsError(`${id} still exists among ${among}: ${answer}; run the command again later`);
}
