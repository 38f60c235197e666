import { DocsError } from "../api/http/errors";

/**
 * Settings are missing or invalid. Every resource fails with the same error, so a run explains it once (see `explainedOnce`);
 * later errors state only the problem.
 */
export class SettingsError extends DocsError {
  constructor(
    message: string,
    readonly problem = message,
    /** Variables that would supply what is missing. */
    readonly variables: readonly string[] = [],
  ) {
    super(message);
  }
}

export interface MissingSettings {
  readonly what: string;
  readonly variable: string;
  readonly command: string;
}

export const missingBaseUrl: MissingSettings = {
  what: "address of the service",
  variable: "DOCS_BASE_URL",
  command: "pulumi config set docs:baseUrl https://...",
};
export const missingOrganization: MissingSettings = {
  what: "organization",
  variable: "DOCS_ORGANIZATION_ID",
  command: "pulumi config set docs:organizationId ...",
};

/** `namesCommands`: whether the user may also set the configuration of a stack. */
export function missingSettingsError(all: readonly MissingSettings[], namesCommands: boolean): SettingsError {
  const sentences = all.map(
    ({ what, variable, command }) =>
      `there is no ${what}; set the environment variable ${variable}${namesCommands ? `, or run: ${command}` : ""}`,
  );
  const problem = `there is no ${all.map(({ what }) => what).join(" and no ")}`;
  const variables = all.map(({ variable }) => variable);
  return new SettingsError(sentences.join("\n"), problem, variables);
}
