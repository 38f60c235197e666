import { z } from "zod";
import { endpoint, none } from "../schema/endpoint";
import { dateTime, identifier, liveRole, location, openEnum, page, pageQuery, role, team, url } from "./shared";

/** SAML providers of an organization, and the providers with which its members can sign in. */

export const samlStatuses = ["active", "pending"] as const;

/** Properties of a SAML provider that a client can set; creation requires only `label`. */
export const samlSettings = {
  label: z.string().min(1).max(30).describe("Name of the provider on the sign-in page, 1 to 30 characters."),
  entityID: z.string().max(1024).describe("Entity id of the identity provider, at most 1024 characters."),
  certificate: z
    .string()
    .max(10_000)
    .describe("Certificate with which the identity provider signs (X.509, PEM), at most 10,000 characters."),
  ssoURL: url.describe("URL of the identity provider to which a sign-in is sent."),
  defaultTeam: identifier.describe("Id of the team that people join when they sign in for the first time."),
  defaultRole: role.nullable().describe("Role of people who sign in for the first time; null makes them guests."),
};

export const liveSamlProvider = z
  .strictObject({
    object: z.literal("saml-provider"),
    id: identifier.describe("Id of the provider."),
    label: samlSettings.label,
    ssoURL: url.describe("URL of the identity provider to which a sign-in is sent."),
    entityID: samlSettings.entityID,
    certificate: samlSettings.certificate,
    // Requests have the id of the team, answers the whole team.
    defaultTeam: team.optional().describe("Team that people join when they sign in for the first time."),
    defaultRole: liveRole.describe("Role of people who sign in for the first time; none makes them guests."),
    createdAt: dateTime.describe("Creation of the provider."),
    status: openEnum(samlStatuses).describe("State of the provider: `active` or `pending`."),
    service: z
      .strictObject({
        acsURL: url.describe("URL to which the identity provider sends its answers."),
        startURL: url.describe("URL at which a sign-in starts."),
        entityID: z.string().describe("Entity id of the service."),
      })
      .describe("What the identity provider must know of the service."),
    urls: z.strictObject({ location }).describe("URLs of the provider."),
  })
  .meta({ id: "LiveSamlProvider", description: "A SAML identity provider as the service answers it." });
export type SamlProvider = z.output<typeof liveSamlProvider>;

export const signInProvider = z
  .strictObject({
    id: identifier.describe("Id of the provider."),
    label: z.string().describe("Name of the provider on the sign-in page."),
    startURL: url.describe("URL at which a sign-in starts."),
  })
  .meta({ id: "SignInProvider", description: "A provider with which members can sign in." });

const optionalSettings = z.strictObject(samlSettings).partial();

const orgPath = "/v1/orgs/{organizationId}" as const;
const itemPath = `${orgPath}/saml/{samlProviderId}` as const;
const oneProvider = { reply: liveSamlProvider, answers: { organizationId: none, samlProviderId: "id" } } as const;

export const samlEndpoints = {
  listSamlProviders: endpoint({
    route: `GET ${orgPath}/saml`,
    does: "list the SAML providers of organization {organizationId}",
    query: pageQuery,
    reply: page(liveSamlProvider),
    answers: { organizationId: none },
  }),
  createSamlProvider: endpoint({
    route: `POST ${orgPath}/saml`,
    does: "create a SAML provider in organization {organizationId}",
    body: optionalSettings.extend({ label: samlSettings.label }),
    reply: liveSamlProvider,
    answers: { organizationId: none, "body.label": "label" },
    status: 201,
  }),
  getSamlProvider: endpoint({ route: `GET ${itemPath}`, does: "read SAML provider {samlProviderId}", ...oneProvider }),
  deleteSamlProvider: endpoint({ route: `DELETE ${itemPath}`, does: "delete SAML provider {samlProviderId}" }),
  updateSamlProvider: endpoint({
    route: `PATCH ${itemPath}`,
    does: "update SAML provider {samlProviderId}",
    body: optionalSettings,
    ...oneProvider,
  }),
  // Not paginated.
  listSignInProviders: endpoint({
    route: `GET ${orgPath}/sso`,
    does: "list the sign-in providers of organization {organizationId}",
    reply: z.strictObject({ items: z.array(signInProvider) }),
    answers: { organizationId: none },
  }),
};
