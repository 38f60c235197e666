import "./wording";
import { expect, vi } from "vitest";
import { forgetTokens } from "../../provider/text/masking";
import { useHttp } from "./without-http";

/** Test files share the modules and the environment of a worker process. Each begins without what the one before has left there. */
const worker = globalThis as {
  atFirst?: { readonly environment: NodeJS.ProcessEnv; readonly values: NodeJS.ProcessEnv };
};
worker.atFirst ??= { environment: process.env, values: { ...process.env } };
const { environment, values } = worker.atFirst;

vi.unstubAllEnvs();
// Some files assign another object to `process.env`.
process.env = environment;
for (const name of Object.keys(environment)) if (!(name in values)) delete environment[name];
Object.assign(environment, values);
forgetTokens();
useHttp(/\/test\/(?:api|emulator)\//.test(expect.getState().testPath ?? ""));
