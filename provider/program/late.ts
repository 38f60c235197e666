// What lookups need. It is loaded with the first one, because many programs have none.
import type * as requests from "./ask";

/** What sends the requests of lookups. */
export const loadAsk = () => require("./ask") as typeof requests;

export const loadLookups = () => require("../lookups") as typeof import("../lookups");
