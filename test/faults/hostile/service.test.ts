import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { endpoints, type RowName } from "../../../provider/api/endpoints";
import * as definitions from "../../../provider/definitions";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import type { ResourceName } from "../../../provider/resources/names";
import { shortenPauses } from "../../support/fast-timers";
import { serve } from "../../support/http-server";
import { holds } from "../cases";
import { deadline as shortDeadline } from "../faults";
import { componentType, type FaultOperation, faultProgram, type Subject } from "../programs";
import { Service } from "../service";
import { CommandFailed, FaultStack } from "../stack";
import { leaksOf } from "./leaks";
import { lies } from "./lies";

/** Every operation of every resource, with a service that means harm in every answer, or in those of one row. */

shortenPauses(20);

let emulator: Emulator;
let elsewhere: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  emulator = await startEmulator();
  elsewhere = await serve((response) =>
    response.writeHead(200, { "content-type": "application/json" }).end('{"items":[]}'),
  );
});
afterAll(async () => {
  await elsewhere.close();
  await emulator.close();
});

const subjects: readonly Subject[] = [...(Object.keys(definitions) as ResourceName[]), componentType];
const operations: readonly FaultOperation[] = ["create", "read", "update", "delete"];
const rows = Object.keys(endpoints) as RowName[];

const toldLies = lies.flatMap(({ name, operations: some = operations }) =>
  some.map((operation) => ({ lie: name, operation })),
);

const cases = fc.record({
  subject: fc.constantFrom(...subjects),
  told: fc.constantFrom(...toldLies),
  /** The nth of the rows that the operation asks; all of them without a number. */
  only: fc.option(fc.nat(10)),
});

/** The rows that an operation asks, in a run without a lie; and what it leaves. */
const clean = new Map<
  string,
  Promise<{ readonly rows: readonly RowName[]; readonly has: Readonly<Record<string, string>> }>
>();
function cleanRun(subject: Subject, operation: FaultOperation) {
  const key = `${subject} ${operation}`;
  const known = clean.get(key);
  if (known) return known;
  const run = attempt(subject, operation, []).then(async ({ service, failure, asked }) => {
    expect(failure).toBeUndefined();
    const has = service.access();
    await service.stop();
    return { rows: asked, has };
  });
  clean.set(key, run);
  return run;
}

async function attempt(subject: Subject, operation: FaultOperation, lying: readonly RowName[], lie = "") {
  const service = await Service.start(emulator);
  const { existing, declared } = faultProgram(subject, operation);
  let seconds = 60;
  const stack = new FaultStack(() => service.options(seconds), declared);
  await stack.record(existing);
  const before = service.access();
  service.history.length = 0;
  service.lying.forget();
  if (lie) seconds = shortDeadline;
  const { hook } = lies.find(({ name }) => name === lie) ?? {};
  const ends = hook ? lying.map((row) => service.lying.on(row, hook(elsewhere.url))) : [];
  const start = performance.now();
  const commands = { create: "up", read: "refresh", update: "up", delete: "destroy" } as const;
  const failure: unknown = await stack[commands[operation]]().catch((error: unknown) => error);
  const took = performance.now() - start;
  for (const end of ends) end();
  const asked = [...new Set(service.lying.requests().flatMap(({ row }) => row ?? []))];
  return { service, stack, before, failure, took, asked };
}

/** What no message may have: control characters, characters that hide or turn text, and faults of this program. */
const unescaped = /[^\P{Cc}\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const faulty =
  /TypeError|RangeError|Cannot read|is not a function|is not iterable|Maximum call stack|\[object Object\]/;
/** Longer than the deadline, because a command has several phases, and a machine may be busy. */
const mostSeconds = 60;

it("that means harm changes nothing that was not declared, learns nothing, and never hangs", async () => {
  let [failed, went] = [0, 0];
  const counts = () => `, ${failed} ended with an error, ${went} went on`;
  await holds(
    { title: "hostile services", cases: { dynamic: 400, plugin: 120 }, lanes: 8, counts },
    fc.asyncProperty(cases, async ({ subject, told: { lie, operation }, only }) => {
      const truth = await cleanRun(subject, operation);
      const lying = only === null ? rows : [truth.rows[only % truth.rows.length] as RowName];
      const received = elsewhere.received.length;
      const { service, stack, before, failure, took } = await attempt(subject, operation, lying, lie);
      try {
        expect(took).toBeLessThan(mostSeconds * 1000);
        expect(elsewhere.received.length).toBe(received);
        const inOrganization = `/orgs/${service.organizationId}/`;
        expect(service.lying.writes().filter(({ path }) => !path.includes(inOrganization))).toEqual([]);
        if (failure === undefined) went++;
        else {
          failed++;
          expect(failure).toBeInstanceOf(CommandFailed);
          const { message } = failure as CommandFailed;
          expect(message).not.toMatch(unescaped);
          expect(message).not.toMatch(faulty);
        }
        const written = `${stack.printed} ${JSON.stringify([...stack.recorded])} ${failure}`;
        expect(leaksOf(emulator.token, written)).toEqual([]);
        expect(stack.printed).not.toMatch(unescaped);
        expect(Reflect.get({}, "polluted")).toBeUndefined();
        const access = service.access();
        const wrong = Object.keys({ ...before, ...access }).filter(
          (key) => ![before[key], truth.has[key]].includes(access[key]),
        );
        expect(wrong.map((key) => `${key}: ${before[key]} became ${access[key]}`)).toEqual([]);
        expect(Object.entries(access).some(([key, role]) => key.startsWith("role of ") && role === "admin")).toBe(true);
      } finally {
        await service.stop();
      }
    }),
  );
});
