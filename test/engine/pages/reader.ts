import { endpoints } from "../../../provider/api/endpoints";
import { isRead } from "../../../provider/api/schema/endpoint";
import type { Emulator } from "../../../provider/emulator";

/** Method and path of the requests that may have changed something. */
export const writesOf = (emulator: Emulator): string[] =>
  emulator.log.filter(({ row }) => !isRead(endpoints[row])).map(({ method, path }) => `${method} ${path}`);
