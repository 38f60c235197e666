import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../../provider/api/client";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import { type Properties, unknownValue } from "../../../provider/run/properties";
import { failureOf } from "../../support/failure";
import { PluginProvider } from "../../support/plugin-provider";
import { configOf } from "../../support/settings";

let emulator: Emulator;
let client: Client;
const open: PluginProvider[] = [];
beforeAll(async () => {
  emulator = await startEmulator();
  client = createClient({ baseUrl: emulator.url, token: emulator.token });
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop();
});
afterAll(async () => {
  await client.close();
  await emulator.close();
});

async function providerOf(type: string): Promise<PluginProvider> {
  const provider = await PluginProvider.start(type, { config: configOf(emulator) });
  open.push(provider);
  emulator.resetRequests();
  return provider;
}
const messageOf = (call: Promise<unknown>): Promise<string> =>
  call.then(() => "accepted").catch((error: Error) => error.message);
const recorded = () => ({ __version: 1, __origin: emulator.url, organizationId: emulator.organizationId });
const order = (siteId: string, ...ids: string[]) => ({ siteId, order: ids });

describe("the preview of a creation", () => {
  it.each<[string, string, Properties]>([
    ["an unknown id", "MemberRole", { user: "user_gone", role: "read" }],
    ["an unknown team", "TeamMembership", { teamId: "team_none", user: "user_ada" }],
    ["an id in no organization", "TeamMembership", { teamId: "team_writers", user: "user_gone" }],
    ["an unknown site", "SiteAdaptiveSchema", { siteId: "site_none", claims: {} }],
    ["an unknown site to sort", "SiteStructureOrder", order("site_none", "a")],
    ["an item that the site does not have", "SiteStructureOrder", order("site_product", "nothing")],
    [
      "a team with undeclared people",
      "TeamMembers",
      { teamId: "team_support", members: { user_hugo: "owner", user_ines: "member" } },
    ],
  ])("refuses %s with the sentence of the up", async (title, type, inputs) => {
    const refused = await messageOf((await providerOf(type)).preview(inputs));
    expect(refused).toHaveWording(title);
    expect(await messageOf((await providerOf(type)).create(inputs))).toBe(refused);
    expect(emulator.log.filter(({ method, status }) => method !== "GET" && status < 400)).toEqual([]);
  });

  it("refuses an unknown team for a person who has not joined", async () => {
    const provider = await providerOf("TeamMembership");
    expect(await messageOf(provider.preview({ teamId: "team_none", user: "new@acme.test" }))).toMatch(
      /404.*team_none/s,
    );
  });

  it.each<[string, string, Properties]>([
    ["a role of a pending person", "MemberRole", { user: "new@acme.test", role: "read" }],
    ["a pending person", "TeamMembership", { teamId: "team_writers", user: "new@acme.test" }],
    ["a member who joins the team", "TeamMembership", { teamId: "team_writers", user: "user_hugo" }],
    ["a site without a schema", "SiteAdaptiveSchema", { siteId: "site_handbook", claims: {} }],
    ["a site that the up may publish first", "SiteStructureOrder", order("site_handbook", "anything")],
  ])("accepts %s", async (_, type, inputs) => {
    expect(await messageOf((await providerOf(type)).preview(inputs))).toBe("accepted");
    expect(emulator.log.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("asks nothing for values that are not known yet", async () => {
    const role = { user: "gone@acme.test", role: unknownValue };
    expect(await messageOf((await providerOf("MemberRole")).preview(role))).toBe("accepted");
    expect(await messageOf((await providerOf("SiteStructureOrder")).preview(order(unknownValue, "a")))).toBe(
      "accepted",
    );
    expect(emulator.log).toEqual([]);
  });

  it("reads the members of 200 roles as one list", async () => {
    const provider = await providerOf("MemberRole");
    const users = Array.from({ length: 200 }, (_, index) => `user_gone_${index}`);
    const all = users.map((user) => messageOf(provider.of("MemberRole", user).preview({ user, role: "read" })));
    expect((await Promise.all(all)).filter((message) => !message.includes("is not a member of"))).toEqual([]);
    const { listMembers = 0, getMember = 0 } = emulator.requests();
    expect(listMembers + getMember).toBeLessThanOrEqual(4);
  });
});

describe("the preview of an update", () => {
  const ada = () => ({ ...recorded(), user: "old@acme.test", userId: "user_ada", role: "read", previousRole: "read" });

  it("refuses an unknown id in the place of another person", async () => {
    const provider = await providerOf("MemberRole");
    const change = provider.preview({ user: "user_gone", role: "read" }, ada());
    expect(await messageOf(change)).toMatch(/user_gone is not a member/);
  });

  it("accepts the recorded person, whose e-mail may have changed, without a request", async () => {
    const provider = await providerOf("MemberRole");
    expect(await messageOf(provider.preview({ user: "old@acme.test", role: "edit" }, ada()))).toBe("accepted");
    expect(emulator.log).toEqual([]);
  });

  it("keeps outputs that the update cannot change known, unless it completes a creation that failed", async () => {
    const provider = await providerOf("Site");
    const site = { title: "Kept", spaces: ["guides"], published: true };
    emulator.fault({ row: "getPublishedSite", status: 500, times: 9 });
    const { partial } = await failureOf(provider.create(site));
    emulator.clearFaults();
    const { id = "", properties = {} } = partial ?? {};
    const unknownIn = async (state: Properties, change: Properties) =>
      Object.entries(await provider.preview({ ...site, ...change }, state)).flatMap(([name, value]) =>
        value === unknownValue ? [name] : [],
      );
    expect(await unknownIn(properties, { title: "Renamed" })).toContain("siteSpaceIds");
    const state = await provider.update(id, properties, site);
    expect(await unknownIn(state, { title: "Renamed" })).toEqual([]);
    expect(await unknownIn(state, { title: unknownValue })).toEqual(["title"]);
    expect(await unknownIn(state, { proxy: "www.acme.test/docs" })).toEqual(["proxyTarget", "urls"]);
    expect(await unknownIn(state, { published: false })).toEqual(["liveSpaces", "siteSpaceIds", "urls"]);
  });
});
