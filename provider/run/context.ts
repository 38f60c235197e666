import type { Client } from "../api/client";
import { copyError, DocsError, isForbidden, isNotFound, isUnauthorized, mayHaveWrongAddress } from "../api/http/errors";
import { explainedElsewhere } from "../text/shared-sentences";
import type { Properties } from "./properties";
import { Run, runScoped } from "./run";
import { isPlainId, isProviderObject, isStored, ownVariable } from "./settings";
import { noteExplained, orRunProgram, storedConfiguration } from "./settings-explained";

/** What a lifecycle needs: the run, one organization, and a client with a token for it. */
export interface Context {
  readonly run: Run;
  readonly client: Client;
  readonly organizationId: string;
  /** The state of the resource that the engine calls for. */
  readonly recorded?: Properties | undefined;
}

/** Sends nothing. Reads the settings on every call, because an engine command may change them. */
export async function connect(run: Run, organizationId: string): Promise<Context> {
  const { connections, settings } = run;
  const baseUrl = settings.requiredBaseUrl().value;
  const token = settings.requiredToken(organizationId).value;
  const connection = { baseUrl, token, deadline: settings.deadline() };
  // Refuses a wrong DOCS_SETTLE now: after the first write, the refusal would leave the write unrecorded.
  settings.settleTime();
  const mode = { logs: settings.logsRequests(), readOnly: settings.isReadOnly() };
  return { run, client: await connections.connect({ ...connection, ...mode }), organizationId };
}

/** Connects to an organization, by default that of the settings, for a command. Sends nothing. */
export async function connectBySettings(organizationId?: string): Promise<Context> {
  const run = new Run();
  run.settings.requireFor(organizationId);
  return connect(run, organizationId ?? run.settings.requiredOrganizationId());
}

/** Keeps one value for each run, organization and key; `make` creates it at the first request. */
export function organizationScoped<T>(make: (context: Context, key: string) => T) {
  const madeIn = runScoped(() => new Map<string, T>());
  return (context: Context, key = ""): T => {
    const values = madeIn(context.run);
    const scope = JSON.stringify([context.organizationId, key]);
    const value = values.get(scope) ?? make(context, key);
    values.set(scope, value);
    return value;
  };
}

/** Adds to an error where the token and the address came from, which may be another place than the user thinks. */
export async function explained<T>(context: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DocsError)) throw error;
    if (await isAboutUnknownOrganization(context, error)) throw explainUnknownOrganization(context, error);
    if (isUnauthorized(error) || isForbidden(error)) addSentence(error, explainToken(context));
    if (mayHaveWrongAddress(error)) addSentence(error, explainAddress(context));
    throw error;
  }
}

/** Several resources may share one read and its error, so the sentence is added once. */
function addSentence(error: DocsError, sentence: string): void {
  const end = /[.!?]$/.test(error.message) ? "" : ".";
  if (!error.message.endsWith(sentence)) error.message += `${end} ${sentence}`;
  // The engine shows `reasons`, not `message`, of a creation that failed in the middle.
  if ("reasons" in error) error.reasons = [error.message];
}

const isAboutUnknownOrganization = async (context: Context, error: DocsError): Promise<boolean> =>
  (isNotFound(error) || isNotFound(error.cause)) && (await isUnknownOrganization(context));

/**
 * Adds where the id and the token came from: the service answers 404 to a token of another organization as well. Every resource
 * of the organization fails for this reason, so only the first error explains it.
 */
function explainUnknownOrganization(context: Context, error: DocsError): DocsError {
  const sources = sourcesOfOrganization(context);
  if (error.message.endsWith(sources)) return error;
  const copy = copyError(error);
  const isExplained = noteExplained(context.run, `unknown organization ${context.organizationId}`);
  addSentence(copy, isExplained ? explainedElsewhere : sources);
  return copy;
}

/** Called only after a 404, which may be about the organization or about an object in it. */
const isUnknownOrganization = organizationScoped(({ client, organizationId }) =>
  Promise.resolve(client.listMembers({ organizationId, query: { limit: 1 } })).then(() => false, isNotFound),
);

/** Says where the id and the token came from, as one of them is wrong. An id without a setting is declared by a resource. */
function sourcesOfOrganization(context: Context): string {
  const setting = context.run.settings.organizationSetting();
  const token = tokenOfOrganization(context);
  if (setting === undefined) return token;
  const source = describeSource(setting.source);
  if (setting.value === context.organizationId) return `The organization id was taken from ${source}. ${token}`;
  const both = `The declaration names organization ${context.organizationId}, and ${source} names ${setting.value}`;
  return `${both}: correct the wrong one. ${token}`;
}

function tokenOfOrganization({ run, organizationId }: Context): string {
  const { source } = run.settings.requiredToken(organizationId);
  const ownTokenVariable = ownVariable(organizationId);
  const taken = `The token was taken from ${describeSource(source)}`;
  if (source === "docs:tokens" || source === ownTokenVariable)
    return `${taken}; check that it is a token of organization ${organizationId}.`;
  // No command is shown for an id with other characters: it could inject code if somebody pastes it into a shell.
  if (!isPlainId(organizationId)) return `${taken}.`;
  const sentence = `${taken}; if organization ${organizationId} needs another one, set the environment variable ${ownTokenVariable}`;
  if (run.settings.isRunByDocsOrg()) return `${sentence}.`;
  return `${sentence}, or run: pulumi config set --secret --path 'docs:tokens["${organizationId}"]' ...`;
}

export function describeSource(source: string): string {
  if (source.startsWith("docs:")) return `the configuration ${source}`;
  return isStored(source) ? `the ${source}` : `the environment variable ${source}`;
}

function explainToken({ run, organizationId }: Context): string {
  const { source } = run.settings.requiredToken(organizationId);
  // DOCS_TOKEN does not override a provider object, because a program may declare several.
  const isOwn = source === "docs:tokens" || isProviderObject(source);
  return explainSource(run, "token", source, isOwn ? ownVariable(organizationId) : "DOCS_TOKEN");
}

function explainAddress({ run }: Context): string {
  const source = run.settings.baseUrl()?.source ?? "";
  // No variable overrides the address of a provider object.
  return explainSource(run, "address", source, isProviderObject(source) ? undefined : "DOCS_BASE_URL");
}

/** Says where a setting was taken from, and what replaces a stored one, which may be outdated. */
function explainSource(run: Run, what: string, source: string, variable: string | undefined): string {
  const taken = `The ${what} was taken from ${describeSource(source)}.`;
  if (!isStored(source) || run.runsProgram()) return taken;
  const ways = [...(variable === undefined ? [] : [`set the environment variable ${variable}`]), orRunProgram];
  return `${taken}\nIt may be outdated: ${storedConfiguration}\nIf it was changed since then, ${ways.join(", or ")}.`;
}
