import { endpoints } from "../../../provider/api/endpoints";
import { isRead } from "../../../provider/api/schema/endpoint";
import type { Emulator } from "../../../provider/emulator";

export const settingsOf = ({ url, token, organizationId }: Emulator): NodeJS.ProcessEnv => ({
  DOCS_BASE_URL: url,
  DOCS_TOKEN: token,
  DOCS_ORGANIZATION_ID: organizationId,
});

/** Method and path of the requests that may have changed something. */
export const writesOf = (emulator: Emulator): string[] =>
  emulator.log.filter(({ row }) => !isRead(endpoints[row])).map(({ method, path }) => `${method} ${path}`);
