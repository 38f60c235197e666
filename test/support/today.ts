import { createHash } from "node:crypto";
import { host } from "./provider";

/** Days since 1970 (UTC). What changes by the day is the same for everybody on one day, so that a failure of CI is found here as well. */
export const todayInDays = Math.floor(Date.now() / 86_400_000);

/** What a run takes of all possible cases changes with the day and the host. */
export const seed = process.env.FAULTS_SEED ?? `${todayInDays}-${host}`;

const hosts = ["dynamic", "plugin"] as const;

/** The host that takes the nth of several cases today. */
export const hostOf = (nth: number): (typeof hosts)[number] => hosts[(nth + todayInDays) % 2 === 0 ? 0 : 1];

/** What both hosts do with the same code is tried with one of them a day, and with EVERY_FAULT=1, or for named crashes, with both. */
export const hostsOfToday = process.env.EVERY_FAULT === "1" || process.env.CRASHES ? hosts : [hostOf(0)];

/** One of several cases, which are all tried in as many days. */
export const oneOfToday = <Case>(cases: readonly Case[]): Case[] => [cases[todayInDays % cases.length] as Case];

/** The cases in the order of the seed, of which a run takes the first ones. */
export function inTurn<Case extends { readonly name: string }>(cases: readonly Case[]): Case[] {
  const rank = ({ name }: Case) => createHash("sha1").update(`${seed} ${name}`).digest("hex");
  const ranked = cases.map((one) => ({ one, rank: rank(one) }));
  return ranked.sort((a, b) => a.rank.localeCompare(b.rank)).map(({ one }) => one);
}
