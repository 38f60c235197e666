import { DocsError } from "../api/http/errors";
import { CLI, LANGUAGE_HOST } from "./files";
import { type Engine, searchEngine } from "./find";
import { MINIMUM_VERSION } from "./version";

/** The engine on PATH or in the cache; refuses to go on without one. */
export async function requireEngine(environment: NodeJS.ProcessEnv): Promise<Engine> {
  const found = await searchEngine(environment);
  if ("folder" in found) return found;
  throw new DocsError(
    `there is no Pulumi engine on the PATH (${found.refusal}); install the Pulumi CLI ${MINIMUM_VERSION} or newer ` +
      `(https://www.pulumi.com/docs/install), or without a network, copy ${CLI} and ${LANGUAGE_HOST} of it into ${found.cache}`,
  );
}
