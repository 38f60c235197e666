// What lookups need. It is loaded with the first one, because many programs have none.

/** What sends the requests of lookups. */
export const loadAsk = () => require("./ask") as typeof import("./ask");

export const loadLookups = () => require("../lookups") as typeof import("../lookups");
