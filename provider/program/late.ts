// What lookups need. It is loaded with the first one, because many programs have none.
import type { ask, askLater, contextOf, presentable } from "./ask";

interface Asking {
  readonly ask: typeof ask;
  readonly askLater: typeof askLater;
  readonly contextOf: typeof contextOf;
  readonly presentable: typeof presentable;
}

/** What sends the requests of lookups. */
export const asking = () => require("./ask") as Asking;

export const lookups = () => require("../lookups") as typeof import("../lookups");
