import { z } from "zod";
import { DocsError } from "../../api/http/errors";
import { jsonIn } from "../../run/files";
import { originKey } from "../../run/origin";
import { type Failure, failuresOf, type Properties } from "../../run/properties";
import { describePlainToken, type Settings } from "../../run/settings";
import { SettingsError } from "../../run/settings-error";
import { dotted, nearest } from "../../text/mistakes";
import type { Received } from "./values";

const text = z.string().min(1);
const token = text.meta({ concealed: true });

/** The inputs of a provider object. The default provider gets them from the configuration of the stack (`docs:...`). */
export const configuration = z.strictObject({
  baseUrl: text.describe("Address of the service without `/v1`, such as `https://api.docs.example`.").optional(),
  organizationId: text
    .describe("Organization of the resources of this provider that do not declare one themselves (`organizationId`).")
    .optional(),
  token: token
    .describe("API token. The state stores it encrypted; in the configuration of a stack it must be a secret.")
    .optional(),
  tokens: z
    .record(z.string(), token)
    .describe(
      "API tokens by id of the organization, for resources that declare other organizations. As secret as `token`.",
    )
    .meta({ concealed: true })
    .optional(),
});

/**
 * Inputs that the state stores encrypted for a provider object, however the program declares them: the engine records the object
 * before the provider could refuse it.
 */
export const concealedKeys: readonly string[] = ["token", "tokens"];

/** The input that records the organization of a provider object, which environment variables may name as well. */
export const recordedOrganizationKey = "__organization";

/** Inputs that the engine, or `CheckConfig`, adds to those of the user. */
const engineKeys = ["version", "pluginDownloadURL", "__internal", originKey, recordedOrganizationKey];

/** Finds mistakes in the configuration. The engine marks no secrets in this call, so only the schema says which values to conceal. */
export function failuresIn(inputs: Properties): Failure[] {
  const userInputs = ownInputs(inputs);
  return Object.keys(userInputs).flatMap((key) => {
    if (Object.hasOwn(configuration.shape, key))
      return failuresOf(configuration.pick({ [key]: true } as never), { [key]: userInputs[key] });
    const keys = Object.keys(configuration.shape);
    const guess = nearest(key, keys);
    const use = guess ? `did you mean ${guess}?` : `known are ${keys.join(", ")}`;
    // Without the property, whose value the engine would show: the name may be a misspelt `token`.
    return [{ property: "", reason: `${dotted([key])}: there is no such setting of the provider; ${use}` }];
  });
}

/**
 * Stores the configuration in the settings of the run. Refuses a token of the stack's configuration that is not a secret, because
 * the stack's file shows it.
 */
export function storeInputs(settings: Settings, { properties, secrets }: Received, providerObject?: string): void {
  const userInputs = ownInputs(properties);
  for (const key of concealedKeys) {
    const isPlain = userInputs[key] !== undefined && !secrets.has(key);
    if (isPlain && providerObject === undefined) throw new DocsError(describePlainToken(`docs:${key}`));
  }
  settings.configure((key) => {
    const value = userInputs[key.replace(/^docs:/, "")];
    return value === undefined || typeof value === "string" ? value : JSON.stringify(value);
  }, providerObject);
}

/**
 * The organization to record for a provider object. Refuses another one than the state records: the engine would record it
 * although every resource refuses it, and the next refresh would use it even after the program is corrected.
 */
export function organizationToRecord(settings: Settings, olds: Properties, provider: string): string | undefined {
  const { [recordedOrganizationKey]: recorded } = olds;
  const { value: organizationId, source = "" } = settings.organizationSetting() ?? {};
  if (typeof recorded !== "string") return organizationId;
  if (organizationId === undefined || organizationId === recorded) return recorded;
  const setting = ["DOCS_ORGANIZATION_ID", "docs:organizationId"].includes(source) ? source : "its organizationId";
  const problem = `${provider} of this stack manages organization ${recorded}, but ${setting} names ${organizationId}`;
  throw new SettingsError(
    `${problem}; correct ${setting}, or remove it if every resource declares its own. For resources of ${organizationId}, declare ` +
      "a provider object with another name, or use a separate stack",
    problem,
  );
}

/** The inputs of the user. The engine passes `tokens`, which is an object, as JSON. */
function ownInputs(inputs: Properties): Properties {
  const entries = Object.entries(inputs).filter(([key]) => !engineKeys.includes(key));
  const parsedValue = (key: string, value: unknown) =>
    key === "tokens" && typeof value === "string" ? (jsonIn(value) ?? value) : value;
  return Object.fromEntries(entries.map(([key, value]) => [key, parsedValue(key, value)]));
}
