import { z } from "zod";
import { usableUrl } from "../api/http/base-url";
import { DocsError } from "../api/http/errors";
import { problemOfToken } from "../api/http/token";
import { hideToken } from "../text/masking";
import { quoted } from "../text/mistakes";
import { parseAge } from "./age";
import { jsonIn } from "./files";
import { unknownValue } from "./properties";
import {
  type MissingSettings,
  missingBaseUrl,
  missingOrganization,
  missingSettingsError,
  SettingsError,
} from "./settings-error";

/** A value, and where it was found: the variable, or the key of the configuration. */
export interface Sourced {
  readonly value: string;
  readonly source: string;
}

type Read = (key: string) => string | undefined;

/**
 * Names a file of one `docs-org up`: its preview writes there which declaration it judged. The time of the preview is handed on as
 * DOCS_NOW.
 */
export const previewedVariable = "DOCS_PREVIEWED";

/** Names the file with the plans of ups that have not ended well. */
export const unfinishedVariable = "DOCS_UNFINISHED";

/** Of `docs-org up --only grants`, the people whose grants are due: changes of others are left out, and not refused. */
export const onlyVariable = "DOCS_ONLY";

/** A person whose grant is due, in a team or for the role in the organization. */
interface DueGrant {
  readonly team: string | undefined;
  readonly user: string;
}

const tokensById = z.record(z.string(), z.string());
const objectPrefix = "provider object ";

/** Whether a value is from a provider object of the program, which no variable overrides, except the token of one organization. */
export const isProviderObject = (source: string): boolean => source.startsWith(objectPrefix);

/** Whether a value is stored in the state, so that commands that do not run the program may use an outdated one. */
export const isStored = (source: string): boolean => source.startsWith("docs:") || isProviderObject(source);

/** The service and the organization that requests go to, as far as they are configured. */
export interface Target {
  readonly baseUrl: string | undefined;
  readonly organizationId: string | undefined;
  /** The user of the token, by id or e-mail: no answer of the service names it. */
  readonly tokenUser?: string | undefined;
}

/**
 * The address of the service, the organization and the tokens. The environment overrides the stack's configuration: a token there
 * may be an old one, because `refresh`, `preview --refresh` and `destroy` get the configuration that the last `up` stored in the state.
 */
export class Settings {
  private read: Read = () => undefined;
  /** The provider object that the values are from, as messages name it; none for the configuration of the stack. */
  private providerObject: string | undefined;

  constructor(private readonly environment: NodeJS.ProcessEnv = process.env) {
    // The engine hands the token of Pulumi Cloud to every provider (seen in CLI 3.259).
    const pulumiToken = this.variable("PULUMI_ACCESS_TOKEN");
    if (pulumiToken !== undefined) hideToken(pulumiToken);
  }

  /**
   * Stores how configuration is read. This must stay synchronous: the engine makes other calls without waiting for it. The
   * values of a provider object that a program declares override the environment, because a program may declare several.
   */
  configure(read: Read, providerObject?: string): void {
    this.read = read;
    this.providerObject = providerObject === undefined ? undefined : `${objectPrefix}"${providerObject}"`;
  }

  /** Settings of a provider object, with the environment of these. */
  ofProviderObject(name: string, read: Read): Settings {
    const settings = new Settings(this.environment);
    settings.configure(read, name);
    return settings;
  }

  target(): Target {
    const tokenUser = this.variable("DOCS_TOKEN_USER");
    return { baseUrl: this.baseUrl()?.value, organizationId: this.organizationId(), tokenUser };
  }

  baseUrl(): Sourced | undefined {
    return this.lookUp("DOCS_BASE_URL", "docs:baseUrl");
  }

  organizationId(): string | undefined {
    return this.organizationSetting()?.value;
  }

  organizationSetting(): Sourced | undefined {
    return this.lookUp("DOCS_ORGANIZATION_ID", "docs:organizationId");
  }

  /** The address that the service had before it moved. */
  baseUrlMovedFrom(): Sourced | undefined {
    return valueWithSource(this.variable("DOCS_BASE_URL_MOVED_FROM"), "DOCS_BASE_URL_MOVED_FROM");
  }

  /** How long one operation may take, retries included, in milliseconds (`DOCS_DEADLINE`). */
  deadline(): number {
    return this.milliseconds("DOCS_DEADLINE", { least: 1, most: 3_600, usual: 60 });
  }

  /** How long after a write reads may be older than it, in milliseconds (`DOCS_SETTLE`); 0 believes every read. */
  settleTime(): number {
    return this.milliseconds("DOCS_SETTLE", { least: 0, most: 600, usual: 30 });
  }

  /** The current time, unless `docs-org up` or a test of a program sets `DOCS_NOW`. */
  now(): Date {
    const remedy = "use a time such as 2027-01-31T12:00:00Z";
    const time = this.parsed("DOCS_NOW", (text) => Date.parse(text) || undefined, remedy);
    return time === undefined ? new Date() : new Date(time);
  }

  /** How old a reviewed plan may be when it is applied, in milliseconds (`DOCS_PLAN_AGE`). */
  planAge(): number {
    const remedy = "use days or hours such as 3d or 12h, or unset it for 7d";
    return this.parsed("DOCS_PLAN_AGE", parseAge, remedy) ?? 7 * 24 * 3_600_000;
  }

  logsRequests(): boolean {
    return this.isSwitchedOn("DOCS_LOG", "debug");
  }

  /** Whether requests that may change something are refused (`DOCS_READ_ONLY=true`). */
  isReadOnly(): boolean {
    return this.isSwitchedOn("DOCS_READ_ONLY", "true");
  }

  /** The people of `up --only grants`: each line of the variable is `/USER` for the role, or `TEAM/USER`. Ids of teams have no slash. */
  dueGrants(): DueGrant[] | undefined {
    const lines = this.variable(onlyVariable)?.split("\n");
    return lines?.map((line) => {
      const [team = ""] = line.split("/", 1);
      return { team: team === "" ? undefined : team, user: line.slice(team.length + 1) };
    });
  }

  /** Whether docs-org reads these settings, or runs the engine. Messages then leave out commands that configure a stack. */
  isRunByDocsOrg(): boolean {
    return this.variable("DOCS_COMMAND") !== undefined;
  }

  /** Whether `DOCS_TAKE_OVER` names this object, which an interrupted run may have created. */
  takesOver(id: string): boolean {
    return (this.variable("DOCS_TAKE_OVER") ?? "").split(",").some((one) => one.trim() === id);
  }

  requiredBaseUrl(): Sourced {
    const setting = this.baseUrl();
    if (setting !== undefined) return setting;
    throw this.missing([missingBaseUrl]);
  }

  /** The parsed address of the service. If it is invalid, the error names the setting that it came from. */
  usableBaseUrl(): URL {
    return usableUrlOf(this.requiredBaseUrl());
  }

  requiredOrganizationId(): string {
    const organizationId = this.organizationId();
    if (organizationId !== undefined) return organizationId;
    throw this.missing([missingOrganization]);
  }

  /** The organization's own token, or the common one. */
  requiredToken(organizationId: string): Sourced {
    const token = this.tokenOf(organizationId);
    if (token === undefined) throw this.missing([this.missingToken(organizationId)]);
    this.hideTokens(token.value);
    const problem = problemOfToken(token.value);
    if (problem !== undefined) throw new SettingsError(`${token.source}: ${problem}`);
    return token;
  }

  /** Reports every setting that requests for a resource would lack, in one error. Sends nothing. */
  requireFor(declaredId: unknown): void {
    const { baseUrl, organizationId: ofSettings } = this.target();
    const organizationId = declaredId ?? ofSettings;
    const lacking: MissingSettings[] = [];
    if (baseUrl === undefined) lacking.push(missingBaseUrl);
    if (organizationId === undefined) lacking.push(missingOrganization);
    const token = this.findMissingToken(declaredId, organizationId);
    if (token) lacking.push(token);
    if (lacking.length > 0) throw this.missing(lacking);
    this.usableBaseUrl();
  }

  private missing(lacking: readonly MissingSettings[]): SettingsError {
    return missingSettingsError(lacking, !this.isRunByDocsOrg());
  }

  tokenOf(organizationId: string): Sourced | undefined {
    const ownTokenVariable = ownVariable(organizationId);
    return (
      valueWithSource(this.variable(ownTokenVariable), ownTokenVariable) ??
      valueWithSource(this.ownConfigured(organizationId), this.providerObject ?? "docs:tokens") ??
      this.lookUp("DOCS_TOKEN", "docs:token")
    );
  }

  /** If the organization is not known yet, any token is enough: it may be the one for that organization. */
  private findMissingToken(declaredId: unknown, organizationId: unknown): MissingSettings | undefined {
    if (typeof organizationId !== "string" || organizationId === unknownValue)
      return this.hasOwnTokens() || this.lookUp("DOCS_TOKEN", "docs:token") ? undefined : this.missingToken();
    if (this.tokenOf(organizationId)) return undefined;
    // If the settings name the only organization, its token is simply the token.
    const isOnlyOrganization = declaredId === undefined && !this.hasOwnTokens();
    return this.missingToken(isOnlyOrganization ? undefined : organizationId);
  }

  /** If there are several organizations, each needs its own token, because the common one may be for another. */
  private missingToken(organizationId?: string): MissingSettings {
    const ofSettings = this.organizationId();
    const isOneOfSeveral = this.hasOwnTokens() || (ofSettings !== undefined && ofSettings !== organizationId);
    const what = organizationId === undefined ? "token" : `token for organization ${organizationId}`;
    if (organizationId === undefined || !isOneOfSeveral)
      return { what, variable: "DOCS_TOKEN", command: "pulumi config set --secret docs:token ..." };
    // An id with other characters could inject code if somebody pastes the command into a shell.
    const id = isPlainId(organizationId) ? organizationId : "org_id";
    const command = `pulumi config set --secret --path 'docs:tokens["${id}"]' ...`;
    return { what, variable: ownVariable(organizationId), command };
  }

  private hasOwnTokens(): boolean {
    return (
      this.configured("docs:tokens") !== undefined ||
      Object.keys(this.environment).some((name) => name.startsWith("DOCS_TOKEN_") && this.variable(name))
    );
  }

  /** Masks every configured token in messages, not only the one that requests send. */
  private hideTokens(used: string): void {
    const names = Object.keys(this.environment).filter((name) => /^DOCS_TOKEN(_|$)/.test(name));
    const tokens = [used, this.configured("docs:token"), ...names.map((name) => this.variable(name))];
    const ownTokens = Object.values(this.usableTokens() ?? {});
    for (const one of [...tokens, ...ownTokens]) if (one !== undefined) hideToken(one.trim());
  }

  private ownConfigured(organizationId: string): string | undefined {
    const tokens = this.usableTokens();
    if (tokens) return Object.hasOwn(tokens, organizationId) ? tokens[organizationId]?.trim() || undefined : undefined;
    throw new DocsError(
      `the configuration docs:tokens is not an object of tokens by organization id; set each token with pulumi config set --secret --path 'docs:tokens["org_id"]' ...`,
    );
  }

  /** Tokens by organization id; `undefined` if the text is something else. No message shows the text, because it contains tokens. */
  private usableTokens(): Record<string, string> | undefined {
    const text = this.configured("docs:tokens");
    return text === undefined ? {} : tokensById.safeParse(jsonIn(text)).data;
  }

  /** The environment overrides the configuration of the stack, but not the values of a provider object. */
  private lookUp(variable: string, key: string): Sourced | undefined {
    const ofEnvironment = valueWithSource(this.variable(variable), variable);
    const ofConfiguration = valueWithSource(this.configured(key), this.providerObject ?? key);
    return this.providerObject ? (ofConfiguration ?? ofEnvironment) : (ofEnvironment ?? ofConfiguration);
  }

  /** An environment variable; an empty one counts as unset. */
  variable(name: string): string | undefined {
    return this.environment[name]?.trim() || undefined;
  }

  /** The value of a variable; `undefined` if it is unset. */
  private parsed<T>(name: string, parse: (text: string) => T | undefined, remedy: string): T | undefined {
    const text = this.variable(name);
    const value = text === undefined ? undefined : parse(text);
    if (text === undefined || value !== undefined) return value;
    throw new SettingsError(`the environment variable ${name} is ${quoted(text)}; ${remedy}`);
  }

  private milliseconds(name: string, { least, most, usual }: Record<"least" | "most" | "usual", number>): number {
    const parse = (text: string) => {
      const seconds = /^\d{1,4}$/.test(text) ? Number(text) : -1;
      return seconds >= least && seconds <= most ? seconds * 1_000 : undefined;
    };
    const remedy = `use whole seconds from ${least} to ${most}, or unset it for ${usual}`;
    return this.parsed(name, parse, remedy) ?? usual * 1_000;
  }

  private isSwitchedOn(name: string, wanted: string): boolean {
    return this.parsed(name, (text) => text === wanted || undefined, `use ${wanted}, or unset it`) ?? false;
  }

  /** Whether a variable is set, and has nothing: a workflow has forgotten its value. */
  isBlank(name: string): boolean {
    return this.environment[name]?.trim() === "";
  }

  private configured(key: string): string | undefined {
    return this.read(key)?.trim() || undefined;
  }
}

export function usableUrlOf({ value, source }: Sourced): URL {
  try {
    return usableUrl(value);
  } catch (error) {
    if (!(error instanceof DocsError)) throw error;
    const variables = source === "docs:baseUrl" ? ["DOCS_BASE_URL"] : [];
    throw new SettingsError(`${source}: ${error.message}`, undefined, variables);
  }
}

/** Whether an id may stand in a command that users copy. */
export const isPlainId = (id: string): boolean => /^[\w-]+$/.test(id);

/** The variable that holds the token of one organization. */
export function ownVariable(organizationId: string): string {
  return `DOCS_TOKEN_${organizationId.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
}

function valueWithSource(value: string | undefined, source: string): Sourced | undefined {
  return value === undefined ? undefined : { value, source };
}

/** A token that was set without `--secret` is stored in plain text in the stack's file and in its state. */
export function describePlainToken(key: string): string {
  const command = key === "docs:token" ? `${key} ...` : `--path '${key}["org_id"]' ...`;
  return (
    `the configuration ${key} is stored in plain text, so others may have seen the token; replace it with: ` +
    `pulumi config set --secret ${command}`
  );
}
