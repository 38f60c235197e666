import { changeRequests } from "./groups/change-requests";
import { content } from "./groups/content";
import { members } from "./groups/members";
import { saml } from "./groups/saml";
import { sites } from "./groups/sites";
import { teams } from "./groups/teams";
import { translations } from "./groups/translations";
import type { Endpoint } from "./schema/endpoint";

/** Rows by name. Written as an intersection of named tables, which keeps the type declarations short. */
export type Endpoints = typeof sites &
  typeof changeRequests &
  typeof content &
  typeof members &
  typeof saml &
  typeof teams &
  typeof translations;
export type RowName = keyof Endpoints;

/** The whole API: one row per operation. The client, the emulator and the tests derive from this table. */
export const endpoints: Endpoints = {
  ...sites,
  ...changeRequests,
  ...content,
  ...members,
  ...saml,
  ...teams,
  ...translations,
} satisfies Record<string, Endpoint>;
