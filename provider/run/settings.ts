import { AddressError, usableUrl } from "../api/http/base-url";
import { DocsError } from "../api/http/errors";
import { hideToken } from "../text/masking";
import { unknownValue } from "./properties";

/**
 * Where the service is and who calls it. The environment wins over the stack's configuration, because commands that do not
 * run the program (`refresh`, `preview --refresh`, `destroy`) get the configuration that the last `up` stored in the
 * state, which may hold a token that was rotated since.
 */
export interface Settings {
  readonly baseUrl: string | undefined;
  readonly organizationId: string | undefined;
}

/** A value, and where it was found: the variable, or the key of the configuration. */
export interface Sourced {
  readonly value: string;
  readonly source: string;
}

/**
 * Settings that are missing or wrong. Every resource has the same error then, so a run explains it once (see handler.ts):
 * the others get the problem alone.
 */
export class SettingsError extends DocsError {
  constructor(
    message: string,
    readonly problem = message,
    /** Variables that would supply what is missing. */
    readonly variables: readonly string[] = [],
  ) {
    super(message);
  }
}

type Read = (key: string) => string | undefined;

let configuration: Read = () => undefined;

/** Stores where configuration is read from. Nothing is awaited: other calls arrive while this one is still running. */
export function configure(read: Read): void {
  configuration = read;
}

export function settings(): Settings {
  return {
    baseUrl: found("DOCS_BASE_URL", "docs:baseUrl")?.value,
    organizationId: found("DOCS_ORGANIZATION_ID", "docs:organizationId")?.value,
  };
}

/** The address of the service, with the place that names it. */
export const baseUrl = (): Sourced | undefined => found("DOCS_BASE_URL", "docs:baseUrl");

const longestDeadline = 3_600;

/** Milliseconds that one operation may take, its repetitions included; `undefined` for the client's own 60 s. */
export function deadline(): number | undefined {
  const text = fromEnvironment("DOCS_DEADLINE");
  if (text === undefined) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= longestDeadline) return seconds * 1_000;
  throw new SettingsError(
    `the environment variable DOCS_DEADLINE is "${text}"; use whole seconds from 1 to ${longestDeadline}, or leave it out for 60`,
  );
}

/** Where the service was until it moved, as the user says. */
export const baseUrlMovedFrom = (): Sourced | undefined => found("DOCS_BASE_URL_MOVED_FROM", "docs:baseUrlMovedFrom");

function found(variable: string, key: string): Sourced | undefined {
  return sourced(fromEnvironment(variable), variable) ?? sourced(configured(key), key);
}

export function requiredBaseUrl(): string {
  const { baseUrl } = settings();
  if (baseUrl !== undefined) return baseUrl;
  throw missing([missingBaseUrl]);
}

export function requiredOrganizationId(): string {
  const { organizationId } = settings();
  if (organizationId !== undefined) return organizationId;
  throw missing([missingOrganization]);
}

/** Everything that is missing to make requests for a resource, in one message; nothing is sent. */
export function refuseMissingSettings(itsOrganizationId: unknown): void {
  const { baseUrl, organizationId: ofSettings } = settings();
  const organizationId = itsOrganizationId ?? ofSettings;
  const lacking: Missing[] = [];
  if (baseUrl === undefined) lacking.push(missingBaseUrl);
  if (organizationId === undefined) lacking.push(missingOrganization);
  const token = lackingToken(itsOrganizationId, organizationId);
  if (token) lacking.push(token);
  if (lacking.length > 0) throw missing(lacking);
  usableBaseUrl();
}

/** The address of the service; an error names the setting that it came from, and what that is. */
export function usableBaseUrl(): URL {
  const given = baseUrl();
  if (given === undefined) throw missing([missingBaseUrl]);
  return usableUrlOf(given);
}

export function usableUrlOf({ value, source }: Sourced): URL {
  try {
    return usableUrl(value);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    const stored = source === "docs:baseUrl" ? ["DOCS_BASE_URL"] : [];
    throw new SettingsError(`${source}: ${error.message}`, `${source}: ${error.problem}`, stored);
  }
}

/** The organization of the settings, with the place that names it. */
export const organizationSetting = (): Sourced | undefined => found("DOCS_ORGANIZATION_ID", "docs:organizationId");

/** The token for the organization: one of its own, else the common one. */
export function requiredToken(organizationId: string): Sourced {
  const found = tokenOf(organizationId);
  if (found) {
    hideTokens(found.value);
    return found;
  }
  throw missing([missingToken(organizationId)]);
}

function tokenOf(organizationId: string): Sourced | undefined {
  const own = ownVariable(organizationId);
  return (
    sourced(fromEnvironment(own), own) ??
    sourced(ownConfigured(organizationId), "docs:tokens") ??
    found("DOCS_TOKEN", "docs:token")
  );
}

/** Without a known organization, any token will do: there may be one for each. */
function lackingToken(its: unknown, organizationId: unknown): Missing | undefined {
  if (typeof organizationId !== "string" || organizationId === unknownValue) {
    return hasOwnTokens() || found("DOCS_TOKEN", "docs:token") ? undefined : missingToken();
  }
  if (tokenOf(organizationId)) return undefined;
  return missingToken(its === undefined && !hasOwnTokens() ? undefined : organizationId);
}

const hasOwnTokens = (): boolean =>
  configured("docs:tokens") !== undefined ||
  Object.keys(process.env).some((name) => name.startsWith("DOCS_TOKEN_") && fromEnvironment(name));

/** No message shows any token that is set, whichever of them a request sends. */
function hideTokens(used: string): void {
  const ofEnvironment = Object.keys(process.env).filter((name) => /^DOCS_TOKEN(_|$)/.test(name));
  const tokens = [used, configured("docs:token"), ...ofEnvironment.map(fromEnvironment)];
  for (const one of [...tokens, ...Object.values(usableTokens() ?? {})]) if (one !== undefined) hideToken(one.trim());
}

/** The variable that holds the token of one organization. */
export function ownVariable(organizationId: string): string {
  return `DOCS_TOKEN_${organizationId.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
}

function ownConfigured(organizationId: string): string | undefined {
  const tokens = configuredTokens();
  return Object.hasOwn(tokens, organizationId) ? tokens[organizationId]?.trim() || undefined : undefined;
}

function sourced(value: string | undefined, source: string): Sourced | undefined {
  return value === undefined ? undefined : { value, source };
}

function configuredTokens(): Record<string, string> {
  const tokens = usableTokens();
  if (tokens) return tokens;
  throw new DocsError(
    `the configuration docs:tokens is not an object of tokens by organization id; set each with pulumi config set --secret --path 'docs:tokens["org_id"]' ...`,
  );
}

/** `undefined` for a text that is no such object; it is not shown, since it holds tokens. */
function usableTokens(): Record<string, string> | undefined {
  let tokens: unknown;
  try {
    tokens = JSON.parse(configured("docs:tokens") ?? "{}");
  } catch {
    return undefined;
  }
  const usable =
    typeof tokens === "object" && tokens !== null && Object.values(tokens).every((one) => typeof one === "string");
  return usable && !Array.isArray(tokens) ? (tokens as Record<string, string>) : undefined;
}

function fromEnvironment(name: string): string | undefined {
  return process.env[name]?.trim() || undefined;
}

function configured(key: string): string | undefined {
  return configuration(key)?.trim() || undefined;
}

/** A setting that is nowhere: what it is, and the two places for it. */
interface Missing {
  readonly what: string;
  readonly variable: string;
  readonly command: string;
}

const missingBaseUrl: Missing = {
  what: "address of the service",
  variable: "DOCS_BASE_URL",
  command: "pulumi config set docs:baseUrl https://...",
};
const missingOrganization: Missing = {
  what: "organization",
  variable: "DOCS_ORGANIZATION_ID",
  command: "pulumi config set docs:organizationId ...",
};

/** One organization among several needs a token of its own, since the common one may be for another. */
function missingToken(organizationId?: string): Missing {
  const ofSettings = settings().organizationId;
  const amongSeveral = hasOwnTokens() || (ofSettings !== undefined && ofSettings !== organizationId);
  if (organizationId === undefined || !amongSeveral) {
    const what = organizationId === undefined ? "token" : `token for organization ${organizationId}`;
    return { what, variable: "DOCS_TOKEN", command: "pulumi config set --secret docs:token ..." };
  }
  return {
    what: `token for organization ${organizationId}`,
    variable: ownVariable(organizationId),
    command: `pulumi config set --secret --path 'docs:tokens["${organizationId}"]' ...`,
  };
}

function missing(all: readonly Missing[]): SettingsError {
  const sentences = all.map(
    ({ what, variable, command }) =>
      `there is no ${what}; set the environment variable ${variable}, or run: ${command}`,
  );
  const problem = `there is no ${all.map(({ what }) => what).join(" and no ")}`;
  return new SettingsError(
    sentences.join("\n"),
    problem,
    all.map(({ variable }) => variable),
  );
}
