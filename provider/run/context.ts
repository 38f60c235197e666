import type { Client } from "../api/client";
import { DocsError, isForbidden, isNotFound, isUnanswered, isUnauthorized } from "../api/http/errors";
import { Limiter } from "../api/http/limiter";
import { tell } from "./presentation";
import { runsProgram } from "./program";
import { baseUrl, deadline, organizationSetting, ownVariable, requiredBaseUrl, requiredToken } from "./settings";
import { orRunProgram, storedConfiguration } from "./settings-explained";

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
  const address = requiredBaseUrl();
  const token = requiredToken(organizationId).value;
  const { createClient } = await import("../api/client.js");
  const time = deadline();
  const key = JSON.stringify([address, token, time]);
  const client =
    clients.get(key) ?? createClient({ baseUrl: address, token, limiter, ...(time && { deadline: time }) });
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
 * Adds to an error what it means for somebody who runs Pulumi: the token or the address may come from another place than
 * they think.
 */
export async function explained<T>(context: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DocsError)) throw error;
    await explainUnknownOrganization(context, error);
    const { organizationId } = context;
    if (isUnauthorized(error) || isForbidden(error)) add(error, originOfToken(organizationId));
    if (isUnanswered(error)) add(error, originOfAddress());
    throw error;
  }
}

/** One read may answer several resources, which then share its error. */
function add(error: DocsError, sentence: string): void {
  if (!error.message.endsWith(sentence)) error.message = followedBy(error.message, sentence);
  // Of a creation that failed in the middle, this is what the engine shows.
  if ("reasons" in error) error.reasons = [error.message];
}

export const followedBy = (text: string, sentence: string): string =>
  `${text}${/[.!?]$/.test(text) ? "" : "."} ${sentence}`;

/**
 * Adds to a 404 which token the organization could have, if the service knows nothing of the organization: that is what it
 * answers to a token of another one.
 */
export async function explainUnknownOrganization(context: Context, error: unknown): Promise<void> {
  if (!(error instanceof DocsError) || !(isNotFound(error) || isNotFound(error.cause))) return;
  if (await isUnknownOrganization(context)) add(error, originOfOrganization(context.organizationId));
}

/** Asked only after a 404, which may mean the organization or something in it. */
const isUnknownOrganization = oncePerProcess(({ client, organizationId }) =>
  Promise.resolve(client.listMembers({ organizationId, query: { limit: 1 } })).then(() => false, isNotFound),
);

/** Where the id and the token came from: one of the two is wrong. A resource or lookup may have declared an id of its own. */
function originOfOrganization(organizationId: string): string {
  const setting = organizationSetting();
  const token = tokenOfOrganization(organizationId);
  return setting?.value === organizationId
    ? `The organization id was taken from ${inWords(setting.source)}. ${token}`
    : token;
}

function tokenOfOrganization(organizationId: string): string {
  const { source } = requiredToken(organizationId);
  const own = ownVariable(organizationId);
  const plain = /^[\w-]+$/.test(organizationId);
  if (source === "docs:tokens" || source === own) {
    const which = plain ? `organization ${organizationId}` : "this organization";
    return `The token was taken from ${inWords(source)}, for ${which} alone; check that it is a token of that organization.`;
  }
  // A command is shown for an id that the service could have given: anything else may be made to be pasted into a shell.
  if (!plain) return `The token was taken from ${inWords(source)}.`;
  return (
    `The token was taken from ${inWords(source)}; if organization ${organizationId} needs another one, set the environment ` +
    `variable ${own}, or run: pulumi config set --secret --path 'docs:tokens["${organizationId}"]' ...`
  );
}

/** Where a setting was found, in words. */
export const inWords = (source: string): string =>
  `the ${source.startsWith("docs:") ? "configuration" : "environment variable"} ${source}`;

function originOfToken(organizationId: string): string {
  const { source } = requiredToken(organizationId);
  const variable = source === "docs:tokens" ? ownVariable(organizationId) : "DOCS_TOKEN";
  if (!source.startsWith("docs:")) return `The token was taken from ${inWords(source)}.`;
  return (
    `The token was taken from ${inWords(source)}.\nIt may not be the one that was set last: ${storedConfiguration}\n` +
    `After a rotation set the environment variable ${variable}, which wins over both, or ${orRunProgram}.`
  );
}

function originOfAddress(): string {
  const source = baseUrl()?.source ?? "";
  const taken = `The address was taken from ${inWords(source)}.`;
  if (!source.startsWith("docs:") || runsProgram()) return taken;
  return (
    `${taken}\nIt may not be the one that was set last: ${storedConfiguration}\n` +
    `If it was set anew since then, set the environment variable DOCS_BASE_URL for this run, or ${orRunProgram}.`
  );
}
