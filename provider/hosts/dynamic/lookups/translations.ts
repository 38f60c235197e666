import type { Output } from "@pulumi/pulumi";
import { z } from "zod";
import type { Arguments } from "../resource-class";
import type { LiveTranslation } from "../service-types";
import type { LookupOptions } from "./dependencies";
import { ask, askLater, type InOrganization, inOrganization, limit, lookup } from "./lookup";

export type GetTranslationsArgs = InOrganization;

export type GetTranslationsResult = LiveTranslation[];

const translations = lookup<GetTranslationsArgs, GetTranslationsResult>({
  name: "getTranslations",
  arguments: z.strictObject(inOrganization),
  read: ({ client, organizationId }) => client.listTranslations({ organizationId, query: { limit } }).all(),
});

/**
 * The translations of the organization: one request for each 1,000. Durations in `stats` are in seconds, which the API
 * document does not show.
 */
export function getTranslations(args: GetTranslationsArgs = {}): Promise<GetTranslationsResult> {
  return ask(translations, args);
}

/** As {@link getTranslations}, for arguments that are outputs of resources. */
export function getTranslationsOutput(
  args: Arguments<GetTranslationsArgs> = {},
  options?: LookupOptions,
): Output<GetTranslationsResult> {
  return askLater(translations, args, options);
}
