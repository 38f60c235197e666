import type { Client } from "../api/client";
import { DocsError, isForbidden, isNotFound, isUnanswered, isUnauthorized } from "../api/http/errors";
import { perRun, type Run } from "./run";
import { ownVariable } from "./settings";
import { orRunProgram, storedConfiguration } from "./settings-explained";

/** What a lifecycle works with: the run, one organization, and the client that may call it. */
export interface Context {
  readonly run: Run;
  readonly client: Client;
  readonly organizationId: string;
}

/** Nothing is sent; the settings are read anew, since an engine command may change them. */
export async function connect(run: Run, organizationId: string): Promise<Context> {
  const { connections, settings } = run;
  const baseUrl = settings.requiredBaseUrl();
  const token = settings.requiredToken(organizationId).value;
  return { run, client: await connections.connect({ baseUrl, token, deadline: settings.deadline() }), organizationId };
}

/** What a module keeps for each organization of a run, and for each key in it. */
export function perOrganization<T>(make: (context: Context, key: string) => T): (context: Context, key?: string) => T {
  const madeIn = perRun(() => new Map<string, T>());
  return (context, key = "") => {
    const made = madeIn(context.run);
    const place = JSON.stringify([context.organizationId, key]);
    const one = made.get(place) ?? make(context, key);
    made.set(place, one);
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
    if (isUnauthorized(error) || isForbidden(error)) add(error, originOfToken(context));
    if (isUnanswered(error)) add(error, originOfAddress(context));
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
  if (await isUnknownOrganization(context)) add(error, originOfOrganization(context));
}

/** Asked only after a 404, which may mean the organization or something in it. */
const isUnknownOrganization = perOrganization(({ client, organizationId }) =>
  Promise.resolve(client.listMembers({ organizationId, query: { limit: 1 } })).then(() => false, isNotFound),
);

/** Where the id and the token came from: one of the two is wrong. A resource or lookup may have declared an id of its own. */
function originOfOrganization(context: Context): string {
  const setting = context.run.settings.organizationSetting();
  const token = tokenOfOrganization(context);
  return setting?.value === context.organizationId
    ? `The organization id was taken from ${inWords(setting.source)}. ${token}`
    : token;
}

function tokenOfOrganization({ run, organizationId }: Context): string {
  const { source } = run.settings.requiredToken(organizationId);
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

function originOfToken({ run, organizationId }: Context): string {
  const { source } = run.settings.requiredToken(organizationId);
  const variable = source === "docs:tokens" ? ownVariable(organizationId) : "DOCS_TOKEN";
  if (!source.startsWith("docs:")) return `The token was taken from ${inWords(source)}.`;
  return (
    `The token was taken from ${inWords(source)}.\nIt may not be the one that was set last: ${storedConfiguration}\n` +
    `After a rotation set the environment variable ${variable}, which wins over both, or ${orRunProgram}.`
  );
}

function originOfAddress({ run }: Context): string {
  const source = run.settings.baseUrl()?.source ?? "";
  const taken = `The address was taken from ${inWords(source)}.`;
  if (!source.startsWith("docs:") || run.runsProgram()) return taken;
  return (
    `${taken}\nIt may not be the one that was set last: ${storedConfiguration}\n` +
    `If it was set anew since then, set the environment variable DOCS_BASE_URL for this run, or ${orRunProgram}.`
  );
}
