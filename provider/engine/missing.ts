import { DocsError } from "../api/http/errors";
import { CLI, LANGUAGE_HOST } from "./files";
import type { Missing } from "./find";
import { MINIMUM_VERSION } from "./version";

/** Says that there is no engine, and how to get one. */
export const missingEngine = ({ refusal, cache }: Missing): DocsError =>
  new DocsError(
    `there is no Pulumi engine on the PATH (${refusal}); install the Pulumi CLI ${MINIMUM_VERSION} or newer ` +
      `(https://www.pulumi.com/docs/install), or without a network, copy ${CLI} and ${LANGUAGE_HOST} of it into ${cache}`,
  );
