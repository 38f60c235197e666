import { changeRequests } from "./groups/change-requests";
import { content } from "./groups/content";
import { members } from "./groups/members";
import { saml } from "./groups/saml";
import { sites } from "./groups/sites";
import { teams } from "./groups/teams";
import { translations } from "./groups/translations";
import type { Endpoint } from "./schema/endpoint";

/** The whole API, one row an operation. Client, emulator and tests work from this table. */
export const endpoints = {
  ...sites,
  ...changeRequests,
  ...content,
  ...members,
  ...saml,
  ...teams,
  ...translations,
} satisfies Record<string, Endpoint>;

export type Endpoints = typeof endpoints;
export type RowName = keyof Endpoints;
