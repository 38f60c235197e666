import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import { failureOf } from "../../support/failure";
import { LogOfEngine, PluginProvider } from "../../support/plugin-provider";
import { configOf, type NamedService } from "../../support/settings";

const membership = { teamId: "team_support", user: "user_ada", role: "member" };

let emulator: Emulator;
let log: LogOfEngine;
const opened: PluginProvider[] = [];
/** Ends the command: what its provider objects manage is forgotten. */
const endCommand = () => Promise.all(opened.splice(0).map((one) => one.stop()));

beforeAll(async () => {
  emulator = await startEmulator();
});
beforeEach(async () => {
  log = await LogOfEngine.start();
});
afterEach(async () => {
  await endCommand();
  log.stop();
});
afterAll(() => emulator.close());

/** A provider object of the engine command of this test; its resources by name. */
async function providerObject(name: string, service: NamedService = emulator) {
  const config = configOf(service);
  const urn = `urn:pulumi:test::project::pulumi:providers:docs::${name}`;
  const provider = await PluginProvider.start("TeamMembership", { config, name, urn, patience: 200, log });
  opened.push(provider);
  return (resource: string) => provider.of("TeamMembership", resource);
}

const refusal = async (call: Promise<unknown>): Promise<string> => (await failureOf(call)).message;

describe("two provider objects of one organization in one command", () => {
  it("cannot both change it, so a deletion does not remove what the other manages; reads are answered", async () => {
    const earlier = await providerObject("default_1_2_3");
    const { id, properties: state } = await earlier("former").create(membership);
    await endCommand();

    const [former, current] = [await providerObject("default_1_2_3"), await providerObject("own")];
    await former("former").read(id, state);
    await current("former").read(id, state);
    await current("current").create(membership);
    emulator.resetRequests();
    const words = await refusal(former("former").delete(id, state));
    expect(words).toHaveWording("two provider objects, of which one deletes what the other manages");
    const update = former("former").update(id, state, { ...membership, role: "owner" });
    expect(await refusal(update)).toHaveWording("two provider objects that change one organization");
    expect(await refusal(former("third").create(membership))).toMatch(/both manage organization acme/);
    expect(emulator.log).toEqual([]);
    await former("former").read(id, state);
  });

  it("cannot both change it as two versions of the default provider, and the words say so", async () => {
    const [former, current] = [await providerObject("default_1_2_2"), await providerObject("default_1_2_3")];
    await current("current").check(undefined, membership);
    expect(await refusal(former("former").check(undefined, membership))).toHaveWording("two default providers");
  });

  it("can delete as two versions of the default provider, after an upgrade: the current one does it", async () => {
    const earlier = await providerObject("default_1_2_2");
    const others = { teamId: "team_support", role: "member" };
    const recorded = async (user: string) => {
      const { id, properties: state } = await earlier(user).create({ ...others, user });
      return { user, id, state };
    };
    const [removed, renamed] = [await recorded("user_ada"), await recorded("user_bea")];
    await endCommand();

    const [former, current] = [await providerObject("default_1_2_2"), await providerObject("default_1_2_3")];
    for (const { user, id, state } of [removed, renamed]) await former(user).read(id, state);
    await current("bea").check(undefined, { ...others, user: "user_bea" });
    await current("bea").create({ ...others, user: "user_bea" });
    emulator.fault({ row: "removeTeamMember", status: 403, body: { error: { code: 403, message: "not allowed" } } });
    const refused = await refusal(former(removed.user).delete(removed.id, removed.state));
    expect(refused).toMatch(/user_ada .* 403/);
    emulator.resetRequests();
    for (const { user, id, state } of [removed, renamed]) await former(user).delete(id, state);
    expect(emulator.log.filter(({ method }) => method !== "GET").map(({ path }) => path)).toEqual([
      "/v1/orgs/acme/teams/team_support/members/user_ada",
    ]);
  });

  it("can delete in commands of their own", async () => {
    const own = await providerObject("own");
    const { id, properties: state } = await own("only").create(membership);
    const again = await providerObject("own");
    await again("only").delete(id, state);
  });
});

it("organizations of the same id at two services are two organizations", async () => {
  const other = await startEmulator();
  try {
    const [first, second] = [await providerObject("first"), await providerObject("second", other)];
    await first("a").check(undefined, membership);
    await second("b").check(undefined, membership);
    const { token, organizationId } = other;
    const third = await providerObject("third", { url: `${other.url}/`, token, organizationId });
    expect(await refusal(third("c").check(undefined, membership))).toMatch(/"third" and the provider object "second"/);
  } finally {
    await other.close();
  }
});
