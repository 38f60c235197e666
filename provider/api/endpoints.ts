import { changeRequestEndpoints } from "./groups/change-requests";
import { contentEndpoints } from "./groups/content";
import { memberEndpoints } from "./groups/members";
import { samlEndpoints } from "./groups/saml";
import { siteEndpoints } from "./groups/sites";
import { teamEndpoints } from "./groups/teams";
import { translationEndpoints } from "./groups/translations";
import type { Endpoint } from "./schema/endpoint";

/** Rows by name. Written as an intersection of named tables, which keeps the type declarations short. */
export type Endpoints = typeof siteEndpoints &
  typeof changeRequestEndpoints &
  typeof contentEndpoints &
  typeof memberEndpoints &
  typeof samlEndpoints &
  typeof teamEndpoints &
  typeof translationEndpoints;
export type RowName = keyof Endpoints;

/** The whole API: one row per operation. The client, the emulator and the tests derive from this table. */
export const endpoints: Endpoints = {
  ...siteEndpoints,
  ...changeRequestEndpoints,
  ...contentEndpoints,
  ...memberEndpoints,
  ...samlEndpoints,
  ...teamEndpoints,
  ...translationEndpoints,
} satisfies Record<string, Endpoint>;
