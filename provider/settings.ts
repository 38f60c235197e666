import { usableUrl } from "./api/base-url";
import { DocsError } from "./api/errors";
import { hideToken } from "./api/masking";

/**
 * Where the service is and who calls it. The environment wins over the stack's configuration, because commands that do not
 * run the program (`refresh`, `preview --refresh`, `destroy`) get the configuration that the last `up` stored in the
 * state, which may hold a token that was rotated since.
 */
export interface Settings {
  readonly baseUrl: string | undefined;
  readonly organizationId: string | undefined;
}

/** A token, and where it was found, for the error message of a 401. */
export interface Token {
  readonly value: string;
  readonly source: string;
}

type Read = (key: string) => string | undefined;

let configuration: Read = () => undefined;

/** Stores where configuration is read from. Nothing is awaited: other calls arrive while this one is still running. */
export function configure(read: Read): void {
  configuration = read;
}

export function settings(): Settings {
  return {
    baseUrl: fromEnvironment("DOCS_BASE_URL") ?? configured("docs:baseUrl"),
    organizationId: fromEnvironment("DOCS_ORGANIZATION_ID") ?? configured("docs:organizationId"),
  };
}

export function requiredBaseUrl(): string {
  const { baseUrl } = settings();
  if (baseUrl !== undefined) return baseUrl;
  throw missing(["baseUrl"]);
}

export function requiredOrganizationId(): string {
  const { organizationId } = settings();
  if (organizationId !== undefined) return organizationId;
  throw missing(["organizationId"]);
}

/** Everything that is missing to make requests for a resource, in one message; nothing is sent. */
export function refuseMissingSettings(declaredOrganizationId: unknown): void {
  const { baseUrl, organizationId = declaredOrganizationId } = settings();
  const names: Setting[] = [];
  if (baseUrl === undefined) names.push("baseUrl");
  if (organizationId === undefined) names.push("organizationId");
  // Without an organization, any token will do: there may be one for each.
  const anyToken = Object.keys(process.env).some((name) => /^DOCS_TOKEN(_|$)/.test(name) && fromEnvironment(name));
  if (!anyToken && configured("docs:token") === undefined && configured("docs:tokens") === undefined)
    names.push("token");
  if (names.length > 0) throw missing(names);
  if (baseUrl !== undefined) usableUrl(baseUrl);
}

/** The token for the organization: one of its own, else the common one. */
export function requiredToken(organizationId: string): Token {
  const own = ownVariable(organizationId);
  const found =
    token(fromEnvironment(own), own) ??
    token(ownConfigured(organizationId), "docs:tokens") ??
    token(fromEnvironment("DOCS_TOKEN"), "DOCS_TOKEN") ??
    token(configured("docs:token"), "docs:token");
  if (found) {
    hideTokens(found.value);
    return found;
  }
  throw missing(["token"], ` for organization ${organizationId}`);
}

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

function token(value: string | undefined, source: string): Token | undefined {
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

type Setting = "baseUrl" | "organizationId" | "token";

const places = {
  baseUrl: ["address of the service", "DOCS_BASE_URL", "pulumi config set docs:baseUrl https://..."],
  organizationId: ["organization", "DOCS_ORGANIZATION_ID", "pulumi config set docs:organizationId ..."],
  token: ["token", "DOCS_TOKEN", "pulumi config set --secret docs:token ..."],
} as const;

function missing(names: readonly Setting[], whose = ""): DocsError {
  const sentences = names.map((name) => {
    const [what, variable, command] = places[name];
    return `there is no ${what}${whose}; set the environment variable ${variable}, or run: ${command}`;
  });
  return new DocsError(sentences.join("\n"));
}
