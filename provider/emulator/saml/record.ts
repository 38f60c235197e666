import type { SamlProvider } from "../../api/groups/saml";
import type { Role } from "../../api/groups/shared";
import type { SeedSaml } from "../members/seed";

export interface SamlRecord extends Omit<SeedSaml, "id" | "defaultRole" | "createdAt"> {
  readonly id: string;
  readonly sequence: number;
  defaultRole: Role | null;
  readonly createdAt: string;
}

/** A provider is active as soon as it has all settings that a sign-in needs. */
export function samlStatus({ entityID, certificate, ssoURL }: SamlRecord): SamlProvider["status"] {
  return entityID && certificate && ssoURL && ssoURL !== noUrl ? "active" : "pending";
}

/**
 * Placeholder in answers for an `ssoURL` that was never set: the property is required, must be a URL, and must not be `null`.
 * In a request it means not set, too.
 */
export const noUrl = "about:blank";
