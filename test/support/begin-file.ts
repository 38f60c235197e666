import { vi } from "vitest";
import { forgetTokens } from "../../provider/text/masking";

/** Test files share the modules and the environment of a worker process. Each begins without what the one before has left there. */
const worker = globalThis as { environmentOfWorker?: NodeJS.ProcessEnv };
worker.environmentOfWorker ??= { ...process.env };
const { environmentOfWorker } = worker;

vi.unstubAllEnvs();
for (const name of Object.keys(process.env)) if (!(name in environmentOfWorker)) delete process.env[name];
Object.assign(process.env, environmentOfWorker);
forgetTokens();
