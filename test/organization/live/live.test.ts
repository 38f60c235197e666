import { afterEach, expect, it } from "vitest";
import type { LiveTeam, ShowProgress } from "../../../provider/access/discovery";
import { createClient } from "../../../provider/api/client";
import { type Emulator, type EmulatorOptions, type Seed, startEmulator } from "../../../provider/emulator";
import { readOrganization } from "../../../provider/organization/live/live";
import type { Context } from "../../../provider/run/context";
import { Run } from "../../../provider/run/run";

let emulator: Emulator;
let context: Context;

async function begin(options: EmulatorOptions = {}): Promise<void> {
  emulator = await startEmulator(options);
  const client = createClient({ baseUrl: emulator.url, token: emulator.token });
  context = { run: new Run(), client, organizationId: emulator.organizationId };
}
afterEach(async () => {
  await context.client.close();
  await emulator.close();
});

const records = () => [...(emulator.state.organizations.get(emulator.organizationId)?.teams.values() ?? [])];

/** Teams by id, each with its title, and its people and their roles in one order. */
const teamProjection = (teams: readonly LiveTeam[]) =>
  Object.fromEntries(
    teams.map(({ id, title, people }) => {
      return [id, [title, ...people.map(({ userId, role }) => `${userId} ${role}`).sort()]];
    }),
  );
/** The same of the teams with members that the service has. */
const expected = () => {
  const teams = records().filter(({ members }) => members.size > 0);
  const peopleOf = (members: (typeof teams)[number]["members"]) =>
    [...members].map(([userId, { role }]) => ({ userId, role }));
  return teamProjection(teams.map(({ id, title, members }) => ({ id, title, people: peopleOf(members) })));
};

const total = (requests: object) => Object.values(requests).reduce((sum, count) => sum + count, 0);

it("reads the organization with two requests for each team and one for each page of members", async () => {
  await begin({ size: { members: 2_000, teams: 20, sites: 40 } });
  const live = await readOrganization(context);
  // Members are 3 pages, and 4 requests are left for the other lists.
  expect(total(emulator.requests())).toBeLessThanOrEqual(2 * live.teams.length + 3 + 4);
  expect(live.members.length).toBe(emulator.state.organizations.get(live.organizationId)?.members.size);
  expect(live.sites).toHaveLength(42);
  expect(teamProjection(live.teams)).toEqual(expected());
  expect(live.teams.length).toBeGreaterThan(20);
});

/** Teams of people at random: no team follows the order in which people joined the organization. */
function mixed({ people, teams, size }: { people: number; teams: number; size: number }): Seed {
  // The generator of Park and Miller, so that the teams are the same in each run.
  let bits = 7;
  const random = (below: number) => {
    bits = (bits * 16_807) % 2_147_483_647;
    return bits % below;
  };
  const members = Array.from({ length: people }, (_, index) => ({ userId: `user_${index}` }));
  const team = (index: number) => {
    const ids = Array.from({ length: size }, () => `user_${random(people)}`);
    return { id: `team_${index}`, members: Object.fromEntries(ids.map((id) => [id, "member" as const])) };
  };
  return { organizations: { org: { members, teams: Array.from({ length: teams }, (_, index) => team(index)) } } };
}

it.each([
  ["small ones", { people: 600, teams: 60, size: 10 }],
  ["large ones", { people: 600, teams: 20, size: 100 }],
  ["ones of a single person", { people: 200, teams: 50, size: 1 }],
])("finds all teams with any members, in any order: %s", async (_name, sizes) => {
  await begin({ seed: mixed(sizes) });
  const { teams } = await readOrganization(context);
  expect(teamProjection(teams)).toEqual(expected());
  const { listMemberTeams = 0, listTeamMembers } = emulator.requests();
  expect(listTeamMembers).toBe(teams.length);
  expect(listMemberTeams).toBeLessThanOrEqual(1.5 * teams.length);
});

it("finds the team that only one person is in, also on a later page, and after other teams of the person", async () => {
  const members = ["user_w", "user_x"].map((userId) => ({ userId }));
  const people = { a: ["user_w", "user_x"], b: ["user_x"], c: ["user_w"] };
  const teams = Object.entries(people).map(([id, ids]) => {
    return { id, members: Object.fromEntries(ids.map((userId) => [userId, "member" as const])) };
  });
  await begin({ seed: { organizations: { org: { members, teams } } } });
  const { client } = context;
  const listMemberTeams: typeof client.listMemberTeams = (path) =>
    client.listMemberTeams({ ...path, query: { limit: 1 } });
  const live = await readOrganization({ ...context, client: { ...client, listMemberTeams } });
  expect(live.teams.map(({ id }) => id)).toEqual(["a", "b", "c"]);
});

it("finds empty teams only by their named ids, and reports its progress", async () => {
  await begin();
  const writers = emulator.state.organizations.get("acme")?.teams.get("team_writers");
  writers?.members.clear();
  const reports: Parameters<ShowProgress>[] = [];
  const { teams } = await readOrganization(context, { progress: (...one) => void reports.push(one) });
  expect(teams.map(({ id }) => id)).toEqual(["team_engineers", "team_support"]);
  expect(reports.filter(([done, all]) => done === all).map(([, , what]) => what)).toEqual(
    expect.arrayContaining(["lists", "people in teams"]),
  );

  const named = await readOrganization(context, { teamIds: ["team_writers", "team_engineers"] });
  expect(named.teams.map(({ id, title, people }) => [id, title, people.length])).toEqual([
    ["team_writers", undefined, 0],
    ["team_engineers", "Engineers", 4],
    ["team_support", "Support", 3],
  ]);
});

it("finds an empty default team of a SAML provider, with its title", async () => {
  await begin();
  for (const { members } of records()) members.clear();
  const { teams } = await readOrganization(context);
  expect(teams).toEqual([{ id: "team_support", title: "Support", people: [] }]);
});

it("ignores a default team that does not exist", async () => {
  await begin();
  emulator.fault({ row: "listTeamMembers", times: 1, status: 404 });
  const { teams } = await readOrganization(context);
  expect(emulator.pendingFaults()).toEqual([]);
  expect(teams.map(({ id }) => id)).toEqual(["team_engineers", "team_support", "team_writers"]);
});
