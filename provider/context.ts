import { type Client, createClient } from "./api/client";
import type { Deletion } from "./api/endpoint";
import { DocsError, isForbidden, isNotFound, isUnauthorized } from "./api/errors";
import { Limiter } from "./api/limiter";
import { tell } from "./presentation";
import { requiredBaseUrl, requiredToken } from "./settings";

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

/**
 * Reads something that may be gone: `undefined` only where that is proven, by a 404 from the thing and a list above it that
 * could be read in this process. A wrong organization, host or token answers 404 as well, and must never make a whole
 * organization look gone.
 */
export async function unlessGone<T>(
  context: Context,
  read: () => PromiseLike<T>,
  collection: Collection,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await proveReadable(context, collection);
    return undefined;
  }
}

export interface Collection {
  /** What it is, in a message: `the sites of organization org_1`. */
  readonly name: string;
  readonly read: () => PromiseLike<unknown>;
}

const readable = new WeakMap<Client, Set<string>>();

/** Reads the collection, once in a process, and explains what is wrong where it can not be read. */
export async function proveReadable({ client }: Context, { name, read }: Collection): Promise<void> {
  const proven = readable.get(client) ?? new Set();
  readable.set(client, proven);
  if (proven.has(name)) return;
  try {
    await read();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new DocsError(
      `the service knows nothing of ${name} either, so nothing is taken for gone; check that DOCS_BASE_URL or docs:baseUrl, ` +
        "the organization and the token belong together",
      { cause: error },
    );
  }
  proven.add(name);
}

/** Deletes something that may be gone already. */
export async function ensureDeleted(
  context: Context,
  remove: () => PromiseLike<Deletion>,
  collection: Collection,
): Promise<void> {
  const answer = await unlessGone(context, remove, collection);
  // A bare 204 does not tell what was deleted from an organization that the service does not know.
  if (answer?.deleted === "unknown") await proveReadable(context, collection);
}

/** Adds to a 401 or 403 what it means for somebody who runs Pulumi: the token may come from another place than they think. */
export async function explained<T>({ organizationId }: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUnauthorized(error) || isForbidden(error)) error.message += ` ${originOfToken(organizationId)}`;
    throw error;
  }
}

function originOfToken(organizationId: string): string {
  const { source } = requiredToken(organizationId);
  if (!source.startsWith("docs:")) return `The token was taken from the environment variable ${source}.`;
  return (
    `The token was taken from the configuration ${source}. refresh and destroy do not run the program, and neither does the ` +
    "refresh that preview and up begin with: they use the configuration that the last up stored in the state. After a " +
    "rotation set the environment variable DOCS_TOKEN, which wins over both, or add --run-program."
  );
}
