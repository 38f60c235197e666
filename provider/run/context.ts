import type { Client } from "../api/client";
import { isForbidden, isUnauthorized } from "../api/http/errors";
import { Limiter } from "../api/http/limiter";
import { tell } from "./presentation";
import { deadline, ownVariable, requiredBaseUrl, requiredToken } from "./settings";
import { storedConfiguration } from "./settings-explained";

/** What a lifecycle works with: one organization, and the client that may call it. */
export interface Context {
  readonly client: Client;
  readonly organizationId: string;
}

/** One for the whole process: the service limits the caller, whichever resource calls. */
const limiter = new Limiter({ notice: tell });
const clients = new Map<string, Client>();

/** Whether the service has still to answer something that a resource of this process asked. */
export const awaitsAnswer = (): boolean => limiter.isBusy();

/** The client is loaded with the first call: most programs declare resources and ask for nothing themselves. */
export async function connect(organizationId: string): Promise<Context> {
  const baseUrl = requiredBaseUrl();
  const token = requiredToken(organizationId).value;
  const { createClient } = await import("../api/client.js");
  const time = deadline();
  const key = JSON.stringify([baseUrl, token, time]);
  const client = clients.get(key) ?? createClient({ baseUrl, token, limiter, ...(time && { deadline: time }) });
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

/** Adds to a 401 or 403 what it means for somebody who runs Pulumi: the token may come from another place than they think. */
export async function explained<T>({ organizationId }: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUnauthorized(error) || isForbidden(error)) {
      const origin = originOfToken(organizationId);
      // One read may answer several resources, which then share its error.
      if (!error.message.endsWith(origin)) error.message += ` ${origin}`;
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
    `The token was taken from the configuration ${source}. ${storedConfiguration} After a rotation set the environment ` +
    `variable ${variable}, which wins over both, or add --run-program (before a destroy, run pulumi refresh --run-program).`
  );
}
