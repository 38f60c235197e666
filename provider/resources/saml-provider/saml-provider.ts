import { z } from "zod";
import { isSameRole, spelledRole } from "../../access-plan/place";
import { type SamlProvider as LiveProvider, samlSettings } from "../../api/groups/saml";
import { dateTime, identifier, roles } from "../../api/groups/shared";
import { createOnce } from "../../lifecycle/create-once";
import { defineResource, type Recognition } from "../../lifecycle/definition";
import { collectionOf } from "../../run/collection";
import { outOfDate, pick } from "../../run/properties";
import { certificateChange } from "../../text/shared-sentences";
import { allowDuplicate, identitiesIn, organizationId } from "../shared/common";
import {
  certificateChanges,
  certificateMistake,
  endsOfCertificates,
  expiryWarning,
  sameCertificate,
} from "./certificate";
import { samlProviderReview } from "./review";

const inputs = z.strictObject({
  organizationId: organizationId.optional(),
  label: samlSettings.label,
  entityID: samlSettings.entityID.optional(),
  certificate: samlSettings.certificate
    .superRefine((text, context) => {
      const message = certificateMistake(text);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    })
    .describe(
      `${samlSettings.certificate.description} A text may contain several certificates, which are all trusted. Order and line breaks do not count as a change.`,
    )
    .meta({ concealed: true })
    .optional(),
  ssoURL: samlSettings.ssoURL.optional(),
  defaultTeam: samlSettings.defaultTeam
    .describe(`${samlSettings.defaultTeam.description} The API can change it, but not remove it.`)
    .optional(),
  defaultRole: z
    .enum([...roles, "guest"])
    .nullable()
    .describe("Role of people who sign in for the first time; `guest` and null make them guests.")
    .meta({ none: "guest" })
    .optional(),
  allowDuplicate: allowDuplicate.optional(),
});
type Inputs = z.output<typeof inputs>;

const outputs = z.object({
  samlProviderId: identifier.describe("Id of the provider."),
  status: z.string().describe("`active` when it can sign people in, `pending` while something is missing."),
  fingerprint: z.string().nullable().describe("SHA-256 fingerprint of the first certificate; null if there is none."),
  expiresAt: dateTime.nullable().describe("When the first certificate expires; null if there is none."),
  certificates: z
    .array(
      z.object({
        fingerprint: z.string().describe("SHA-256 fingerprint of the certificate."),
        expiresAt: dateTime.describe("When the certificate expires."),
      }),
    )
    .describe(
      "All live certificates, each with its SHA-256 fingerprint and the time of its expiry. Each of them can sign people in.",
    ),
  service: z
    .object({
      acsURL: z.string().describe("URL for assertions."),
      startURL: z.string().describe("URL at which a sign-in starts."),
      entityID: z.string().describe("Entity id of the service."),
    })
    .describe(
      "The settings that the identity provider needs: the address for assertions, the address at which a sign-in starts, and the entity id of the service.",
    ),
  createdAt: dateTime.describe("When the provider was created."),
});

const settings = ["label", "entityID", "certificate", "ssoURL", "defaultTeam", "defaultRole"] as const;
const equal = { certificate: sameCertificate, defaultRole: isSameRole };

const recognition: Recognition<LiveProvider, Inputs> = {
  what: ({ label }) => `a SAML provider "${label}"`,
  collection: (context) => providersOf(context),
  sameBy: {
    entityID: (provider, { entityID }) => entityID !== undefined && provider.entityID === entityID,
    // Another entity id is another identity provider, whatever its label.
    label: (provider, { label, entityID }) =>
      provider.label === label && (entityID === undefined || !provider.entityID),
  },
};

/**
 * A SAML identity provider that members of the organization sign in with.
 *
 * @remarks
 * Its id is the id of the provider.
 *
 * A destroy deletes the provider: people can no longer sign in with it.
 *
 * @example
 * ```ts
 * import { readFileSync } from "node:fs";
 *
 * new docs.SamlProvider("sign-in", {
 *   label: "Acme sign-in",
 *   entityID: "https://id.acme.test/saml",
 *   ssoURL: "https://id.acme.test/saml/sign-in",
 *   certificate: readFileSync("sign-in.pem", "utf8"),
 *   defaultRole: "read",
 * });
 * ```
 */
export const samlProvider = defineResource({
  name: "SamlProvider",
  inputs,
  outputs,
  deletionLoses: "nobody could sign in with it until the identity provider is set up for the new one",
  identities: (properties) => identitiesIn(properties, ["label", "entityID"]),
  recognition,
  equal,
  changesWith: { samlProviderId: [], createdAt: [] },
  review: samlProviderReview,
  audited: "saml",
  warnings: ({ certificate = "" }) => {
    const warning = expiryWarning(certificate, new Date());
    return warning === "" ? [] : [warning];
  },
  changeNotes: ({ label, certificate }, declared) => {
    const changes = certificateChanges(certificate, declared.certificate);
    return changes.length === 0 ? [] : [`${certificateChange} of SAML provider "${label}": ${changes.join("; ")}`];
  },

  lifecycle: {
    async create(context, declared) {
      const body = { ...bodyOf(pick(declared, settings)), label: declared.label };
      const live = await createOnce({
        context,
        recognition,
        matches: ({ label }) => label === declared.label,
        create: () => context.client.createSamlProvider({ organizationId: context.organizationId, body }),
        declared,
      });
      return { id: live.id, live };
    },

    observe: (context, samlProviderId, recorded) => providersOf(context).find(samlProviderId, recorded),

    async *sync(context, samlProviderId, live, declared) {
      const body = bodyOf(pick(declared, outOfDate(valuesOf(live), declared, settings, equal)));
      if (Object.keys(body).length === 0) return;
      const path = { organizationId: context.organizationId, samlProviderId };
      yield await providersOf(context).write(() => context.client.updateSamlProvider({ ...path, body }));
    },

    values: valuesOf,

    outputs: ({ id, status, certificate, service, createdAt }) => {
      const certificates = endsOfCertificates(certificate);
      const [first = { fingerprint: null, expiresAt: null }] = certificates;
      return {
        samlProviderId: id,
        status,
        ...first,
        certificates,
        service: { acsURL: service.acsURL, startURL: service.startURL, entityID: service.entityID },
        createdAt,
      };
    },

    remove: (context, samlProviderId, recorded) => providersOf(context).delete(samlProviderId, recorded),
  },
});

export const providersOf = collectionOf<LiveProvider, Partial<Inputs>>(({ client, organizationId }) => ({
  name: `the SAML providers of organization ${organizationId}`,
  list: (query) => client.listSamlProviders({ organizationId, query }),
  read: (samlProviderId) => client.getSamlProvider({ organizationId, samlProviderId }),
  remove: (samlProviderId) => client.deleteSamlProvider({ organizationId, samlProviderId }),
  kind: "SAML provider",
  nameOf: ({ label }) => label,
  written: ({ label, entityID, ssoURL, certificate, defaultRole, defaultTeam }) => [
    [label, entityID, ssoURL, certificate, defaultRole, defaultTeam?.id],
  ],
}));

function valuesOf(live: LiveProvider): { [Name in (typeof settings)[number]]: Inputs[Name] } {
  return {
    label: live.label,
    entityID: live.entityID,
    certificate: live.certificate,
    ssoURL: live.ssoURL,
    // The API takes an id, and returns the team.
    defaultTeam: live.defaultTeam?.id,
    defaultRole: spelledRole(live.defaultRole),
  };
}

/** The values as the API takes them: null stands for a guest. */
function bodyOf<T extends Partial<Pick<Inputs, (typeof settings)[number]>>>({ defaultRole, ...others }: T) {
  return { ...others, ...(defaultRole !== undefined && { defaultRole: defaultRole === "guest" ? null : defaultRole }) };
}
