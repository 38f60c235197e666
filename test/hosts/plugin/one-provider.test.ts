import { credentials, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import { answerTo } from "../../../provider/hosts/plugin/grpc";
import { Instance } from "../../../provider/hosts/plugin/instance";
import { listen } from "../../../provider/hosts/plugin/main";
import { received, sent } from "../../../provider/hosts/plugin/values";
import type { Properties } from "../../../provider/run/properties";
import { LogOfEngine } from "../../support/plugin-provider";

const urnOf = (name: string) => `urn:pulumi:test::project::docs:index:TeamMembership::${name}`;
const membership = { teamId: "team_support", user: "user_ada", role: "member" };

let emulator: Emulator;
let log: LogOfEngine;
const opened: { close(): unknown }[] = [];

beforeAll(async () => {
  emulator = await startEmulator();
});
beforeEach(async () => {
  log = await LogOfEngine.start();
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  log.stop();
});
afterAll(() => emulator.close());

const settingsOf = ({ url, token, organizationId }: Emulator) => ({ baseUrl: url, token, organizationId });

/** A provider object of the engine command of this test. */
async function providerObject(name: string, settings = settingsOf(emulator)) {
  const instance = new Instance({ version: "1.2.3", environment: {}, patience: 200 });
  instance.meet(log.address);
  const { port, end } = await listen(instance);
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  opened.push({ close: () => client.close() }, { close: end }, { close: () => instance.close() });
  const request = new messages.ConfigureRequest()
    .setName(name)
    .setUrn(`urn:pulumi:test::project::pulumi:providers:docs::${name}`)
    .setId("id")
    .setArgs(sent(settings, new Set(["token"])));
  await answerTo((done) => client.configure(request, done));
  return {
    check: (urn: string, news: Properties) =>
      answerTo<messages.CheckResponse>((done) =>
        client.check(new messages.CheckRequest().setUrn(urn).setNews(sent(news)), done),
      ),
    create: async (urn: string, inputs: Properties) => {
      const request = new messages.CreateRequest().setUrn(urn).setProperties(sent(inputs));
      const created = await answerTo<messages.CreateResponse>((done) => client.create(request, done));
      return { id: created.getId(), state: received(created.getProperties()).properties };
    },
    read: (urn: string, id: string, state: Properties) => {
      const request = new messages.ReadRequest().setUrn(urn).setId(id).setProperties(sent(state));
      return answerTo<messages.ReadResponse>((done) => client.read(request.setInputs(sent(membership)), done));
    },
    update: (urn: string, id: string, state: Properties, news: Properties) => {
      const request = new messages.UpdateRequest().setUrn(urn).setId(id).setOlds(sent(state)).setNews(sent(news));
      return answerTo<messages.UpdateResponse>((done) => client.update(request, done));
    },
    delete: (urn: string, id: string, state: Properties) =>
      answerTo((done) =>
        client.delete(new messages.DeleteRequest().setUrn(urn).setId(id).setProperties(sent(state)), done),
      ),
  };
}

const refusal = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => Promise.reject(new Error("it was not refused")),
    (error: ServiceError) => error.details,
  );

describe("two provider objects of one organization in one command", () => {
  it("cannot both change it, so a deletion does not remove what the other manages; reads are answered", async () => {
    const before = await providerObject("default_1_2_3");
    const { id, state } = await before.create(urnOf("former"), membership);
    for (const one of opened.splice(0).reverse()) await one.close();

    const [former, current] = [await providerObject("default_1_2_3"), await providerObject("own")];
    await former.read(urnOf("former"), id, state);
    await current.read(urnOf("former"), id, state);
    await current.create(urnOf("current"), membership);
    emulator.resetRequests();
    const words = await refusal(former.delete(urnOf("former"), id, state));
    expect(words).toContain('the state records the default provider for it, and the provider object "own" manages');
    expect(words).toContain("declare it there under its name in the state for one up");
    expect(words).toContain(`pulumi state delete '${urnOf("former")}'`);
    expect(words).toContain(`pulumi destroy --target '${urnOf("former")}'`);
    const update = former.update(urnOf("former"), id, state, { ...membership, role: "owner" });
    expect(await refusal(update)).toMatch(
      /the default provider and the provider object "own" both manage organization acme/,
    );
    expect(await refusal(former.create(urnOf("third"), membership))).toMatch(/both manage organization acme/);
    expect(emulator.log).toEqual([]);
    await former.read(urnOf("former"), id, state);
  });

  it("cannot both change it as two versions of the default provider, and the words say so", async () => {
    const [former, current] = [await providerObject("default_1_2_2"), await providerObject("default_1_2_3")];
    await current.check(urnOf("current"), membership);
    expect(await refusal(former.check(urnOf("former"), membership))).toMatch(
      /^two versions of the default provider manage organization acme \(default_1_2_2 and default_1_2_3\); .* no option version$/,
    );
  });

  it("can delete as two versions of the default provider, after an upgrade: the current one does it", async () => {
    const before = await providerObject("default_1_2_2");
    const others = { teamId: "team_support", role: "member" };
    const recorded = async (user: string) => ({ user, ...(await before.create(urnOf(user), { ...others, user })) });
    const [removed, renamed] = [await recorded("user_ada"), await recorded("user_bea")];
    for (const one of opened.splice(0).reverse()) await one.close();

    const [former, current] = [await providerObject("default_1_2_2"), await providerObject("default_1_2_3")];
    for (const { user, id, state } of [removed, renamed]) await former.read(urnOf(user), id, state);
    await current.check(urnOf("bea"), { ...others, user: "user_bea" });
    await current.create(urnOf("bea"), { ...others, user: "user_bea" });
    emulator.fault({ row: "removeTeamMember", status: 403, body: { error: { code: 403, message: "not allowed" } } });
    const refused = await refusal(former.delete(urnOf(removed.user), removed.id, removed.state));
    expect(refused).toMatch(
      /^could not remove user_ada from team team_support: the service answered 403 "not allowed"/,
    );
    emulator.resetRequests();
    for (const { user, id, state } of [removed, renamed]) await former.delete(urnOf(user), id, state);
    expect(emulator.log.filter(({ method }) => method !== "GET").map(({ path }) => path)).toEqual([
      "/v1/orgs/acme/teams/team_support/members/user_ada",
    ]);
  });

  it("can delete in commands of their own", async () => {
    const { create } = await providerObject("own");
    const { id, state } = await create(urnOf("only"), membership);
    const again = await providerObject("own");
    await again.delete(urnOf("only"), id, state);
  });
});

it("organizations of the same id at two services are two organizations", async () => {
  const other = await startEmulator();
  try {
    const [first, second] = [await providerObject("first"), await providerObject("second", settingsOf(other))];
    await first.check(urnOf("a"), membership);
    await second.check(urnOf("b"), membership);
    const spelt = { ...settingsOf(other), baseUrl: `${other.url}/` };
    const third = await providerObject("third", spelt);
    expect(await refusal(third.check(urnOf("c"), membership))).toMatch(/"third" and the provider object "second"/);
  } finally {
    await other.close();
  }
});
