import { Settings } from "../run/settings";

/** The time that decides which grants have ended. */
export const now = (): Date => new Settings().now();
