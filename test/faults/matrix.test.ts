import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Semaphore } from "async-mutex";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writePlan } from "../../provider/access/plan-file";
import { endpoints } from "../../provider/api/endpoints";
import { isRead } from "../../provider/api/schema/endpoint";
import * as definitions from "../../provider/definitions";
import { type Emulator, type ReadLag, startEmulator } from "../../provider/emulator";
import type { ResourceName } from "../../provider/resources/names";
import { readPreview, reviewOf } from "../../provider/review";
import { planOf } from "../../provider/review/plan/plan";
import { shortenPauses } from "../support/fast-timers";
import { host } from "../support/provider";
import { hostOf, inTurn, seed } from "../support/today";
import type { Notes } from "./component";
import { deadline, type Fault, faultsOf, type Numbered, numbered } from "./faults";
import { differencesIn, type EverHad, everHad, lossesInHistory } from "./history";
import { previewOf } from "./preview";
import { componentType, type FaultOperation, faultProgram, type Subject } from "./programs";
import { type LiveAccess, Service } from "./service";
import { CommandFailed, FaultStack } from "./stack";

/**
 * Every resource, and all of them in one program, under every fault at every request of every operation. The operation runs with
 * the fault, once or until the deadline, and then again without it.
 *
 * FAULTS names the combinations to run, by the beginning of their name. Without it, every fault happens once in each operation of each
 * subject, with one of the hosts; the day decides with which, and at which request. FAULTS_SEED names another choice, and
 * EVERY_FAULT=1 takes all with both hosts.
 */

shortenPauses(20);
const chosen = process.env.FAULTS ?? "";
const everything = process.env.EVERY_FAULT === "1" || chosen !== "";
/** Seconds; longer than any command without a fault takes on a busy machine. */
const patient = 60;

interface Outcome {
  readonly service: Service;
  readonly stack: FaultStack;
  readonly before: LiveAccess;
  readonly failure: CommandFailed | undefined;
}

/** Runs the operation in an organization of its own; with a plan, as what was reviewed. */
async function attempt(
  subject: Subject,
  operation: FaultOperation,
  inject?: (service: Service) => () => void,
  { lag, isPlanned = false }: Pick<Combination, "lag" | "isPlanned"> = {},
): Promise<Outcome> {
  const service = await (lag ? Service.startLagging(lag.readLag) : Service.start(emulator));
  let seconds = patient;
  const { existing, declared } = faultProgram(subject, operation);
  let plan: NodeJS.ProcessEnv = {};
  const options = () => {
    const usual = service.options(seconds);
    return { ...usual, environment: { ...usual.environment, ...plan } };
  };
  const stack = new FaultStack(options, declared);
  await stack.record(existing);
  if (isPlanned) plan = { DOCS_PLAN: await planFileOf(stack, service, operation) };
  const before = service.access();
  service.history.length = 0;
  service.lying.forget();
  const removeFault = inject?.(service);
  if (inject) seconds = deadline;
  const failure = await carryOut(stack, operation);
  seconds = patient;
  removeFault?.();
  return { service, stack, before, failure };
}

let folder: string;
let plans = 0;

/** What the preview of a component says of present access: without it, a creation that lowers somebody is refused. */
function notesOf({ organizationId, organization: { members, teams } }: Service): Notes {
  const named = (userId: string) => ({ user: members.get(userId)?.email ?? userId, userId });
  const roles = [...members.values()].map(({ id, role }) => ({ ...named(id), level: role ?? "guest" }));
  const memberships = [...teams.values()].flatMap((team) =>
    [...team.members].map(([user, { role }]) => ({ ...named(user), team: team.id, level: role })),
  );
  const inputs = { review: { organization: organizationId, live: [...roles, ...memberships] } };
  return { type: "docs:index:Organization", name: "acme", inputs };
}

/** Writes the plan of the operation, as a review of its preview makes it. */
async function planFileOf(stack: FaultStack, service: Service, operation: FaultOperation): Promise<string> {
  const { organizationId, clock } = service;
  const { recorded } = stack;
  const resources = operation === "delete" ? [] : stack.resources;
  const changing = operation === "delete" ? [] : await stack.preview();
  const notes = operation === "create" ? [notesOf(service)] : [];
  const preview = readPreview(previewOf(recorded, { recorded, resources }, changing, notes), "a preview");
  const plan = planOf(reviewOf(preview, { organizationId }), clock?.date() ?? new Date());
  const file = path.join(folder, `plan-${++plans}.json`);
  await writeFile(file, writePlan(plan));
  return file;
}

async function carryOut(stack: FaultStack, operation: FaultOperation): Promise<CommandFailed | undefined> {
  try {
    if (operation === "delete") await stack.destroy();
    else if (operation === "read") await stack.refresh();
    else await stack.up();
    return undefined;
  } catch (error) {
    if (error instanceof CommandFailed) return error;
    throw error;
  }
}

/** How far reads lag behind writes: less than the settle time of 30 s, and more. Pauses take no time, so 2 s would be as 10 s. */
const lags = [10, 40].flatMap((seconds) =>
  (["all", "lists"] as const).map((reads) => ({
    name: `${reads === "all" ? "all reads" : reads} lag ${seconds} s`,
    readLag: { [reads]: seconds * 1_000 } as ReadLag,
    isTooLong: seconds > 30,
  })),
);
type Lag = (typeof lags)[number];

interface Combination extends Numbered {
  readonly name: string;
  readonly fault: Fault;
  readonly lasting: boolean;
  readonly lag?: Lag;
  /** Whether there is a reviewed plan of the operation. */
  readonly isPlanned?: boolean;
}

/** What a fault at a write leaves shows only in later reads. So one that happens once comes with reads that lag as well. */
function withLags(one: Combination): Combination[] {
  if (one.lasting || isRead(endpoints[one.row])) return [one];
  return [one, ...lags.map((lag) => ({ ...one, lag, name: `${one.name}, ${lag.name}` }))];
}

/** Adds the combination with a plan, except for reads, which need none, and if the lag is too long: no plan has the corrections. */
function withPlan(one: Combination, operation: FaultOperation): Combination[] {
  if (operation === "read" || one.lag?.isTooLong) return [one];
  return [one, { ...one, isPlanned: true, name: `${one.name}, with a plan` }];
}

function combinationsOf(subject: Subject, operation: FaultOperation, requests: readonly Numbered[]): Combination[] {
  const all = requests.flatMap(({ row, nth }) =>
    faultsOf(row).flatMap((fault) =>
      [false, true].flatMap((lasting) => {
        const name = `${subject} ${operation}: ${row} ${nth}: ${fault.name}, ${lasting ? "until the deadline" : "once"}`;
        return withLags({ name, row, nth, fault, lasting }).flatMap((one) => withPlan(one, operation));
      }),
    ),
  );
  return inTurn(all.filter((one) => one.name.startsWith(chosen)));
}

/** The first combination with each fault whose turn it is with this host; the other host has the other faults. */
function oneOfEach(all: readonly Combination[]): Combination[] {
  const firsts = [...new Map(all.toReversed().map((one) => [one.fault.name, one])).values()];
  return firsts.filter(({ fault: { name } }) => hostOf(createHash("sha1").update(name).digest()[0] ?? 0) === host);
}

/** Injects the fault from the nth request of the row on. */
function injecting({ row, nth, fault, lasting }: Combination) {
  let injected = 0;
  const most = lasting ? (fault.most ?? Number.POSITIVE_INFINITY) : 1;
  const begin = (service: Service) =>
    service.lying.on(row, (exchange) => {
      if (exchange.nth < nth || injected >= most) return undefined;
      injected++;
      return fault.hook(exchange);
    });
  return { begin, happened: () => injected > 0 };
}

/** The clean run, which all others are compared with. */
interface Truth {
  readonly requests: readonly Numbered[];
  readonly live: readonly string[];
  readonly after: LiveAccess;
  readonly had: EverHad;
}

async function truthOf(subject: Subject, operation: FaultOperation): Promise<Truth> {
  const outcome = await attempt(subject, operation);
  const { service, stack, before, failure } = outcome;
  expect(failure).toBeUndefined();
  const requests = numbered(outcome.service.lying.requests());
  const had = everHad([before, ...service.history]);
  if (operation !== "delete") expect(await stack.preview()).toEqual([]);
  const truth = { requests, live: service.live(), after: service.access(), had };
  await service.stop();
  return truth;
}

/** Runs the operation with the fault, and then without; returns what is wrong. */
async function problemsOf(
  subject: Subject,
  operation: FaultOperation,
  one: Combination,
  truth: Truth,
): Promise<string[]> {
  const injection = injecting(one);
  const { service, stack, before, failure } = await attempt(subject, operation, injection.begin, one);
  if (!injection.happened()) unreached++;
  const problems: string[] = [];
  try {
    for (const { message } of failure?.errors ?? []) if (unclear(message)) problems.push(`not clear: ${message}`);
    const converge = async () => {
      const found = await recover(stack, service, operation, one.lasting ? "the variable" : "the import");
      return [...found, ...(await previewed(stack, operation)), ...differencesIn(service.live(), truth.live)];
    };
    const found = (await converge()).filter((problem) => !notYet.test(problem));
    if (!one.lag?.isTooLong) problems.push(...found);
    if (one.lag) problems.push(...(await inTheEnd(service, one.lag, operation, converge)));
    problems.push(...lossesInHistory([before, ...service.history], truth.had));
  } catch (error) {
    problems.push(String((error as Error).stack));
  } finally {
    await service.stop();
  }
  return problems;
}

/** What the preview after the operation should not show, or why it failed. */
async function previewed(stack: FaultStack, operation: FaultOperation): Promise<string[]> {
  if (operation === "delete") return [];
  try {
    const changes = await stack.preview();
    return changes.length > 0 ? [`the next preview changes ${changes}`] : [];
  } catch (error) {
    return [`without the fault: ${(error as Error).message}`];
  }
}

/**
 * What is wrong 100 s later, when reads show everything. With a lag beyond the settle time, older values look like drift, which one
 * more run corrects. A new object may look gone, and be created twice.
 */
async function inTheEnd(
  { clock }: Service,
  { isTooLong }: Lag,
  operation: FaultOperation,
  converge: () => Promise<string[]>,
): Promise<string[]> {
  if (isTooLong) {
    await clock?.sleep(100_000);
    await converge();
  }
  await clock?.sleep(100_000);
  const wrong = await converge();
  return isTooLong && operation === "create" ? wrong.filter((problem) => !surplus.test(problem)) : wrong;
}

/**
 * Runs the command again, and follows what it says about objects that an interrupted run may have created: `pulumi import`, or
 * `DOCS_TAKE_OVER`, which takes over several at once.
 */
async function recover(
  stack: FaultStack,
  service: Service,
  operation: FaultOperation,
  follow: "the import" | "the variable",
): Promise<string[]> {
  for (let tries = 1; ; tries++) {
    const failure = await carryOut(stack, operation);
    if (failure === undefined) return [];
    const named = failure.errors.flatMap(({ message }) => /DOCS_TAKE_OVER=(\S+) /.exec(message)?.[1] ?? []).join();
    if (tries === 3 || named === "") return [`without the fault: ${failure.message}`];
    if (follow === "the variable" || named.includes(",")) service.takeOver = named;
    else await stack.importDeclared(named);
  }
}

/** What a list that lags may say of a deleted object: the run refuses to take it for deleted, and repeating it later does. */
const notYet = /^without the fault: .*still contains it, so it is not treated as deleted; try again/s;
const surplus = /^live, and should not be: \{/;

/** A failed request: what was attempted on which object, what was answered, and what to do. */
const failedRequest =
  /could not [a-z][^:]*: (no answer from|the service|the body of the answer).*(try again|check |look for|says what to do)/is;
/** A refusal: the object, and what to do. */
const refusal =
  /(\b(user|team|site|saml|translation|faults)_\w+|@acme\.test|"Another").*(run |check |make |declare |see |publish |review |people become )/s;

const unclear = (message: string): boolean => !(message.includes("could not ") ? failedRequest : refusal).test(message);

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
  folder = await mkdtemp(path.join(tmpdir(), "docs-org-plans-"));
});
let [combinations, possible, unreached] = [0, 0, 0];
afterAll(async () => {
  await emulator.close();
  await rm(folder, { recursive: true });
  process.stdout.write(
    `faults, ${host} host: ${combinations} of ${possible} combinations, ${unreached} of them without the request, seed ${seed}\n`,
  );
});

const subjects: readonly Subject[] = [...(Object.keys(definitions) as ResourceName[]), componentType];

/** Most of the time of an attempt is waiting. */
const attempts = new Semaphore(48);
/** How many combinations of a subject and an operation run or wait for their turn at once. */
const lanes = 4;

describe.concurrent.each(subjects)("%s", (subject) => {
  it.concurrent.each(["create", "read", "update", "delete"] as const)("%s", async (operation) => {
    const truth = await attempts.runExclusive(() => truthOf(subject, operation));
    const all = combinationsOf(subject, operation, truth.requests);
    const some = everything ? [...all] : oneOfEach(all);
    // A host has at least four of the faults that any request can get.
    if (!everything) expect(some.length).toBeGreaterThanOrEqual(Math.min(4, all.length));
    possible += all.length;
    combinations += some.length;
    const wrong: string[] = [];
    const next = async (): Promise<void> => {
      const one = some.shift();
      if (!one) return;
      const problems = await attempts.runExclusive(() => problemsOf(subject, operation, one, truth));
      if (problems.length > 0)
        wrong.push(`FAULTS="${one.name}" npm run test:faults -- matrix\n  ${problems.join("\n  ")}`);
      await next();
    };
    await Promise.all(Array.from({ length: lanes }, next));
    expect(wrong.join("\n")).toBe("");
  });
});
