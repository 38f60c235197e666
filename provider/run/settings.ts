import { AddressError, usableUrl } from "../api/http/base-url";
import { DocsError } from "../api/http/errors";
import { hideToken } from "../text/masking";
import { unknownValue } from "./properties";

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

/** Which service and which organization requests go to, as far as settings say it. */
export interface Target {
  readonly baseUrl: string | undefined;
  readonly organizationId: string | undefined;
}

const longestDeadline = 3_600;

/**
 * Where the service is and who calls it. The environment wins over the stack's configuration, because commands that do not
 * run the program (`refresh`, `preview --refresh`, `destroy`) get the configuration that the last `up` stored in the
 * state, which may hold a token that was rotated since.
 */
export class Settings {
  private read: Read = () => undefined;

  constructor(private readonly environment: NodeJS.ProcessEnv = process.env) {}

  /** Stores where configuration is read from. Nothing is awaited: other calls arrive while this one is still running. */
  configure(read: Read): void {
    this.read = read;
  }

  target(): Target {
    return { baseUrl: this.baseUrl()?.value, organizationId: this.organizationId() };
  }

  /** The address of the service, with the place that names it. */
  baseUrl(): Sourced | undefined {
    return this.found("DOCS_BASE_URL", "docs:baseUrl");
  }

  organizationId(): string | undefined {
    return this.organizationSetting()?.value;
  }

  /** The organization, with the place that names it. */
  organizationSetting(): Sourced | undefined {
    return this.found("DOCS_ORGANIZATION_ID", "docs:organizationId");
  }

  /** Where the service was until it moved, as the user says. */
  baseUrlMovedFrom(): Sourced | undefined {
    return this.found("DOCS_BASE_URL_MOVED_FROM", "docs:baseUrlMovedFrom");
  }

  /** Milliseconds that one operation may take, its repetitions included; `undefined` for the client's own 60 s. */
  deadline(): number | undefined {
    const text = this.variable("DOCS_DEADLINE");
    if (text === undefined) return undefined;
    const seconds = /^\d+$/.test(text) ? Number(text) : 0;
    if (seconds >= 1 && seconds <= longestDeadline) return seconds * 1_000;
    throw new SettingsError(
      `the environment variable DOCS_DEADLINE is "${text}"; use whole seconds from 1 to ${longestDeadline}, or leave it out for 60`,
    );
  }

  requiredBaseUrl(): string {
    const found = this.baseUrl();
    if (found !== undefined) return found.value;
    throw missing([missingBaseUrl]);
  }

  /** The address of the service; an error names the setting that it came from, and what that is. */
  usableBaseUrl(): URL {
    const found = this.baseUrl();
    if (found === undefined) throw missing([missingBaseUrl]);
    return usableUrlOf(found);
  }

  requiredOrganizationId(): string {
    const organizationId = this.organizationId();
    if (organizationId !== undefined) return organizationId;
    throw missing([missingOrganization]);
  }

  /** The token for the organization: one of its own, else the common one. */
  requiredToken(organizationId: string): Sourced {
    const token = this.tokenOf(organizationId);
    if (token === undefined) throw missing([this.missingToken(organizationId)]);
    this.hideTokens(token.value);
    return token;
  }

  /** Everything that is missing to make requests for a resource, in one message; nothing is sent. */
  refuseMissing(itsOrganizationId: unknown): void {
    const { baseUrl, organizationId: ofSettings } = this.target();
    const organizationId = itsOrganizationId ?? ofSettings;
    const lacking: Missing[] = [];
    if (baseUrl === undefined) lacking.push(missingBaseUrl);
    if (organizationId === undefined) lacking.push(missingOrganization);
    const token = this.lackingToken(itsOrganizationId, organizationId);
    if (token) lacking.push(token);
    if (lacking.length > 0) throw missing(lacking);
    this.usableBaseUrl();
  }

  private tokenOf(organizationId: string): Sourced | undefined {
    const own = ownVariable(organizationId);
    return (
      sourced(this.variable(own), own) ??
      sourced(this.ownConfigured(organizationId), "docs:tokens") ??
      this.found("DOCS_TOKEN", "docs:token")
    );
  }

  /** Without a known organization, any token will do: there may be one for each. */
  private lackingToken(its: unknown, organizationId: unknown): Missing | undefined {
    if (typeof organizationId !== "string" || organizationId === unknownValue) {
      return this.hasOwnTokens() || this.found("DOCS_TOKEN", "docs:token") ? undefined : this.missingToken();
    }
    if (this.tokenOf(organizationId)) return undefined;
    return this.missingToken(its === undefined && !this.hasOwnTokens() ? undefined : organizationId);
  }

  /** One organization among several needs a token of its own, since the common one may be for another. */
  private missingToken(organizationId?: string): Missing {
    const ofSettings = this.organizationId();
    const amongSeveral = this.hasOwnTokens() || (ofSettings !== undefined && ofSettings !== organizationId);
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

  private hasOwnTokens(): boolean {
    return (
      this.configured("docs:tokens") !== undefined ||
      Object.keys(this.environment).some((name) => name.startsWith("DOCS_TOKEN_") && this.variable(name))
    );
  }

  /** No message shows any token that is set, whichever of them a request sends. */
  private hideTokens(used: string): void {
    const names = Object.keys(this.environment).filter((name) => /^DOCS_TOKEN(_|$)/.test(name));
    const tokens = [used, this.configured("docs:token"), ...names.map((name) => this.variable(name))];
    const own = Object.values(this.usableTokens() ?? {});
    for (const one of [...tokens, ...own]) if (one !== undefined) hideToken(one.trim());
  }

  private ownConfigured(organizationId: string): string | undefined {
    const tokens = this.configuredTokens();
    return Object.hasOwn(tokens, organizationId) ? tokens[organizationId]?.trim() || undefined : undefined;
  }

  private configuredTokens(): Record<string, string> {
    const tokens = this.usableTokens();
    if (tokens) return tokens;
    throw new DocsError(
      `the configuration docs:tokens is not an object of tokens by organization id; set each with pulumi config set --secret --path 'docs:tokens["org_id"]' ...`,
    );
  }

  /** `undefined` for a text that is no such object; it is not shown, since it holds tokens. */
  private usableTokens(): Record<string, string> | undefined {
    let tokens: unknown;
    try {
      tokens = JSON.parse(this.configured("docs:tokens") ?? "{}");
    } catch {
      return undefined;
    }
    const usable =
      typeof tokens === "object" && tokens !== null && Object.values(tokens).every((one) => typeof one === "string");
    return usable && !Array.isArray(tokens) ? (tokens as Record<string, string>) : undefined;
  }

  private found(variable: string, key: string): Sourced | undefined {
    return sourced(this.variable(variable), variable) ?? sourced(this.configured(key), key);
  }

  /** A variable of the environment; an empty one is none. */
  variable(name: string): string | undefined {
    return this.environment[name]?.trim() || undefined;
  }

  private configured(key: string): string | undefined {
    return this.read(key)?.trim() || undefined;
  }
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

/** The variable that holds the token of one organization. */
export function ownVariable(organizationId: string): string {
  return `DOCS_TOKEN_${organizationId.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
}

function sourced(value: string | undefined, source: string): Sourced | undefined {
  return value === undefined ? undefined : { value, source };
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
