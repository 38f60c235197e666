import path from "node:path";
import fc from "fast-check";
import { expect } from "vitest";
import { host } from "../support/provider";
import { hostsOfToday, todayInDays } from "../support/today";

/** Widens every property: with FAULTS_CASES=10, it has ten times as many cases. */
const factor = Number(process.env.FAULTS_CASES ?? 1);
const { FAULTS_SEED, FAULTS_PATH, FAULTS_SHRINK } = process.env;
/** Far from the seeds of other days, because each lane adds its number. */
const seedOfToday = todayInDays * 7919;

interface Property {
  /** What the cases are, for the line with the counts. */
  readonly title: string;
  /** How many, with each host if the hosts differ: then the host whose day it is not takes a quarter. */
  readonly cases: number | Readonly<Record<typeof host, number>>;
  /** Properties that wait more than they work run several cases at once. */
  readonly lanes?: number;
  /** Further counts for the line. */
  readonly counts?: () => string;
}

/**
 * Checks a property, and prints the number of cases and the seed. A failure prints the command that repeats it alone; FAULTS_SEED
 * and FAULTS_PATH name the case, and FAULTS_SHRINK=1 searches for a smaller one.
 */
export async function holds<Values>(
  { title, cases, lanes = 1, counts = () => "" }: Property,
  property: fc.IProperty<Values> | fc.IAsyncProperty<Values>,
): Promise<void> {
  const seed = Number(FAULTS_SEED ?? seedOfToday);
  const single = FAULTS_PATH !== undefined;
  const wanted = typeof cases === "number" ? cases : cases[host] / (hostsOfToday.includes(host) ? 1 : 4);
  const numRuns = Math.ceil((wanted * factor) / lanes);
  const run = (lane: number) =>
    fc.check(property, {
      seed: seed + lane,
      numRuns: single ? 1 : numRuns,
      ...(single && { path: FAULTS_PATH }),
      // The search for a smaller case takes minutes.
      endOnFailure: !FAULTS_SHRINK,
    });
  const checks = await Promise.all(Array.from({ length: single ? 1 : lanes }, (_, lane) => run(lane)));
  const done = checks.reduce((sum, { numRuns }) => sum + numRuns, 0);
  process.stdout.write(`${title}, ${host} host: ${done} cases${counts()}, seed ${seed}\n`);
  const failed = checks.find((check) => check.failed);
  if (!failed) return;
  const { testPath = "", currentTestName } = expect.getState();
  const words = currentTestName?.split(" > ").at(-1);
  const environment = `FAULTS_SEED=${failed.seed} FAULTS_PATH=${failed.counterexamplePath}`;
  const { name, ext } = path.parse(testPath);
  const command = `${environment} npm run test:faults -- ${name}${ext} -t ${JSON.stringify(words)}`;
  throw new Error(`${command}\n${fc.stringify(failed.counterexample)}\n${(failed.errorInstance as Error)?.stack}`);
}
