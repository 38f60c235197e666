import type { SamlProvider } from "../../api/groups/saml";
import type { Role } from "../../api/groups/shared";

export interface SamlRecord {
  readonly id: string;
  readonly sequence: number;
  label: string;
  entityID?: string | undefined;
  certificate?: string | undefined;
  ssoURL?: string | undefined;
  /** Id of a team. */
  defaultTeam?: string | undefined;
  defaultRole: Role | null;
  readonly createdAt: string;
}

/** A provider can sign users in as soon as it has all that a sign-in needs. */
export function samlStatus({ entityID, certificate, ssoURL }: SamlRecord): SamlProvider["status"] {
  return entityID && certificate && ssoURL && ssoURL !== noUrl ? "active" : "pending";
}

/**
 * Stands in answers for an `ssoURL` that was never set: the property is required and a URL, and `null` is not allowed.
 * Written back, it means the same.
 */
export const noUrl = "about:blank";

declare module "../store/state" {
  interface Organization {
    readonly saml: Map<string, SamlRecord>;
  }
}
