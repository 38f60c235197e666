import { expect, it } from "vitest";
import { scriptedService } from "../../support/scripted-service";

/** Something between here and the service forgets every filter: the list is right all the same. */
const forgetful = () =>
  scriptedService(
    ({ body }) => body,
    (url) => {
      const [path, query] = url.split("?");
      const kept = [...new URLSearchParams(query)].filter(([name]) => ["page", "limit"].includes(name));
      // Without a status, the emulator lists open change requests only, and all of this one's are drafts.
      const drafts = path?.endsWith("/change-requests") ? [["status", "draft"] as [string, string]] : [];
      return `${path}?${new URLSearchParams([...kept, ...drafts])}`;
    },
  );

const acme = { organizationId: "acme" };

it("members by role, guests among them", async () => {
  const { client, emulator } = await forgetful();
  const members = [...(emulator.state.organizations.get("acme")?.members.values() ?? [])];
  for (const role of ["admin", "read", "guest"] as const) {
    const listed = await client.listMembers({ ...acme, query: { role, limit: 3 } }).all();
    const expected = members.filter((one) => one.role === (role === "guest" ? null : role)).map(({ id }) => id);
    expect(listed.map(({ id }) => id).sort()).toEqual(expected.sort());
  }
});

it("members by a search, with those who hide the e-mail that it may have found", async () => {
  const { client, emulator } = await forgetful();
  const members = [...(emulator.state.organizations.get("acme")?.members.values() ?? [])];
  const hidden = members.filter(({ email }) => email === undefined).map(({ id }) => id);
  const found = await client.listMembers({ ...acme, query: { search: "ADA" } }).all();
  const ids = found.map(({ id }) => id);
  expect(ids).toContain("user_ada");
  expect(
    ids
      .filter((id) => !hidden.includes(id))
      .every((id) => /ada/i.test(JSON.stringify(members.find((one) => one.id === id)))),
  ).toBe(true);
  expect(hidden.every((id) => ids.includes(id))).toBe(true);
  expect(ids.length).toBeLessThan(members.length);
});

it("sites by title, publication and type; the pages and their order stay", async () => {
  const { client } = await forgetful();
  const all = await client.listSites(acme).all();
  const listed = async (query: NonNullable<Parameters<typeof client.listSites>[0]["query"]>) =>
    (await client.listSites({ ...acme, query: { limit: 1, ...query } }).all()).map(({ id }) => id);
  const expected = (test: (site: (typeof all)[number]) => boolean) => all.filter(test).map(({ id }) => id);
  expect(await listed({ title: "HAND" })).toEqual(["site_handbook"]);
  expect(await listed({ published: true })).toEqual(expected(({ published }) => published));
  expect(await listed({ type: ["ultimate", "premium"] })).toEqual(expected(({ type }) => type !== "basic"));
  // A page is one even if none of its items belongs to the list. It has no count: that would be of all sites.
  const page = await client.listSites({ ...acme, query: { title: "nowhere", limit: 1 } });
  expect([page.items, typeof page.next?.page, "count" in page]).toEqual([[], "string", false]);
});

it("change requests by status and creator, and teams by title", async () => {
  const { client } = await forgetful();
  const status = await client.listSpaceChangeRequests({ spaceId: "guides", query: { status: "open" } });
  expect(status.items).toEqual([]);
  const drafts = await client.listSpaceChangeRequests({ spaceId: "guides", query: { status: "draft" } });
  expect(drafts.items.length).toBeGreaterThan(0);
  const creator = String(drafts.items[0]?.createdBy?.id);
  const others = await client.listSpaceChangeRequests({ spaceId: "guides", query: { creator: "user_nobody" } });
  expect(others.items).toEqual([]);
  const own = await client.listSpaceChangeRequests({ spaceId: "guides", query: { creator } });
  expect(own.items.every(({ createdBy }) => createdBy?.id === creator) && own.items.length > 0).toBe(true);
  const teams = await client.listMemberTeams({ ...acme, userId: "user_femi", query: { title: "writ" } }).all();
  expect(teams.map(({ team }) => team.title)).toEqual(["Writers"]);
});
