import { z } from "zod";
import { samlEndpoints as endpoints } from "../api/groups/saml";
import { inOrganization, limit, lookup } from "./lookup";

/** The SAML providers of the organization, including those that are not completely set up: one request for each 1,000. */
export const getSamlProviders = lookup({
  name: "getSamlProviders",
  arguments: z.strictObject(inOrganization),
  result: endpoints.listSamlProviders.reply.shape.items,
  read: ({ client, organizationId }) => client.listSamlProviders({ organizationId, query: { limit } }).all(),
});

/** The providers that members of the organization can sign in with: one request. */
export const getSignInProviders = lookup({
  name: "getSignInProviders",
  arguments: z.strictObject(inOrganization),
  result: endpoints.listSignInProviders.reply.shape.items.describe(
    "Id and label of each provider, and the address at which a sign-in starts.",
  ),
  read: async ({ client, organizationId }) => (await client.listSignInProviders({ organizationId })).items,
});
