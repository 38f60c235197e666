import { runInNewContext } from "node:vm";
import { ModuleKind, ScriptTarget, transpileModule } from "typescript";
import { afterEach, describe, expect, it } from "vitest";
import { type Case, type Command, cases, mostRequests, sizeOf } from "../../bench/cases";
import { readWorld, seedOf } from "../../bench/world";
import { type Emulator, startEmulator } from "../../provider/emulator";
import { atOnce } from "../support/at-once";
import type { Properties } from "../support/protocol-provider";
import { host, type Provider, startProvider } from "../support/provider";
import { settingsOf } from "../support/settings";
import { startBench } from "./contract";

/** As many calls at once as the benchmark lets the engine make. */
const sideBySide = <Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>) => atOnce(8, items, work);

interface Declared {
  readonly resource: string;
  readonly inputs: Properties;
}

/** What a program of the benchmark declares. */
function declaredBy(program: string): Declared[] {
  const declared: Declared[] = [];
  const docs = new Proxy({}, { get: (_, resource: string) => recorder(resource) });
  const recorder = (resource: string) =>
    function record(_name: string, inputs: Properties) {
      declared.push({ resource, inputs: JSON.parse(JSON.stringify(inputs)) });
    };
  const compilerOptions = { target: ScriptTarget.ES2022, module: ModuleKind.CommonJS };
  runInNewContext(transpileModule(program, { compilerOptions }).outputText, { docs });
  return declared;
}

interface Recorded {
  readonly id: string;
  readonly inputs: Properties;
  properties: Properties;
}

/** A stack whose engine is this test: the calls of each command, in the engine's order, to a provider process of its own. */
class Run {
  private readonly state: Recorded[] = [];

  constructor(
    private readonly emulator: Emulator,
    private readonly declared: readonly Declared[],
  ) {}

  readonly commands: Record<Command, () => Promise<void>> = {
    up: () => this.inProcess((provider) => this.up(provider)),
    refresh: () => this.inProcess((provider) => this.refresh(provider)),
    // What it does beyond a refresh makes no requests, which the contract of all resources asserts.
    "preview --refresh": () => this.inProcess((provider) => this.refresh(provider)),
    destroy: () =>
      this.inProcess((provider) =>
        sideBySide(this.state.splice(0).reverse(), ({ id, properties }) => provider.delete(id, properties)),
      ),
  };

  private async up(provider: Provider): Promise<void> {
    const checked: Properties[] = [];
    for (const { inputs } of this.declared) {
      const { inputs: news, failures } = await provider.check({}, inputs);
      expect(failures).toEqual([]);
      checked.push(news);
    }
    await sideBySide(checked, async (inputs) => this.state.push({ inputs, ...(await provider.create(inputs)) }));
  }

  private refresh(provider: Provider): Promise<void> {
    return sideBySide(this.state, async (one) => {
      const read = await provider.read(one.id, one.properties);
      expect(read?.inputs).toEqual(one.inputs);
      one.properties = read?.properties ?? {};
      expect((await provider.diff(one.id, one.properties, one.inputs)).changes).toBe(false);
    });
  }

  private async inProcess(work: (provider: Provider) => Promise<void>): Promise<void> {
    const [{ resource } = { resource: "" }] = this.declared;
    const provider = await startProvider(resource, { environment: settingsOf(this.emulator) });
    try {
      await work(provider);
    } finally {
      await provider.stop();
    }
  }
}

const sum = (requests: Readonly<Record<string, number>>) => Object.values(requests).reduce((a, b) => a + b, 0);

/** Starts the service of a case, with what its program declares. A deletion that is answered with 204 may have found nothing. */
async function runOf(one: Case, deleteStatus: "204" | "205" = "205") {
  const size = sizeOf(one);
  const readings = { deleteStatus };
  const emulator = await startEmulator({ seed: seedOf(size), size: { members: size.members }, readings });
  const world = await readWorld(emulator, size);
  emulator.resetRequests();
  const takeRequests = () => {
    const made = emulator.requests() as Readonly<Record<string, number>>;
    emulator.resetRequests();
    return made;
  };
  return { emulator, takeRequests, run: new Run(emulator, declaredBy(one.declarations(world, one.count))) };
}

describe("the requests of the benchmark's table", () => {
  // Both hosts call the same handlers: two cases show that the plugin adds no request.
  it.each(host === "plugin" ? cases.slice(0, 2) : cases)("$name", async (one: Case) => {
    const { emulator, takeRequests, run } = await runOf(one);
    try {
      for (const phase of one.phases) {
        const { command } = phase;
        await run.commands[command]();
        const made = takeRequests();
        expect(sum(made), command).toBeGreaterThan(0);
        expect(sum(made), `${command}: ${JSON.stringify(made)}`).toBeLessThanOrEqual(
          mostRequests(one, phase) ?? Number.POSITIVE_INFINITY,
        );
      }
    } finally {
      await emulator.close();
    }
  });
});

if (host !== "plugin")
  describe("a service that answers a deletion with 204, which proves nothing", () => {
    const deleted = cases.filter(
      ({ name, phases }) => name === "Site" || phases.some(({ command }) => command === "destroy"),
    );

    it.each(deleted)("needs few reads to confirm the deletions: $name", async (one: Case) => {
      const { emulator, takeRequests, run } = await runOf(one, "204");
      try {
        await run.commands.up();
        takeRequests();
        await run.commands.destroy();
        const made = takeRequests();
        const destroy = one.phases.find(({ command }) => command === "destroy");
        const most = (destroy && mostRequests(one, destroy)) ?? one.count + 4;
        // One read more for eight deletions.
        expect(sum(made), JSON.stringify(made)).toBeLessThanOrEqual(most + one.count / 8 + 5);
      } finally {
        await emulator.close();
      }
    });
  });

if (host !== "plugin")
  describe("a service that limits", () => {
    let bench: Awaited<ReturnType<typeof startBench>>;
    afterEach(() => bench.stop());

    const start = (resource: string, members: number, rate: number) =>
      startBench(resource, {
        organizationId: "acme",
        seed: { organizations: { acme: { title: "Acme", teams: [{ id: "team_1" }] } } },
        size: { members },
        rate,
      });
    const creations = async (all: readonly Properties[]) => {
      for (const inputs of all) expect((await bench.provider.check({}, inputs)).failures).toEqual([]);
      bench.emulator.resetRequests();
      const failures: string[] = [];
      await sideBySide(all, (inputs) => bench.provider.create(inputs).catch(({ message }) => failures.push(message)));
      return failures;
    };
    const limited = () => bench.emulator.log.filter(({ status }) => status === 429).length;

    it("gets growing batches, and one wrong user fails alone, by name", async () => {
      bench = await start("TeamMembership", 100, 15);
      const { members, teams } = bench.organization;
      const users = [...members.keys()];
      const declared = [...users.slice(0, 50), "user_nobody", ...users.slice(50)];
      const failures = await creations(declared.map((user) => ({ teamId: "team_1", user, role: "member" })));
      expect(failures).toEqual([expect.stringContaining("user_nobody")]);
      expect([...(teams.get("team_1")?.members.keys() ?? [])].sort()).toEqual([...users].sort());
      const writes = bench.emulator.log.filter(({ method, status }) => method !== "GET" && status !== 429);
      // Eight callers are served by two calls, so a call holds four changes; the refused one takes a few more to be split.
      expect(writes.length).toBeLessThanOrEqual(100 / 4 + 2 * Math.log2(8) + 1);
    });

    it("refuses less than 3 % of the requests, and all resources finish", async () => {
      bench = await start("MemberRole", 600, 150);
      const others = [...bench.organization.members.values()]
        .filter(({ role }) => role !== "admin" && role !== "edit")
        .slice(0, 400);
      expect(others).toHaveLength(400);
      expect(await creations(others.map(({ id }) => ({ user: id, role: "edit" })))).toEqual([]);
      expect(others.map(({ role }) => role)).toEqual(others.map(() => "edit"));
      expect(bench.emulator.requests().updateMember).toBeGreaterThanOrEqual(others.length);
      // However slow the machine is, no more than all callers at once run into the limit for the first time.
      expect(limited()).toBeLessThan(0.03 * bench.emulator.log.length);
    });
  });
