import { describe, expect, it } from "vitest";
import { createClient } from "../../provider/api/client";
import { endpoints, type RowName } from "../../provider/api/endpoints";
import { isList, methodOf } from "../../provider/api/schema/endpoint";
import * as definitions from "../../provider/definitions";
import { type Emulator, type ReadLag, startEmulator } from "../../provider/emulator";
import { ResourceHandler } from "../../provider/lifecycle/handler";
import type { ResourceName } from "../../provider/resources/names";
import type { Properties } from "../../provider/run/properties";
import { Run } from "../../provider/run/run";
import { objectAt, withExisting, withoutItem } from "../faults/faults";
import { latest, rows, seedOfVersion } from "../states/everything";
import { TestClock } from "../support/clock";
import { type Hook, LyingService, type RecordedRequest } from "../support/lying-service";
import { settingsOf } from "../support/settings";

/**
 * Every resource under a service that lies. A clean run of each operation tells which requests it makes; then each of them
 * lies in each way that its row allows. A lie makes no difference, or it is an error: never a success that is not true.
 */

const names = Object.keys(definitions) as ResourceName[];

const rowOf = (name: ResourceName) => rows.find(({ resource }) => resource === name) ?? expect.unreachable(name);
const freshOf = (name: ResourceName) => rowOf(name).fresh ?? expect.unreachable(name);

it("has a row with a change for every resource", () => {
  expect(names.filter((name) => rows.find(({ resource }) => resource === name)?.change === undefined)).toEqual([]);
});

type Operation = "read" | "update" | "delete" | "create" | "create again";
type Handler = Pick<ResourceHandler, "read" | "update" | "delete" | "create">;

interface Attempt {
  /** What the operation returned, or its error. */
  readonly result?: unknown;
  readonly error?: Error;
  readonly requests: readonly RecordedRequest[];
}

let services = 0;

/** Carries out the operation on a service and an organization of its own: nothing that this process remembers is about it. */
async function attempt(
  name: ResourceName,
  operation: Operation,
  lie?: { rows: readonly RowName[]; hook: Hook<RowName> },
  readLag: ReadLag = {},
) {
  const clock = new TestClock();
  const organizationId = `acme_${++services}`;
  const { acme = { title: "Acme" } } = (await seedOfVersion(latest)).organizations;
  const seed = { organizations: { [organizationId]: acme } };
  const emulator = await startEmulator({ organizationId, seed, now: clock.date, readLag });
  const lying = await LyingService.start(emulator.url);
  try {
    Object.assign(process.env, settingsOf(emulator), { DOCS_BASE_URL: lying.url });
    if (operation === "create again") await createdByAnother(name, emulator);
    const state = operation.startsWith("create") ? { id: "", props: {} } : await recorded(name, clock);
    // The same address in another spelling: a client that knows nothing of what was read.
    process.env.DOCS_BASE_URL = `${lying.url}/`;
    lying.forget();
    for (const row of lie?.rows ?? []) lying.on(row, lie?.hook ?? expect.unreachable());
    return await outcome(operate(name, operation, state, clock), lying);
  } finally {
    await lying.close();
    await emulator.close();
  }
}

/** What another process has created, and this one does not know. */
async function createdByAnother(name: ResourceName, { url: baseUrl, token, organizationId }: Emulator): Promise<void> {
  const client = createClient({ baseUrl, token });
  await freshOf(name).create(client, organizationId);
  await client.close();
}

const handlerFor = (name: ResourceName, clock: TestClock): Handler =>
  new ResourceHandler(definitions[name], { run: new Run({ patience: 20, clock }) });

async function recorded(name: ResourceName, clock: TestClock): Promise<{ id: string; props: Properties }> {
  const { id, declares } = rowOf(name);
  const { props = {} } = await handlerFor(name, clock).read(id, declares);
  return { id, props };
}

async function operate(
  name: ResourceName,
  operation: Operation,
  { id, props }: { id: string; props: Properties },
  clock: TestClock,
) {
  const handler = handlerFor(name, clock);
  const { declares, change } = rowOf(name);
  if (operation.startsWith("create")) return (await handler.create(freshOf(name).declares)).outs;
  if (operation === "update") return (await handler.update(id, props, { ...declares, ...change })).outs;
  if (operation === "delete") return handler.delete(id, props);
  return (await handler.read(id, props)).props;
}

async function outcome(work: Promise<unknown>, lying: LyingService): Promise<Attempt> {
  try {
    return { result: await work, requests: lying.requests() };
  } catch (error) {
    return { error: error as Error, requests: lying.requests() };
  }
}

interface Lie {
  readonly name: string;
  /** Whether the operation must end as if the service had told the truth, or with an error. */
  readonly demands: "the truth" | "an error";
  readonly hook: Hook<RowName>;
}

/** A copy in which each text is another one. */
function mapped<T>(value: T, text: (text: string) => string): T {
  if (typeof value === "string") return text(value) as T;
  if (Array.isArray(value)) return value.map((one) => mapped(one, text)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapped(inner, text)])) as T;
}

const idIn = (path: string): string => objectAt(path).split("/").at(-1) ?? "";

const anotherObject: Lie = {
  name: "answers with another object",
  demands: "an error",
  hook: async ({ request, forward }) => {
    const answer = await forward();
    return { ...answer, body: mapped(answer.body, (text) => (text === idIn(request.path) ? `${text}-other` : text)) };
  },
};

/** Forwards a reading of the object in place of the write. */
const unchanged: Lie = {
  name: "answers with success and changes nothing",
  demands: "an error",
  hook: ({ request, forward }) => {
    Object.assign(request, { method: "GET", path: objectAt(request.path), body: undefined });
    return forward();
  },
};

const nothingDeleted = [204, 202, 200].map((status): Lie => {
  return { name: `answers ${status} and deletes nothing`, demands: "an error", hook: () => ({ status }) };
});

const existing: Lie = {
  name: "answers a creation with what existed before",
  demands: "an error",
  hook: withExisting,
};

const unfiltered: Lie = {
  name: "ignores the filter of a list",
  demands: "the truth",
  hook: ({ request: { query } }) => {
    for (const key of [...query.keys()]) if (!["page", "limit"].includes(key)) query.delete(key);
  },
};

const shorterList = (index: number): Lie => {
  return { name: `omits item ${index} of a list`, demands: "the truth", hook: withoutItem(index) };
};

/** Rows whose answer says nothing of what was done; the next refresh shows it as drift. */
const mute = new Set<RowName>(["putTeamMember", "updateTeamMembers", "runTranslation", "sortSiteStructure"]);

/** The ways in which the request of a clean run can be lied about. */
function liesAbout(row: RowName, operation: Operation, query: Readonly<Record<string, string>>): Lie[] {
  const endpoint = endpoints[row];
  const method = methodOf(endpoint);
  if (isList(endpoint)) {
    const filtered = Object.keys(query).some((key) => !["page", "limit"].includes(key));
    // What a change does with people that a list omits is asserted in test/lifecycle/short-lists.test.ts.
    const omitting = operation === "read" ? [0, 1, 2, 3, 4].map(shorterList) : [];
    return [...(filtered ? [unfiltered] : []), ...omitting];
  }
  if (method === "DELETE" || (row === "updateTeamMembers" && operation === "delete")) return nothingDeleted;
  if (mute.has(row)) return [];
  if ("status" in endpoint && endpoint.status === 201) return [existing];
  const answersId = !["getSiteAdaptiveSchema", "putSiteAdaptiveSchema", "getPublishedSite"].includes(row);
  return [...(answersId ? [anotherObject] : []), ...(method === "GET" ? [] : [unchanged])];
}

const operationsOf = (name: ResourceName): Operation[] =>
  rowOf(name).fresh ? ["read", "update", "delete", "create"] : ["read", "update", "delete"];

const lags = { "on time": {}, "late reads": { all: 10_000 }, "late lists": { lists: 10_000 } } as const;

describe.each(names)("%s under lies", (name) => {
  const cases = operationsOf(name).flatMap((operation) =>
    Object.entries(lags).map(([late, lag]) => ({ operation, late, lag })),
  );
  it.each(cases)("$operation, $late", async ({ operation, lag }) => {
    const truth = await attempt(name, operation, undefined, lag);
    expect(truth.error).toBeUndefined();
    const made = new Map(truth.requests.map((request) => [request.row, request]));
    const believed: string[] = [];
    for (const [row, { query }] of made) {
      if (row === undefined) continue;
      for (const { name: lie, demands, hook } of liesAbout(row, operation, query)) {
        const { error, result, requests } = await attempt(name, operation, { rows: [row], hook }, lag);
        const stray = requests.filter(({ path }) => path.includes("-other")).map(({ path }) => path);
        const right = demands === "an error" ? error !== undefined : sameAs(result, truth.result);
        if (!right || stray.length > 0) believed.push(`${row} ${lie}: ${error?.message ?? "success"} ${stray}`);
      }
    }
    expect(believed).toEqual([]);
  });
});

const allRows = Object.keys(endpoints) as RowName[];

/** Lengths of a text before the token: wherever a message is shortened, one of them lets the token be cut. */
const fillers = [0, 30, 66, 140, 186, 470, 490].map((length) => "x".repeat(length));

/** The Authorization header in an error, and where the schema wants a text or a number. */
const echoes = (filler: string): Hook<RowName>[] => [
  ({ request }) => ({
    status: 400,
    body: { error: { code: 400, message: `${filler} ${request.headers.authorization}` } },
  }),
  async ({ request, forward }) => {
    const { status, headers } = await forward();
    const echo = `${filler}${request.headers.authorization}`;
    return { status, headers, body: { items: [{ id: 1, object: echo }], next: { page: echo }, id: 1, object: echo } };
  },
];

describe.each(names)("%s", (name) => {
  it("never shows the token that a service repeats", async () => {
    const truth = await attempt(name, "read");
    const asked = [...new Set(truth.requests.flatMap(({ row }) => row ?? []))];
    for (const hook of fillers.flatMap(echoes)) {
      const { error } = await attempt(name, "read", { rows: asked, hook });
      const token = process.env.DOCS_TOKEN ?? "";
      const shown = `${error?.message} ${error?.stack} ${JSON.stringify(error)}`;
      for (let at = 0; at + 10 <= token.length; at++) expect(shown).not.toContain(token.slice(at, at + 10));
    }
  });
});

it("names the role that the service did not set, and the one that it still has", async () => {
  const { error } = await attempt("MemberRole", "update", { rows: ["updateMember"], hook: unchanged.hook });
  expect(error?.message).toHaveWording("a role that the service did not set");
});

/** A resource that is read alone, and one that is read with its list. */
it.each(["Site", "TeamMembers"] as const)("%s ends at the deadline if the answers are slow", async (name) => {
  process.env.DOCS_DEADLINE = "1";
  const begun = Date.now();
  const trickling: Hook<RowName> = async ({ forward }) => ({ ...(await forward()), manner: { every: 200 } });
  try {
    const { error } = await attempt(name, "read", { rows: allRows, hook: trickling });
    expect(error?.message).toMatch(/within 1 s|deadline/);
    expect(Date.now() - begun).toBeLessThan(15_000);
  } finally {
    delete process.env.DOCS_DEADLINE;
  }
});

describe.each(names.filter((name) => rowOf(name).fresh))("%s that a killed up has created", (name) => {
  it.each([-26, 26])("is found, if the clock of the service is %i hours off", async (hours) => {
    const off: Hook<RowName> = async ({ forward }) => {
      const answer = await forward();
      answer.headers.date = new Date(Date.now() + hours * 3_600_000).toUTCString();
      return answer;
    };
    expect((await attempt(name, "create", { rows: allRows, hook: off })).error).toBeUndefined();
    const { error, requests } = await attempt(name, "create again", { rows: allRows, hook: off });
    expect(error?.message).toMatch(/already exists: /);
    expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});

/** Whether two results are equal, apart from what differs in each attempt: the organization, times and the port. */
const sameAs = (result: unknown, truth: unknown): boolean => {
  const text = (value: unknown) =>
    JSON.stringify(value)
      ?.replace(/acme_\d+/g, "acme")
      .replace(/"at":\d+/g, "")
      .replace(/127.0.0.1:\d+/g, "host");
  return result !== undefined && text(result) === text(truth);
};
