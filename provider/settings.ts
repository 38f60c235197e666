import { DocsError } from "./api/errors";

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
  throw missing("address of the service", "DOCS_BASE_URL", "pulumi config set docs:baseUrl https://...");
}

export function requiredOrganizationId(): string {
  const { organizationId } = settings();
  if (organizationId !== undefined) return organizationId;
  throw missing(
    "organization: neither the resource declares organizationId, nor do the settings name one",
    "DOCS_ORGANIZATION_ID",
    "pulumi config set docs:organizationId ...",
  );
}

/** The token for the organization: one of its own, else the common one. */
export function requiredToken(organizationId: string): Token {
  const own = `DOCS_TOKEN_${organizationId.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
  const found =
    token(fromEnvironment(own), own) ??
    token(configuredTokens()[organizationId], "docs:tokens") ??
    token(fromEnvironment("DOCS_TOKEN"), "DOCS_TOKEN") ??
    token(configured("docs:token"), "docs:token");
  if (found) return found;
  throw missing(`token for organization ${organizationId}`, "DOCS_TOKEN", "pulumi config set --secret docs:token ...");
}

function token(value: string | undefined, source: string): Token | undefined {
  return value === undefined ? undefined : { value, source };
}

function configuredTokens(): Record<string, string> {
  const text = configured("docs:tokens");
  if (text === undefined) return {};
  let tokens: unknown;
  try {
    tokens = JSON.parse(text);
  } catch {
    // Said below, without the text: it holds tokens.
  }
  const usable =
    typeof tokens === "object" && tokens !== null && Object.values(tokens).every((one) => typeof one === "string");
  if (usable && !Array.isArray(tokens)) return tokens as Record<string, string>;
  throw new DocsError(
    "the configuration docs:tokens is not an object of tokens by organization id; set each with pulumi config set --secret --path 'docs:tokens[\"org_id\"]' ...",
  );
}

function fromEnvironment(name: string): string | undefined {
  return process.env[name]?.trim() || undefined;
}

function configured(key: string): string | undefined {
  return configuration(key)?.trim() || undefined;
}

function missing(what: string, variable: string, command: string): DocsError {
  return new DocsError(`there is no ${what}; set the environment variable ${variable}, or run: ${command}`);
}
