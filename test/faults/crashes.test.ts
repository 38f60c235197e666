import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../provider/emulator";
import { done } from "../support/done";
import { cutConnection } from "../support/lying-service";
import { hostsOfToday, inTurn, seed } from "../support/today";
import { type CrashOperation, operationsOf } from "./crash-operations";
import { CrashingStack, type Host, type Moment } from "./crashing-stack";
import { type Numbered, numbered } from "./faults";
import { differencesIn, type EverHad, everHad, lossesInHistory } from "./history";

/**
 * The engine or its provider ends at each write of an `up`, of an update and of a `destroy` of `examples/organization`. Then
 * comes what docs/guides/interrupted-runs.md says, and the command again.
 *
 * A point is a write, a way to end, and whether the service makes the change. CRASHES names the points to run, by the beginning
 * of their name. Without it, each operation with the host of the day takes what it can in 8 s, in an order that changes
 * with the day; EVERY_FAULT=1 takes all.
 */

const chosen = process.env.CRASHES ?? "";
const every = process.env.EVERY_FAULT === "1" || chosen !== "";

interface Crash {
  readonly name: string;
  /** Whether the service makes the change. A killed process gets no answer. */
  readonly made: boolean;
  readonly end: (crashing: CrashingStack, closed: Promise<void>) => Promise<void>;
  /** The engine ends the command itself, and nothing remains to be done before the next one. */
  readonly inOrder?: boolean;
}

const crashes: readonly Crash[] = [
  { name: "engine killed, change made", made: true, end: (one, closed) => one.killEngine(closed) },
  { name: "provider killed, change made", made: true, end: (one) => one.killProvider() },
  { name: "engine killed, change not made", made: false, end: (one, closed) => one.killEngine(closed) },
  { name: "provider killed, change not made", made: false, end: (one) => one.killProvider() },
  { name: "Ctrl-C", made: true, end: (one) => one.signalEngine("SIGINT"), inOrder: true },
];

interface Point extends Numbered {
  readonly name: string;
  readonly crash: Crash;
}

/** The clean run, which all others are compared with. */
interface Truth {
  readonly writes: readonly Numbered[];
  readonly live: readonly string[];
  readonly had: EverHad;
}

describe.each(hostsOfToday)("%s host", (host) => {
  let emulator: Emulator;
  let crashing: CrashingStack;
  let operations: readonly CrashOperation[];
  /** What each operation begins with. */
  const before = new Map<string, Moment>();
  const truths = new Map<string, Truth>();
  let [points, possible, unreached] = [0, 0, 0];

  beforeAll(async () => {
    emulator = await startEmulator();
    crashing = await CrashingStack.start(host, emulator);
    operations = await operationsOf(host);
    const [up, ...others] = operations as [CrashOperation, ...CrashOperation[]];
    before.set(up.name, await crashing.save());
    truths.set(up.name, await truthOf(up));
    for (const { name } of others) before.set(name, await crashing.save());
  });
  afterAll(async () => {
    await crashing.stop();
    await emulator.close();
    process.stdout.write(
      `crashes, ${host} host: ${points} of ${possible} points, ${unreached} of them without the write, seed ${seed}\n`,
    );
  });

  async function begin({ name, program }: CrashOperation): Promise<void> {
    await crashing.restore(before.get(name) as Moment);
    await crashing.stack.write({ text: program });
  }

  async function truthOf(operation: CrashOperation): Promise<Truth> {
    const { service, stack } = crashing;
    await begin(operation);
    const atFirst = service.access();
    done(await stack.run(...operation.command));
    const writes = numbered(service.lying.writes());
    return { writes, live: service.live(), had: everHad([atFirst, ...service.history]) };
  }

  async function problemsOf(operation: CrashOperation, { row, nth, crash }: Point, truth: Truth): Promise<string[]> {
    const { service, stack } = crashing;
    await begin(operation);
    const atFirst = service.access();
    let end: Promise<void> | undefined;
    const removeHook = service.lying.on(row, async (exchange) => {
      if (exchange.nth !== nth || end) return undefined;
      const answer = crash.made ? await exchange.forward() : undefined;
      end = crash.end(crashing, exchange.closed);
      await end;
      return crash.inOrder ? answer : cutConnection;
    });
    const crashed = await crashing.start(...operation.command);
    removeHook();
    // The command ends before the provider has noticed that its engine is gone.
    await end;
    await crashing.endLeftovers();
    if (!end) {
      unreached++;
      done(crashed);
    }
    const problems = await recover(crashing, operation, crash);
    if (operation.name !== "destroy") {
      const preview = await stack.preview("--expect-no-changes");
      if (preview.status !== 0) problems.push(`the next preview changes something:\n${preview.output}`);
    } else if ((await stack.resources()).length > 0) problems.push("resources are left in the state");
    problems.push(...differencesIn(service.live(), truth.live));
    problems.push(...lossesInHistory([atFirst, ...service.history], truth.had));
    if (problems.length > 0) problems.push(`what was printed at the crash:\n${crashed.output}`);
    return problems;
  }

  it.each(["up", "update", "destroy"] as const)("%s", async (name) => {
    const prefix = `${host} ${name}: `;
    const hasChosenPoint = prefix.startsWith(chosen) || chosen.startsWith(prefix);
    if (!hasChosenPoint) return;
    const operation = operations.find((one) => one.name === name) as CrashOperation;
    const truth = truths.get(name) ?? (await truthOf(operation));
    const all = pointsOf(host, operation, truth.writes);
    possible += all.length;
    const end = performance.now() + (every ? Number.POSITIVE_INFINITY : 8_000);
    const wrong: string[] = [];
    for (const point of inTurn(all.filter(({ name }) => name.startsWith(chosen)))) {
      points++;
      const problems = await problemsOf(operation, point, truth).catch((error: Error) => [String(error.stack)]);
      if (problems.length > 0)
        wrong.push(`CRASHES="${point.name}" npm run test:faults -- crashes\n  ${problems.join("\n  ")}`);
      if (performance.now() > end) break;
    }
    expect(wrong.join("\n")).toBe("");
  });
});

function pointsOf(host: Host, operation: CrashOperation, writes: readonly Numbered[]): Point[] {
  return writes.flatMap(({ row, nth }) =>
    crashes.map((crash) => ({ name: `${host} ${operation.name}: ${row} ${nth}: ${crash.name}`, row, nth, crash })),
  );
}

/** Does what the guide says, until the command succeeds. Returns what went wrong. */
async function recover(
  crashing: CrashingStack,
  operation: CrashOperation,
  { inOrder = false }: Crash,
): Promise<string[]> {
  const { stack } = crashing;
  await stack.removeEmptyAttributes();
  const locked = await crashing.isLocked();
  const pending = await crashing.pendingOperations();
  if (inOrder && (locked || pending.length > 0))
    return [`${locked ? "a lock and " : ""}${JSON.stringify(pending)} remain`];
  if (locked) done(await stack.run("cancel", "--yes"));
  if (pending.some(({ type }) => type === "creating")) done(await stack.refresh("--clear-pending-creates"));
  const first = await stack.run(...operation.command);
  if (first.status === 0) return [];
  // A refusal names all objects, and the engine prints it twice. So another list is one of a second refusal.
  const lists = new Set([...first.output.matchAll(/DOCS_TAKE_OVER=(\S+) /g)].map(([, ids]) => ids));
  const [toTakeOver, ...ofSecondRefusal] = lists;
  if (inOrder || toTakeOver === undefined || ofSecondRefusal.length > 0)
    return [`the command fails afterwards:\n${first.output}`];
  stack.environment.DOCS_TAKE_OVER = toTakeOver;
  const { status, output } = await stack.run(...operation.command);
  delete stack.environment.DOCS_TAKE_OVER;
  return status === 0 ? [] : [`the command fails with DOCS_TAKE_OVER=${toTakeOver}:\n${output}`];
}
