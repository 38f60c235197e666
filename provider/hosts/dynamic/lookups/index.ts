/**
 * Lookups for programs read the live organization. The `Output` form of each accepts outputs of resources, sends nothing while
 * one of them is unknown, and keeps secrets secret. Answers are cached for the run of the program. If arguments depend on
 * resources, or `dependsOn` names some, an up reads again. With the option `provider`, the provider plugin answers, with the
 * settings of that provider object.
 */

export * from "../functions";
export type { LookupOptions, ProviderOption } from "./dependencies";
export type { InOrganization } from "./lookup";
