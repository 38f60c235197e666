// What lookups need. It is loaded with the first one, because many programs have none.

/** What sends the requests of lookups. */
export const asking = () => require("./lookup") as typeof import("./lookup");

/** What programs can read. */
export const lookups = () => require("../../../lookups") as typeof import("../../../lookups");
