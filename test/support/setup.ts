import { ensureEngine } from "../../scripts/engine";
import { compile } from "./compiled";
import { startHosts } from "./provider-host/hosts";

/**
 * The engine's processes load the compiled package; and a missing engine is an error here, not a skipped test later.
 * With OWN_PROCESSES=1, the lifecycle tests start a process for each provider (see provider-host/hosts.ts); the engine always does.
 */
export default async function setup(): Promise<(() => void) | undefined> {
  await compile();
  await ensureEngine();
  if (process.env.OWN_PROCESSES) return undefined;
  const { port, close } = await startHosts();
  Object.assign(process.env, { PROVIDER_HOSTS: String(port) });
  return close;
}
