import { type Client, createClient } from "./api/client";
import type { Deletion } from "./api/endpoint";
import { DocsError, isForbidden, isNotFound, isUnauthorized } from "./api/errors";
import { Limiter } from "./api/limiter";
import { tell } from "./presentation";
import { ownVariable, requiredBaseUrl, requiredToken } from "./settings";

/** What a lifecycle works with: one organization, and the client that may call it. */
export interface Context {
  readonly client: Client;
  readonly organizationId: string;
}

/** One for the whole process: the service limits the caller, whichever resource calls. */
const limiter = new Limiter({ notice: tell });
const clients = new Map<string, Client>();

export function connect(organizationId: string): Context {
  const baseUrl = requiredBaseUrl();
  const token = requiredToken(organizationId).value;
  const key = JSON.stringify([baseUrl, token]);
  const client = clients.get(key) ?? createClient({ baseUrl, token, limiter });
  clients.set(key, client);
  return { client, organizationId };
}

/** What this process knows or does in one place: one for each client, organization and key. */
export function oncePerProcess<T>(make: (context: Context, key: string) => T): (context: Context, key?: string) => T {
  const made = new WeakMap<Client, Map<string, T>>();
  return (context, key = "") => {
    const known = made.get(context.client) ?? new Map<string, T>();
    made.set(context.client, known);
    const place = JSON.stringify([context.organizationId, key]);
    const one = known.get(place) ?? make(context, key);
    known.set(place, one);
    return one;
  };
}

/**
 * Reads something that may be gone: `undefined` only where that is proven, by a 404 from the thing and a list above it that
 * could be read in this process and does not hold it. A wrong organization, host or token answers 404 as well, and must
 * never make a whole organization look gone.
 */
export async function unlessGone<T>(
  context: Context,
  id: string,
  read: () => PromiseLike<T>,
  collection: Collection,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await proveGone(context, id, collection, error);
    return undefined;
  }
}

export interface Collection {
  /** What it is, in a message: `the sites of organization org_1`. */
  readonly name: string;
  /** The ids of everything in it. */
  readonly ids: () => AsyncIterable<string>;
}

interface Listing {
  readonly ids: ReadonlySet<string>;
  readonly readAt: number;
}

const lists = new WeakMap<Client, Map<string, Listing>>();
const createdHere = new Map<string, number>();

/** Something was created by this process: lists that were read before do not hold it. */
export function noteCreation(id: string): void {
  createdHere.set(id, performance.now());
}

/** One list proves it for many, unless what we did ourselves is newer: a creation of ours, or a deletion. */
async function proveGone(context: Context, id: string, collection: Collection, error: Error): Promise<void> {
  const first = await listingOf(context, collection);
  const tooOld = first.readAt < (createdHere.get(id) ?? 0);
  if (!tooOld && !first.ids.has(id)) return;
  if (!(await listingOf(context, collection, true)).ids.has(id)) return;
  error.message += ` The list of ${collection.name} holds it all the same, so it is not taken for gone; try again.`;
  throw error;
}

/** Reads the collection, once in a process, and explains what is wrong where it can not be read. */
async function listingOf({ client }: Context, { name, ids }: Collection, again = false): Promise<Listing> {
  const known = lists.get(client) ?? new Map<string, Listing>();
  lists.set(client, known);
  const before = again ? undefined : known.get(name);
  if (before) return before;
  const readAt = performance.now();
  const found = new Set<string>();
  try {
    for await (const id of ids()) found.add(id);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new DocsError(
      `the service knows nothing of ${name} either, so nothing is taken for gone; check that DOCS_BASE_URL or docs:baseUrl, ` +
        "the organization and the token belong together",
      { cause: error },
    );
  }
  const listing = { ids: found, readAt };
  known.set(name, listing);
  return listing;
}

/** Deletes something that may be gone already. */
export async function ensureDeleted(
  context: Context,
  id: string,
  remove: () => PromiseLike<Deletion>,
  collection: Collection,
): Promise<void> {
  const answer = await unlessGone(context, id, remove, collection);
  // A bare 204 does not tell what was deleted from an organization that the service does not know.
  if (answer?.deleted === "unknown") await listingOf(context, collection);
}

/** Adds to a 401 or 403 what it means for somebody who runs Pulumi: the token may come from another place than they think. */
export async function explained<T>({ organizationId }: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUnauthorized(error) || isForbidden(error)) {
      error.message += ` ${originOfToken(organizationId)}`;
      // Of a creation that failed in the middle, this is what the engine shows.
      if ("reasons" in error) error.reasons = [error.message];
    }
    throw error;
  }
}

function originOfToken(organizationId: string): string {
  const { source } = requiredToken(organizationId);
  const variable = source === "docs:tokens" ? ownVariable(organizationId) : "DOCS_TOKEN";
  if (!source.startsWith("docs:")) return `The token was taken from the environment variable ${source}.`;
  return (
    `The token was taken from the configuration ${source}. refresh and destroy do not run the program, and neither does the ` +
    "refresh that preview and up begin with: they use the configuration that the last up stored in the state. After a " +
    `rotation set the environment variable ${variable}, which wins over both, or add --run-program.`
  );
}
