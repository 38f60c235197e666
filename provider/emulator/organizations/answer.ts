import { type OrganizationAnswer, organizationPermissions } from "../../api/groups/organizations";
import { allOf } from "../http/complete";
import type { Place } from "../store/service";
import { appUrl } from "../store/service";

/** An organization as the service shows it, inside other answers. */
export function organizationAnswer({ organization, service }: Place): OrganizationAnswer {
  const { id, title, createdAt } = organization;
  return {
    object: "organization",
    id,
    // Titles have at least two characters, but the title may be an id of one character.
    title: title.length < 2 ? `Organization ${title}` : title,
    createdAt,
    emailDomains: [],
    type: "business",
    inviteLinks: false,
    plan: "pro_2024",
    mergeRules: { type: "none" },
    urls: { location: `${service.url}/v1/orgs/${id}`, app: `${appUrl}/o/${id}` },
    trial: { status: "none", count: 0 },
    permissions: allOf(organizationPermissions),
  };
}
