import { z } from "zod";
import { translationEndpoints as endpoints } from "../api/groups/translations";
import { inOrganization, limit, lookup } from "./lookup";

/**
 * The translations of the organization: one request for each 1,000. Durations in `stats` are in seconds, which the API
 * document does not show.
 */
export const getTranslations = lookup({
  name: "getTranslations",
  arguments: z.strictObject(inOrganization),
  result: endpoints.listTranslations.reply.shape.items,
  read: ({ client, organizationId }) => client.listTranslations({ organizationId, query: { limit } }).all(),
});
