import type { SamlProvider } from "../../api/groups/saml";
import { badRequest } from "../http/errors";
import { bySequence, pageOf } from "../http/paging";
import type { Complete, Routes } from "../http/route";
import type { SamlRecord } from "../members/record";
import { teamAnswer } from "../members/routes";
import { newId } from "../store/ids";
import type { RecordContext } from "../store/service";
import type { OrganizationRecord } from "../store/state";

export const samlRoutes = {
  listSamlProviders: (call) =>
    pageOf(call, {
      records: [...call.organization.saml.values()],
      key: bySequence,
      item: (provider) => samlAnswer(call, provider),
    }),

  createSamlProvider: (call) => {
    const { organization, service, body } = call;
    refuseUnknownTeam(body, organization);
    const provider: SamlRecord = {
      defaultRole: null,
      ...body,
      id: newId("saml"),
      sequence: ++service.state.sequence,
      createdAt: service.now().toISOString(),
    };
    organization.saml.set(provider.id, provider);
    const answer = samlAnswer(call, provider);
    call.headers.location = answer.urls.location;
    return answer;
  },

  getSamlProvider: (call) => samlAnswer(call, call.samlProvider),

  deleteSamlProvider: ({ organization, path }) => organization.saml.delete(path.samlProviderId),

  updateSamlProvider: (call) => {
    refuseUnknownTeam(call.body, call.organization);
    return samlAnswer(call, Object.assign(call.samlProvider, call.body));
  },

  listSignInProviders: (call) => {
    const active = [...call.organization.saml.values()].filter((provider) => samlStatus(provider) === "active");
    return { items: active.map(({ id, label }) => ({ id, label, startURL: addressesOf(id).startURL })) };
  },
} satisfies Partial<Routes>;

function refuseUnknownTeam(
  { defaultTeam }: { defaultTeam?: string | undefined },
  { id, teams }: OrganizationRecord,
): void {
  if (defaultTeam === undefined || teams.has(defaultTeam)) return;
  throw badRequest(`defaultTeam: organization "${id}" has no team "${defaultTeam}"`);
}

function samlAnswer({ organization, service }: RecordContext, provider: SamlRecord): Complete<SamlProvider> {
  const team = organization.teams.get(provider.defaultTeam ?? "");
  return {
    object: "saml-provider",
    id: provider.id,
    label: provider.label,
    // Required in answers even if they are not set.
    ssoURL: provider.ssoURL ?? noUrl,
    entityID: provider.entityID ?? "",
    certificate: provider.certificate ?? "",
    defaultTeam: team && teamAnswer(team),
    defaultRole: provider.defaultRole,
    createdAt: provider.createdAt,
    status: samlStatus(provider),
    service: addressesOf(provider.id),
    urls: { location: `${service.url}/v1/orgs/${organization.id}/saml/${provider.id}` },
  };
}

/** Addresses of the service provider; `.example` is a reserved domain, so they cannot be reached. */
function addressesOf(id: string): SamlProvider["service"] {
  const base = `https://signin.docs.example/saml/${encodeURIComponent(id)}`;
  return { acsURL: `${base}/acs`, startURL: `${base}/start`, entityID: `${base}/metadata` };
}

/** A provider is active as soon as it has all settings that a sign-in needs. */
function samlStatus({ entityID, certificate, ssoURL }: SamlRecord): SamlProvider["status"] {
  return entityID && certificate && ssoURL && ssoURL !== noUrl ? "active" : "pending";
}

/**
 * Placeholder in answers for an `ssoURL` that was never set: the property is required, must be a URL, and must not be `null`.
 * In a request it means not set, too.
 */
const noUrl = "about:blank";
