import type { Emulator } from "../../provider/emulator";

export type NamedService = Pick<Emulator, "url" | "token" | "organizationId">;

export const settingsOf = ({ url, token, organizationId }: NamedService) => ({
  DOCS_BASE_URL: url,
  DOCS_TOKEN: token,
  DOCS_ORGANIZATION_ID: organizationId,
});

export const configOf = ({ url, token, organizationId }: NamedService) => ({
  "docs:baseUrl": url,
  "docs:token": token,
  "docs:organizationId": organizationId,
});
