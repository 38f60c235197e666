import type { SamlProvider } from "../../api/groups/saml";
import type { Complete } from "../http/complete";
import { badRequest, existing } from "../http/errors";
import { pageOf } from "../http/paging";
import type { PathCall, Routes } from "../http/route";
import { teamAnswer } from "../members/answer";
import { newId } from "../store/ids";
import type { Place } from "../store/service";
import type { Organization } from "../store/state";
import { noUrl, type SamlRecord, samlStatus } from "./record";

/** SAML providers, and the sign-in providers of members. */
export const samlRoutes = {
  listSamlProviders: (call) =>
    pageOf(call, {
      records: [...call.organization.saml.values()],
      key: ({ sequence }) => [sequence],
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

  getSamlProvider: (call) => samlAnswer(call, providerOf(call)),

  deleteSamlProvider: ({ organization, path }) => organization.saml.delete(path.samlProviderId),

  updateSamlProvider: (call) => {
    const provider = providerOf(call);
    refuseUnknownTeam(call.body, call.organization);
    return samlAnswer(call, Object.assign(provider, call.body));
  },

  listSignInProviders: (call) => {
    const active = [...call.organization.saml.values()].filter((provider) => samlStatus(provider) === "active");
    return { items: active.map(({ id, label }) => ({ id, label, startURL: addressesOf(id).startURL })) };
  },
} satisfies Partial<Routes>;

const providerOf = ({ organization, path }: PathCall<"samlProviderId">): SamlRecord =>
  existing(organization.saml.get(path.samlProviderId), "SAML provider", path.samlProviderId);

function refuseUnknownTeam({ defaultTeam }: { defaultTeam?: string | undefined }, { id, teams }: Organization): void {
  if (defaultTeam === undefined || teams.has(defaultTeam)) return;
  throw badRequest(`defaultTeam: organization "${id}" has no team "${defaultTeam}"`);
}

function samlAnswer({ organization, service }: Place, provider: SamlRecord): Complete<SamlProvider> {
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
