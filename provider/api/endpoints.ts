import { changeRequests } from "./change-requests";
import { content } from "./content";
import type { Endpoint } from "./endpoint";
import { members } from "./members";
import { saml } from "./saml";
import { sites } from "./sites";
import { teams } from "./teams";
import { translations } from "./translations";

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
