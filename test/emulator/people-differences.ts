import { expect } from "vitest";
import { few, members, org, peopleSeed, teamMembers, teamOf } from "./people";
import { idOfItem, startEmulated } from "./support";

const seed = peopleSeed({
  ...few,
  saml: [{ id: "saml_1", label: "Acme", defaultTeam: "writers" }],
  translations: [{ id: "one", source: { space: "guides" }, language: "fr" }],
});
const writers = teamMembers("writers");

/** How each difference about people, SAML providers and translations shows. */
export const shownOfPeople: Record<string, () => Promise<void>> = {
  caller: async () => {
    // A ping makes the caller the last one seen; in the seed, that is cem. Without `caller`, it is the first administrator.
    for (const [caller, status, lastSeen] of [
      [undefined, 200, "ada"],
      ["dan", 200, "dan"],
      ["nobody", 404, "cem"],
    ] as const) {
      const { call } = await startEmulated({ seed, ...(caller && { caller }) });
      expect((await call("POST", `${org}/ping`)).status).toBe(status);
      const seen = (await call("GET", `${members}?sort=lastSeenAt`)).body.items.map(idOfItem);
      expect(seen[0]).toBe(lastSeen);
    }
  },
  rights: async () => {
    const { call } = await startEmulated({ seed, caller: "ada" });
    expect((await call("PATCH", `${members}/ada`, { role: "edit" })).status).toBe(200);
    expect((await call("PATCH", `${members}/ada`, { role: "admin" })).status).toBe(403);
    expect((await call("DELETE", `${writers}/cem`)).status).toBe(205);
    expect((await call("DELETE", `${writers}/ada`)).status).toBe(205);
    expect((await call("DELETE", `${writers}/ada`)).status).toBe(403);
  },
  visitorClaims: async () => {
    const { call } = await startEmulated({ seed });
    expect((await call("POST", `${org}/ping`)).body).toEqual({});
  },
  lastAdministrator: async () => {
    const emulator = await startEmulated({ seed });
    expect((await emulator.call("DELETE", `${writers}/ada`)).status).toBe(205);
    expect((await emulator.call("PATCH", `${members}/ada`, { role: null })).status).toBe(200);
    expect((await emulator.call("DELETE", `${members}/bea`)).status).toBe(205);
    expect((await emulator.call("GET", `${members}?role=admin`)).body.count).toBe(0);
  },
  memberSpaces: async () => {
    const { call } = await startEmulated({ seed });
    const spaces = async (user: string) => (await call("GET", `${members}/${user}/spaces?order=asc`)).body.items;
    expect((await spaces("cem")).map(({ permission }: { permission: string }) => permission)).toEqual(["read", "read"]);
    expect((await spaces("dan")).map(({ permission }: { permission: string }) => permission)).toEqual(["comment"]);
  },
  memberSites: async () => {
    const { call } = await startEmulated({ seed, version: "0.202" });
    await call("POST", `${org}/sites`);
    const sites = async (user: string) => (await call("GET", `${members}/${user}`)).body.sites;
    expect([await sites("cem"), await sites("dan")]).toEqual([1, 0]);
  },
  teamSpaces: async () => {
    const { call } = await startEmulated({ seed });
    expect((await call("GET", `${members}/ada/teams`)).body.items[0].team.spaces).toBe(0);
  },
  peopleOrder: async () => {
    const emulator = await startEmulated({ seed });
    await emulator.call("PUT", writers, { add: ["dan", "bea"] });
    expect(Object.keys(await teamOf(emulator, "writers"))).toEqual(["ada", "cem", "dan", "bea"]);
    for (const [list, body] of [
      ["saml", { label: "New" }],
      ["translations", { source: { space: "guides", language: "en" }, language: "de" }],
    ] as const) {
      const { id } = (await emulator.call("POST", `${org}/${list}`, body)).body;
      expect((await emulator.call("GET", `${org}/${list}`)).body.items.map(idOfItem)[1]).toBe(id);
    }
  },
  membershipsAdd: async () => {
    const emulator = await startEmulated({ seed });
    await emulator.call("PUT", writers, { memberships: { bea: { role: "owner" } } });
    expect((await teamOf(emulator, "writers")).bea).toBe("owner");
  },
  membershipsAndRemove: async () => {
    const emulator = await startEmulated({ seed });
    await emulator.call("PUT", writers, { memberships: { cem: { role: "owner" } }, remove: ["cem"] });
    expect(await teamOf(emulator, "writers")).toEqual({ ada: "owner" });
  },
  rolesStay: async () => {
    const emulator = await startEmulated({ seed });
    await emulator.call("PUT", writers, { add: ["ada", "bea"] });
    await emulator.call("PUT", `${writers}/ada`);
    expect(await teamOf(emulator, "writers")).toEqual({ ada: "owner", cem: "member", bea: "member" });
  },
  unknownUsers: async () => {
    const { call } = await startEmulated({ seed });
    expect((await call("PUT", `${writers}/nobody`)).status).toBe(404);
    expect((await call("PUT", writers, { add: ["nobody"] })).status).toBe(400);
    expect((await call("PUT", writers, { memberships: { nobody: { role: "owner" } } })).status).toBe(400);
    expect((await call("PUT", writers, { remove: ["nobody"] })).status).toBe(204);
  },
  nonMembers: async () => {
    for (const [reading, status, joined] of [
      ["invite", 204, "member"],
      ["ignore", 204, undefined],
      ["400", 400, undefined],
    ] as const) {
      const emulator = await startEmulated({ seed, readings: { strangers: reading } });
      expect((await emulator.call("PUT", writers, { add: ["new@acme.test"] })).status).toBe(status);
      expect(Object.keys(await teamOf(emulator, "writers"))).toEqual(["ada", "cem"]);
      emulator.join({ userId: "new", email: "new@acme.test" });
      expect((await teamOf(emulator, "writers")).new).toBe(joined);
    }
  },
  hiddenEmails: async () => {
    const { call } = await startEmulated({ seed, readings: { hiddenEmails: ["ada"] } });
    const [bea, ada] = (await call("GET", `${members}?search=acme.test`)).body.items;
    expect([bea.user.email, ada.user.email]).toEqual(["Bea@Acme.test", undefined]);
  },
  samlBlanks: async () => {
    const { call } = await startEmulated({ seed });
    const blank = { ssoURL: "about:blank", entityID: "", certificate: "" };
    expect((await call("GET", `${org}/saml/saml_1`)).body).toMatchObject(blank);
    expect((await call("PATCH", `${org}/saml/saml_1`, blank)).body).toMatchObject({ ...blank, status: "pending" });
  },
  samlActive: async () => {
    const { call } = await startEmulated({ seed });
    const body = { ssoURL: "https://nobody.acme.test", entityID: "x", certificate: "no certificate" };
    expect((await call("PATCH", `${org}/saml/saml_1`, body)).body.status).toBe("active");
  },
  samlDefaults: async () => {
    const { call } = await startEmulated({ seed });
    expect((await call("POST", `${org}/saml`, { label: "New" })).body.defaultRole).toBe(null);
    for (const defaultTeam of [null, "nowhere"])
      expect((await call("PATCH", `${org}/saml/saml_1`, { defaultTeam })).status).toBe(400);
  },
  translationTime: async () => {
    let time = Date.parse("2026-11-21T12:00:00Z");
    const { call } = await startEmulated({ seed, now: () => new Date(time) });
    await call("POST", `${org}/translations/one/run`);
    const statuses: string[] = [];
    for (const wait of [0, 1000, 2000]) {
      time += wait;
      statuses.push((await call("GET", `${org}/translations/one`)).body.status);
    }
    expect(statuses).toEqual(["pending", "running", "completed"]);
  },
  translatedSpace: async () => {
    const { call, state } = await startEmulated({ seed });
    const { result } = (await call("GET", `${org}/translations/one`)).body;
    expect(state.organizations.get("acme")?.spaces.has(result.space)).toBe(false);
  },
  translationLanguages: async () => {
    const { call } = await startEmulated({ seed });
    const create = (language: string) =>
      call("POST", `${org}/translations`, { source: { space: "guides", language: "en" }, language });
    expect([(await create("en")).status, (await create("fr")).status]).toEqual([400, 201]);
  },
};
