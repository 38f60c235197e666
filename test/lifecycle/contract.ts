import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../provider/api/client";
import * as definitions from "../../provider/definitions";
import { type Emulator, type EmulatorOptions, type State, startEmulator } from "../../provider/emulator";
import type { MemberRecord } from "../../provider/emulator/members/record";
import { type AnyDefinition, metaOf } from "../../provider/lifecycle/definition";
import type { ResourceName } from "../../provider/resources/names";
import { pick, propertiesIn, unknownValue } from "../../provider/run/properties";
import { LyingService } from "../support/lying-service";
import { PluginProvider } from "../support/plugin-provider";
import type { Properties } from "../support/protocol-provider";
import { type ProviderOptions, startProvider } from "../support/provider";
import { configOf } from "../support/settings";

/** A write as it went over the wire. */
export type Write = readonly [method: string, path: string, body?: unknown];

export interface PropertyCase {
  readonly name: string;
  /** Another value. Left out, with `writes`, if the property has one value only. */
  readonly to?: unknown;
  /** The only writes that bring the change about; `{id}` stands for the resource's id. */
  readonly writes?: readonly Write[];
  /** The only writes that bring the declared value back after the drift. */
  readonly corrects: readonly Write[];
  /** Changes the live property to something else, outside Pulumi. */
  readonly drift: (client: Client, id: string, state: State) => PromiseLike<unknown>;
}

/** Cases of properties that a PATCH sets by their names: with another value, and what somebody sets outside Pulumi. */
export const patchedAt =
  (path: string, inputs: Properties, edit: (body: never) => PropertyCase["drift"]) =>
  (name: string, to: unknown, elsewhere: unknown): PropertyCase => ({
    name,
    to,
    writes: [["PATCH", path, { [name]: to }]],
    corrects: [["PATCH", path, { [name]: inputs[name] }]],
    drift: edit({ [name]: elsewhere } as never),
  });

export interface ContractCase {
  readonly resource: string;
  /** What is declared: every property that a case below changes, and the ones it needs. */
  readonly inputs: Properties;
  readonly properties: readonly PropertyCase[];
  /** Deletes it outside Pulumi; omitted if the API cannot delete it. */
  readonly vanish?: (client: Client, id: string) => PromiseLike<unknown>;
  /** Properties that differ from one reading to the next without anybody's doing. */
  readonly volatile?: readonly string[];
  /** Inputs that nothing at the service can change, each with the reason; all others that are read need a case. */
  readonly withoutDrift?: Readonly<Record<string, string>>;
}

/**
 * Inputs that are read and have no case: a new one that the emulator does not answer would be a difference for ever, and
 * no test would show it. Properties that replace the resource need no case. They must be declared, so that they are read back.
 */
export function inputsWithoutCase(definition: AnyDefinition, cases: readonly ContractCase[]): string[] {
  const covered = cases.flatMap(({ properties, withoutDrift = {} }) => [
    ...properties.map(({ name }) => name),
    ...Object.keys(withoutDrift),
  ]);
  const declared = cases.flatMap(({ inputs }) => Object.keys(inputs));
  return Object.keys(definition.inputs.shape).filter((name) => {
    const { unread, option, replacesUnlessLive } = metaOf(definition, name) ?? {};
    if (name === "organizationId" || unread !== undefined || option) return false;
    return !(replacesUnlessLive ? declared : covered).includes(name);
  });
}

type BenchOptions = EmulatorOptions & Pick<ProviderOptions, "patience">;

/** Starts an emulator and a provider that is configured for it, through a proxy in which the service may lie. */
export async function startLyingBench(resource: string, { patience, ...options }: BenchOptions = {}) {
  const emulator = await startEmulator(options);
  const lying = await LyingService.start(emulator.url);
  const bench = await benchAt(resource, emulator, lying.url, patience);
  const { stop } = bench;
  return Object.assign(bench, { lying, stop: () => stop().finally(() => lying.close()) });
}

/** Starts an emulator and a provider that is configured for it. */
export async function startBench(resource: string, { patience, ...options }: BenchOptions = {}) {
  const emulator = await startEmulator(options);
  return benchAt(resource, emulator, emulator.url, patience);
}

async function benchAt(resource: string, emulator: Emulator, address: string, patience?: number) {
  const { url: baseUrl, token, organizationId } = emulator;
  const config = { ...configOf(emulator), "docs:baseUrl": address };
  const start = (environment: NodeJS.ProcessEnv = {}) =>
    startProvider(resource, { config, environment, ...(patience && { patience }) });
  const client = createClient({ baseUrl, token });
  /** Returns the writes since the last call, and empties the log. */
  const takeWrites = () => {
    const made = emulator.log.filter(({ method }) => method !== "GET");
    emulator.resetRequests();
    return made.map(({ method, path, body }): Write => (body === undefined ? [method, path] : [method, path, body]));
  };
  const bench = {
    emulator,
    client,
    takeWrites,
    provider: await start(),
    get organization() {
      return emulator.state.organizations.get(organizationId) ?? expect.unreachable();
    },
    person: (userId: string) => bench.organization.members.get(userId) ?? expect.unreachable(userId),
    /** Gives a person other values, outside Pulumi. */
    changePerson: (userId: string, values: Partial<MemberRecord>) =>
      bench.organization.members.set(userId, { ...bench.person(userId), ...values }),
    start,
    /** Another run, which does not know what the resources of the last one manage. */
    async anotherRun() {
      await bench.provider.stop();
      bench.provider = await start();
    },
    /** The engine checks each declared resource first; from then on, the run knows what it manages. */
    check: (inputs: Properties) => bench.provider.check({}, inputs),
    async create(inputs: Properties) {
      await bench.check(inputs);
      return bench.provider.create(inputs);
    },
    /** Created by one run, and left to another. */
    async created(inputs: Properties) {
      const made = await bench.create(inputs);
      await bench.anotherRun();
      takeWrites();
      return made;
    },
    async update(id: string, state: Properties, inputs: Properties) {
      await bench.check(inputs);
      return bench.provider.update(id, state, inputs);
    },
    /** Waits until the provider has told the user something, in a line with this wording. */
    async told(words: RegExp, title?: string) {
      const complete = () => bench.provider.stderr.split("\n").slice(0, -1);
      const told = () => complete().find((line) => words.test(line));
      await expect.poll(told, { timeout: 10_000 }).toMatch(words);
      if (title) expect(told()).toHaveWording(title);
    },
    async stop() {
      await bench.provider.stop();
      await client.close();
      await emulator.close();
    },
  };
  return bench;
}

/** What is true for every resource. Test files hold only what is special about theirs; inputs that exclude each other take a case each. */
export function lifecycleContract(...cases: readonly [ContractCase, ...ContractCase[]]): void {
  it(`${cases[0].resource} has a case for each input that can be read`, () => {
    const definition: AnyDefinition = definitions[cases[0].resource as ResourceName];
    expect(inputsWithoutCase(definition, cases), "inputs without a drift case").toEqual([]);
    const stale = cases.flatMap(({ withoutDrift = {}, properties }) =>
      Object.keys(withoutDrift).filter(
        (name) => !definition.inputs.shape[name] || properties.some((one) => one.name === name),
      ),
    );
    expect(stale).toEqual([]);
    const compared = Object.keys(definition.equal ?? {});
    expect(compared.filter((name) => !cases.some(({ inputs }) => name in inputs))).toEqual([]);
  });
  for (const subject of cases) keepsContract(subject);
}

function keepsContract(subject: ContractCase): void {
  describe(`${subject.resource} keeps the lifecycle contract`, () => {
    const definition: AnyDefinition = definitions[subject.resource as ResourceName];
    let bench: Awaited<ReturnType<typeof startBench>>;
    let id: string;
    let state: Properties;

    beforeAll(async () => {
      bench = await startBench(subject.resource);
    });
    afterAll(() => bench.stop());

    beforeEach(async () => {
      if (id) await bench.provider.delete(id, state);
      const { inputs, failures } = await bench.provider.check({}, subject.inputs);
      expect(failures).toEqual([]);
      ({ id, properties: state } = await bench.provider.create(inputs));
      bench.takeWrites();
    });

    const stable = (properties: Properties) =>
      Object.fromEntries(Object.entries(properties).filter(([name]) => !subject.volatile?.includes(name)));

    it("records what was declared, and what it is called at the service", () => {
      expect(state).toMatchObject(subject.inputs);
      expect(state.organizationId).toBe(bench.emulator.organizationId);
    });

    it("reads what it created, sees no difference, and sends no write for it", async () => {
      const read = await bench.provider.read(id, state);
      expect(stable(read?.properties ?? {})).toEqual(stable(state));
      expect(read?.inputs).toEqual(subject.inputs);
      expect((await bench.provider.diff(id, state, subject.inputs)).changes).toBe(false);
      expect(bench.takeWrites()).toEqual([]);
    });

    it("updates twice without a write where nothing changed", async () => {
      expect(stable(await bench.provider.update(id, state, subject.inputs))).toEqual(stable(state));
      expect(bench.takeWrites()).toEqual([]);
    });

    it("checks and compares without any request", async () => {
      bench.emulator.resetRequests();
      await bench.provider.check(subject.inputs, subject.inputs);
      await bench.provider.diff(id, state, subject.inputs);
      expect(bench.emulator.log).toEqual([]);
    });

    it("has another spelling for null, which the engine would show as a property that left the program", async () => {
      const accepts = (name: string, value: unknown) => definition.inputs.shape[name]?.safeParse(value).success;
      const nulls = Object.entries(subject.inputs).flatMap(([name, value]): [string, unknown][] => {
        const [inner] = Object.keys(Array.isArray(value) ? {} : propertiesIn(value));
        const inside: [string, unknown][] =
          inner === undefined ? [] : [[name, { ...propertiesIn(value), [inner]: null }]];
        return [[name, null] as [string, unknown], ...inside].filter(([, changed]) => accepts(name, changed));
      });
      for (const [name, value] of nulls) {
        const { inputs, failures } = await bench.provider.check({}, { ...subject.inputs, [name]: value });
        expect(failures).toEqual([]);
        expect(JSON.stringify(inputs[name]), name).not.toContain("null");
        expect((await bench.provider.diff(id, { ...state, [name]: value }, inputs)).changes).toBe(false);
      }
    });

    it("differs where a declared value is not known yet, as a whole or in part", async () => {
      for (const [name, value] of Object.entries(subject.inputs)) {
        for (const open of notKnownYet(value)) {
          const news = { ...subject.inputs, [name]: open };
          const { changes } = await bench.provider.diff(id, state, news);
          expect([name, open, changes]).toEqual([name, open, true]);
        }
      }
    });

    describe.each(subject.properties)("$name", ({ name, to, writes, corrects, drift }) => {
      const exactly = (table: readonly Write[]) => JSON.parse(JSON.stringify(table).replaceAll("{id}", id));

      const updated = async () => {
        const news = { ...subject.inputs, [name]: to };
        expect((await bench.provider.diff(id, state, news)).changes).toBe(true);
        const previewed = bench.provider instanceof PluginProvider ? await bench.provider.preview(news, state) : {};
        const known = Object.keys(stable(previewed)).filter((one) => previewed[one] !== unknownValue);
        const after = await bench.provider.update(id, state, news);
        expect(bench.takeWrites()).toEqual(exactly(writes ?? []));
        expect(after[name]).toEqual(to);
        expect(pick(after, known)).toEqual(pick(previewed, known));
        expect(stable((await bench.provider.read(id, after))?.properties ?? {})).toEqual(stable(after));
        expect((await bench.provider.diff(id, after, news)).changes).toBe(false);
        state = after;
      };
      // A property with one value only has no other to be updated to.
      if (to !== undefined) it("is updated with exactly the writes that are needed", updated);

      it("shows drift as this property and no other, and is corrected with exactly the writes that are needed", async () => {
        await drift(bench.client, id, bench.emulator.state);
        bench.takeWrites();
        // Only another run always sees what somebody has changed: within one, a read may be answered from a snapshot.
        await bench.anotherRun();
        const drifted = await bench.provider.read(id, state);
        const inputs = drifted?.inputs ?? {};
        const different = Object.keys(subject.inputs).filter(
          (key) => !isDeepStrictEqual(inputs[key], subject.inputs[key]),
        );
        expect(different).toEqual([name]);
        expect((await bench.provider.diff(id, drifted?.properties ?? {}, subject.inputs)).changes).toBe(true);
        const corrected = await bench.provider.update(id, drifted?.properties ?? {}, subject.inputs);
        expect(bench.takeWrites()).toEqual(exactly(corrects));
        expect(corrected[name]).toEqual(subject.inputs[name]);
        expect((await bench.provider.read(id, corrected))?.inputs).toEqual(subject.inputs);
      });

      // A program without a required property is refused.
      if (!isOptional(subject.resource, name)) return;
      it("stops being managed without a request when it leaves the program, and drifts no more", async () => {
        const { [name]: _, ...fewer } = subject.inputs;
        expect((await bench.provider.diff(id, state, fewer)).changes).toBe(true);
        bench.emulator.resetRequests();
        const after = await bench.provider.update(id, state, fewer);
        expect(bench.emulator.log).toEqual([]);
        expect(after).not.toHaveProperty(name);
        await drift(bench.client, id, bench.emulator.state);
        await bench.anotherRun();
        const read = await bench.provider.read(id, after);
        expect((await bench.provider.diff(id, read?.properties ?? {}, fewer)).changes).toBe(false);
      });
    });

    const { vanish } = subject;
    if (vanish) {
      it("is gone when it is deleted outside Pulumi, and deleting it again succeeds", async () => {
        await vanish(bench.client, id);
        await bench.anotherRun();
        expect(await bench.provider.read(id, state)).toBeUndefined();
        await bench.provider.delete(id, state);
      });
    }

    it("is deleted, and deleted again", async () => {
      await bench.anotherRun();
      await bench.provider.delete(id, state);
      bench.takeWrites();
      await bench.provider.delete(id, state);
      const read = await bench.provider.read(id, state);
      if (vanish) expect(read).toBeUndefined();
      // An object that the API cannot delete is left empty, which takes no second write.
      else expect(bench.takeWrites()).toEqual([]);
    });
  });
}

/** The value as a preview may show it: unknown as a whole, or at one place. */
function notKnownYet(value: unknown): unknown[] {
  const more = Array.isArray(value) ? [[...value, unknownValue]] : [];
  const parts = Object.entries(propertiesIn(value)).flatMap(([name, inner]) =>
    notKnownYet(inner).map((open) =>
      Array.isArray(value) ? value.with(Number(name), open) : { ...propertiesIn(value), [name]: open },
    ),
  );
  return [unknownValue, ...more, ...parts];
}

const isOptional = (resource: string, name: string): boolean =>
  (definitions[resource as ResourceName] as AnyDefinition).inputs.shape[name]?.safeParse(undefined).success === true;
