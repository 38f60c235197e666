/**
 * Lookups for programs: what is live in the organization. The `Output` form of each takes outputs of resources, sends
 * nothing while one of them is unknown, and keeps secrets secret. Answers are remembered for the run of the program;
 * where arguments come of resources, or `dependsOn` names some, an up reads anew.
 */

export * from "./change-requests";
export type { LookupOptions } from "./dependencies";
export type { InOrganization } from "./lookup";
export * from "./members";
export * from "./saml";
export * from "./sites";
export * from "./teams";
export * from "./translations";
