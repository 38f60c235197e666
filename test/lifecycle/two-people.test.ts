import { afterEach, expect, it } from "vitest";
import type { Properties } from "../support/protocol-provider";
import { startRun } from "../support/provider";
import { configOf } from "../support/settings";
import { startBench } from "./contract";

let bench: Awaited<ReturnType<typeof startBench>>;
afterEach(() => bench.stop());

const eli = "eli@acme.test";
const inTeam = { teamId: "team_writers" };

/** `ofAnother` is a state that has the id of another person for the same name; `without` declares nothing for the person. */
const cases: readonly [
  resource: string,
  declared: Properties,
  ofAnother: (state: Properties) => Properties,
  without?: Properties,
][] = [
  ["MemberRole", { user: eli, role: "edit" }, (state) => ({ ...state, userId: "user_fay", previousRole: "guest" })],
  [
    "MemberRoles",
    { roles: { [eli]: "edit" } },
    (state) => ({ ...state, userIds: { [eli]: "user_fay" }, previousRoles: { user_fay: "guest" } }),
    { roles: {} },
  ],
  ["TeamMembership", { ...inTeam, user: eli, role: "member" }, (state) => ({ ...state, userId: "user_fay" })],
  [
    "TeamMembers",
    { ...inTeam, members: { user_cem: "owner", [eli]: "member" }, exclusive: true },
    (state) => ({ ...state, userIds: { [eli]: "user_fay" } }),
    { ...inTeam, members: { user_cem: "owner" } },
  ],
];

const seed = {
  organizations: {
    acme: {
      title: "Acme",
      members: ["ada", "cem", "eli", "fay", "gil"].map((name) => ({
        userId: `user_${name}`,
        email: `${name}@acme.test`,
        role: name === "ada" ? ("admin" as const) : ("read" as const),
      })),
      teams: [{ id: "team_writers", title: "Writers", members: { user_cem: "owner", user_fay: "member" } as const }],
    },
  },
};

const rename = (userId: string, email: string | undefined) => bench.changePerson(userId, { email });

it.each(cases)("%s removes nothing from anybody if its state may mean two people", async (...one) => {
  const [resource, declared, ofAnother, without] = one;
  bench = await startBench(resource, { seed });
  const { id, properties } = await bench.created(declared);
  // The edited state names user_fay, who is in the team.
  await bench.client.putTeamMember({ organizationId: "acme", ...inTeam, userId: "user_fay", body: { role: "member" } });
  bench.takeWrites();

  const state = ofAnother(properties);
  const refused = /user_fay for eli@acme\.test.* user_eli now/;
  await expect(bench.provider.delete(id, state)).rejects.toThrow(refused);
  if (without) await expect(bench.update(id, state, without)).rejects.toThrow(refused);

  // The e-mail is passed on.
  await bench.anotherRun();
  rename("user_eli", "eli.new@acme.test");
  rename("user_gil", eli);
  await expect(bench.provider.delete(id, properties)).rejects.toHaveWording("an e-mail that was passed on");
  expect(bench.takeWrites()).toEqual([]);

  // The person has another e-mail, and nobody has the one before.
  await bench.anotherRun();
  rename("user_gil", "gil@acme.test");
  await bench.provider.delete(id, properties);
  expect(JSON.stringify(bench.takeWrites())).toContain("user_eli");
});

it.each([
  ["MemberRole", { user: eli, role: "edit" }, { user: eli, role: "admin" }, { userId: "user_fay" }],
  ["MemberRoles", { roles: { [eli]: "edit" } }, { roles: { [eli]: "admin" } }, { userIds: { [eli]: "user_fay" } }],
])("%s gives nothing to anybody if its state may mean two people", async (resource, declared, more, edited) => {
  bench = await startBench(resource, { seed });
  const { id, properties } = await bench.created(declared);
  bench.takeWrites();
  await expect(bench.update(id, { ...properties, ...edited }, more)).rejects.toHaveWording("another person");
  await bench.anotherRun();
  rename("user_eli", "eli.new@acme.test");
  rename("user_gil", eli);
  await expect(bench.update(id, properties, more)).rejects.toHaveWording("an e-mail that was passed on");
  expect(bench.takeWrites()).toEqual([]);
});

it("releases a person with a hidden e-mail", async () => {
  bench = await startBench("MemberRole", { seed });
  const { id, properties } = await bench.created({ user: eli, role: "edit" });
  rename("user_eli", undefined);
  await bench.provider.delete(id, properties);
  expect(bench.takeWrites()).toEqual([["PATCH", "/v1/orgs/acme/members/user_eli", { role: "read" }]]);
});

it("refuses a state that names two ids", async () => {
  bench = await startBench("TeamMembership", { seed });
  const { id, properties } = await bench.created({ ...inTeam, user: "user_eli", role: "member" });
  await expect(bench.provider.delete(id, { ...properties, userId: "user_fay" })).rejects.toHaveWording("two user ids");
  expect(bench.takeWrites()).toEqual([]);
});

it.each<
  [resource: "MemberRoles" | "MemberRole" | "TeamMembers" | "TeamMembership", declared: Properties, absent: unknown]
>([
  ["MemberRoles", { roles: { user_eli: "read" } }, ["user_eli"]],
  ["MemberRole", { user: "user_eli", role: "read" }, true],
  ["TeamMembers", { ...inTeam, members: { user_cem: "owner", user_fay: "member", user_eli: "member" } }, ["user_eli"]],
  ["TeamMembership", { ...inTeam, user: "user_eli", role: "member" }, true],
])("%s takes over the line of somebody who has left, and no other unknown id", async (resource, declared, absent) => {
  bench = await startBench("MemberRoles", { seed });
  const { id, properties } = await bench.created({ roles: { user_eli: "edit" } });
  await bench.client.removeMember({ organizationId: "acme", userId: "user_eli" });
  const run = await startRun("MemberRoles", { config: configOf(bench.emulator) });
  await expect(run.of(resource).create(declared)).rejects.toThrow(/user_eli.* (is not a|no) member/);
  bench.takeWrites();
  await run.read(id, properties);
  const left = await run.of(resource, "second").create(declared);
  expect(left.properties).toMatchObject({ ...declared, absent });
  expect(bench.takeWrites()).toEqual([]);
  await run.stop();
});
