import type { Output } from "@pulumi/pulumi";
import { z } from "zod";
import type { Arguments } from "../resource-class";
import type { LiveSamlProvider, SignInProvider } from "../service-types";
import type { LookupOptions } from "./dependencies";
import { ask, askLater, type InOrganization, inOrganization, limit, lookup } from "./lookup";

export type GetSamlProvidersArgs = InOrganization;

export type GetSamlProvidersResult = LiveSamlProvider[];

const samlProviders = lookup<GetSamlProvidersArgs, GetSamlProvidersResult>({
  name: "getSamlProviders",
  arguments: z.strictObject(inOrganization),
  read: ({ client, organizationId }) => client.listSamlProviders({ organizationId, query: { limit } }).all(),
});

/** The SAML providers of the organization, including those that are not completely set up: one request for each 1,000. */
export function getSamlProviders(args: GetSamlProvidersArgs = {}): Promise<GetSamlProvidersResult> {
  return ask(samlProviders, args);
}

/** As {@link getSamlProviders}, for arguments that are outputs of resources. */
export function getSamlProvidersOutput(
  args: Arguments<GetSamlProvidersArgs> = {},
  options?: LookupOptions,
): Output<GetSamlProvidersResult> {
  return askLater(samlProviders, args, options);
}

export type GetSignInProvidersArgs = InOrganization;

/** Id and label of each provider, and the address at which a sign-in starts. */
export type GetSignInProvidersResult = SignInProvider[];

const signInProviders = lookup<GetSignInProvidersArgs, GetSignInProvidersResult>({
  name: "getSignInProviders",
  arguments: z.strictObject(inOrganization),
  read: async ({ client, organizationId }) => (await client.listSignInProviders({ organizationId })).items,
});

/** The providers that members of the organization can sign in with: one request. */
export function getSignInProviders(args: GetSignInProvidersArgs = {}): Promise<GetSignInProvidersResult> {
  return ask(signInProviders, args);
}

/** As {@link getSignInProviders}, for arguments that are outputs of resources. */
export function getSignInProvidersOutput(
  args: Arguments<GetSignInProvidersArgs> = {},
  options?: LookupOptions,
): Output<GetSignInProvidersResult> {
  return askLater(signInProviders, args, options);
}
